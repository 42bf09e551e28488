// The markdown block: the part of Markdown that Slack renders. Images become links, as there.

import { el, outside } from "./dom.js";
import { broadcast, channelLink, mention, unescape, withEmoji } from "./mrkdwn.js";

const INLINE = new RegExp(
  [
    "(`+)(.+?)\\1(?!`)",
    "!?\\[([^\\]]*)\\]\\(([^)\\s]+)(?:\\s+\"[^\"]*\")?\\)",
    "\\*\\*(?=\\S)(.+?\\S|\\S)\\*\\*",
    "(?<!\\w)__(?=\\S)(.+?\\S|\\S)__(?!\\w)",
    "\\*(?=\\S)([^*]*?\\S)\\*",
    "(?<!\\w)_(?=\\S)([^_]*?\\S)_(?!\\w)",
    "~~(?=\\S)(.+?\\S|\\S)~~",
    "<((?:https?://|@U|#C|!)[^<>\\s]*(?:\\|[^<>]*)?)>",
    "(https?://[^\\s<>)]+)",
    "\\\\([\\\\`*_{}\\[\\]()#+\\-.!~|>])",
  ].join("|"),
);

export function inline(text) {
  const nodes = [];
  let rest = text;
  for (let found = INLINE.exec(rest); found; found = INLINE.exec(rest)) {
    if (found.index) nodes.push(withEmoji(unescape(rest.slice(0, found.index))));
    nodes.push(piece(found));
    rest = rest.slice(found.index + found[0].length);
  }
  if (rest) nodes.push(withEmoji(unescape(rest)));
  return nodes;
}

function piece([, ticks, code, label, url, bold, bold2, italic, italic2, strike, token, bare, escaped]) {
  if (ticks !== undefined) return el("code", {}, unescape(code.trim()));
  if (url !== undefined) return outside(unescape(url), inline(label || url));
  if (bold ?? bold2) return el("strong", {}, inline(bold ?? bold2));
  if (italic ?? italic2) return el("em", {}, inline(italic ?? italic2));
  if (strike !== undefined) return el("s", {}, inline(strike));
  if (token !== undefined) return slackToken(token);
  if (bare !== undefined) return outside(unescape(bare), unescape(bare));
  return escaped;
}

// Slack's own tokens are alive inside markdown blocks too.
function slackToken(inside) {
  const [target, label] = inside.split("|");
  if (target.startsWith("@")) return mention(target.slice(1));
  if (target.startsWith("#")) return channelLink(target.slice(1), label);
  if (target.startsWith("!")) return broadcast(target.slice(1));
  return outside(unescape(target), unescape(label ?? target));
}

const ITEM = /^(\s*)(?:[-*+]|(\d+)[.)])\s+(.*)$/;
const RULE = /^\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;
const TABLE_LINE = /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*\|?\s*$/;

export function markdown(text) {
  const box = el("div", { class: "text markdown", dir: "auto" });
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; ) {
    const [node, next] = block(lines, at);
    if (node) box.append(node);
    at = next;
  }
  return box;
}

function block(lines, at) {
  const line = lines[at];
  if (!line.trim()) return [null, at + 1];
  const fence = /^\s*(```+|~~~+)/.exec(line);
  if (fence) return fenced(lines, at, fence[1]);
  const heading = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(line);
  if (heading) return [el("h3", {}, inline(heading[2])), at + 1];
  if (RULE.test(line)) return [el("hr"), at + 1];
  if (lines[at + 1] !== undefined && line.includes("|") && TABLE_LINE.test(lines[at + 1])) return table(lines, at);
  if (/^\s*>/.test(line)) return quote(lines, at);
  if (ITEM.test(line)) return list(lines, at);
  return paragraph(lines, at);
}

function fenced(lines, at, fence) {
  let end = at + 1;
  while (end < lines.length && !lines[end].trim().startsWith(fence)) end += 1;
  const code = unescape(lines.slice(at + 1, end).join("\n"));
  return [el("pre", {}, el("code", {}, code)), end + 1];
}

function quote(lines, at) {
  let end = at;
  while (end < lines.length && /^\s*>/.test(lines[end])) end += 1;
  const inner = lines.slice(at, end).map((line) => line.replace(/^\s*>\s?/, "")).join("\n");
  return [el("blockquote", {}, ...markdown(inner).childNodes), end];
}

function paragraph(lines, at) {
  const node = el("p");
  let end = at;
  while (end < lines.length && lines[end].trim() && (end === at || !startsBlock(lines, end))) {
    if (end > at) node.append(el("br"));
    node.append(...inline(lines[end].trim()));
    end += 1;
  }
  return [node, end];
}

function startsBlock(lines, at) {
  return /^\s*(?:```|~~~|#{1,6}\s|>)/.test(lines[at]) || ITEM.test(lines[at]) || RULE.test(lines[at]);
}

function list(lines, at) {
  const [, indent, ordered] = ITEM.exec(lines[at]);
  const node = el(ordered ? "ol" : "ul", ordered ? { start: ordered } : {});
  let end = at;
  while (end < lines.length) {
    const found = ITEM.exec(lines[end]);
    if (!found || found[1].length < indent.length) break;
    if (found[1].length > indent.length) {
      const [inner, next] = list(lines, end);
      (node.lastElementChild ?? node).append(inner);
      end = next;
      continue;
    }
    node.append(item(found[3]));
    end += 1;
  }
  return [node, end];
}

function item(text) {
  const task = /^\[([ xX])\]\s+(.*)$/.exec(text);
  if (!task) return el("li", {}, inline(text));
  const box = el("input", { type: "checkbox", disabled: true, checked: task[1] !== " " });
  return el("li", { class: "todo" }, box, " ", inline(task[2]));
}

const cells = (line) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\\|/g, "|"));

function table(lines, at) {
  const aligns = cells(lines[at + 1]).map((mark) => (mark.endsWith(":") ? (mark.startsWith(":") ? "center" : "right") : "left"));
  const row = (line, tag) => el("tr", {}, cells(line).map((cell, column) => el(tag, { class: `align-${aligns[column] ?? "left"}` }, inline(cell))));
  const body = el("tbody");
  let end = at + 2;
  while (end < lines.length && lines[end].includes("|")) body.append(row(lines[end++], "td"));
  return [el("div", { class: "table-scroll" }, el("table", {}, el("thead", {}, row(lines[at], "th")), body)), end];
}
