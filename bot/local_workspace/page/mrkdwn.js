// Slack's mrkdwn and rich_text, as elements.

import { el, outside } from "./dom.js";
import { EMOJI } from "./emoji.js";
import { channel, channelName, displayName, state } from "./store.js";
import { dated } from "./times.js";

const ENTITIES = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

export function unescape(text) {
  return text.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity]);
}

export function withEmoji(text) {
  return text.replace(/:([a-z0-9_+\-]+):/g, (whole, name) => EMOJI[name] ?? whole);
}

export function mention(id) {
  return el("span", { class: id === state.me ? "mention me" : "mention" }, `@${displayName(id)}`);
}

export function channelLink(id, label) {
  const known = channel(id);
  return el("a", { class: "mention", href: `/#${id}` }, `#${known ? channelName(known) : label || id}`);
}

export function broadcast(range) {
  return el("span", { class: "mention me" }, `@${range}`);
}

function token(inside) {
  const bar = inside.indexOf("|");
  const target = bar < 0 ? inside : inside.slice(0, bar);
  const label = bar < 0 ? "" : unescape(inside.slice(bar + 1));
  if (target.startsWith("@")) return mention(target.slice(1));
  if (target.startsWith("#")) return channelLink(target.slice(1), label);
  if (target.startsWith("!date^")) {
    const [, ts, pattern] = target.split("^");
    return dated(ts, unescape(pattern ?? "")) || label;
  }
  if (target.startsWith("!")) return broadcast(label || target.slice(1));
  return outside(unescape(target), label || unescape(target));
}

const INLINE = new RegExp(
  [
    "`([^`\\n]+)`",
    "<([^<>\\n]+)>",
    "(?<![\\w*])\\*(?=\\S)([^*\\n]*?\\S)\\*(?![\\w*])",
    "(?<![\\w_])_(?=\\S)([^_\\n]*?\\S)_(?![\\w_])",
    "(?<![\\w~])~(?=\\S)([^~\\n]*?\\S)~(?![\\w~])",
  ].join("|"),
);

export function inline(text) {
  const nodes = [];
  let rest = text;
  for (let found = INLINE.exec(rest); found; found = INLINE.exec(rest)) {
    if (found.index) nodes.push(withEmoji(unescape(rest.slice(0, found.index))));
    const [whole, code, inside, bold, italic, strike] = found;
    if (code !== undefined) nodes.push(el("code", {}, unescape(code)));
    else if (inside !== undefined) nodes.push(token(inside));
    else if (bold !== undefined) nodes.push(el("strong", {}, inline(bold)));
    else if (italic !== undefined) nodes.push(el("em", {}, inline(italic)));
    else nodes.push(el("s", {}, inline(strike)));
    rest = rest.slice(found.index + whole.length);
  }
  if (rest) nodes.push(withEmoji(unescape(rest)));
  return nodes;
}

// A whole mrkdwn text: fenced code, quotes, and lines.
export function mrkdwn(text) {
  const box = el("div", { class: "text", dir: "auto" });
  text.split("```").forEach((part, position) => {
    if (position % 2) {
      box.append(el("pre", {}, el("code", {}, unescape(part.replace(/^\n|\n$/g, "")))));
    } else if (part) {
      lines(box, position ? part.replace(/^\n/, "") : part);
    }
  });
  return box;
}

function lines(box, text) {
  let quote = null;
  text.split("\n").forEach((line, position) => {
    const quoted = /^(?:&gt;|>) ?(.*)$/.exec(line);
    if (quoted) {
      if (!quote) box.append((quote = el("blockquote", { dir: "auto" })));
      else quote.append(el("br"));
      quote.append(...inline(quoted[1]));
      return;
    }
    if (position && !quote) box.append(el("br"));
    quote = null;
    box.append(...inline(line));
  });
}

export function textObject(object) {
  if (object.type === "mrkdwn") return mrkdwn(object.text);
  return el("div", { class: "text", dir: "auto" }, withEmoji(object.text));
}

// rich_text

function styled(node, style = {}) {
  let shown = node;
  for (const [name, tag] of [["code", "code"], ["strike", "s"], ["italic", "em"], ["bold", "strong"], ["underline", "u"]]) {
    if (style[name]) shown = el(tag, {}, shown);
  }
  return shown;
}

function part(piece) {
  switch (piece.type) {
    case "text": return styled(piece.text, piece.style);
    case "link": return styled(outside(piece.url, piece.text || piece.url), piece.style);
    case "user": return mention(piece.user_id);
    case "channel": return channelLink(piece.channel_id);
    case "broadcast": return broadcast(piece.range);
    case "emoji": return EMOJI[piece.name] ?? `:${piece.name}:`;
    case "date": return dated(piece.timestamp, piece.format ?? "{date} {time}") ?? piece.fallback;
    default: return piece.text ?? piece.value ?? "";
  }
}

const parts = (element) => element.elements.map(part);

export function richText(block) {
  const box = el("div", { class: "text rich", dir: "auto" });
  for (const element of block.elements) {
    if (element.type === "rich_text_preformatted") box.append(el("pre", {}, el("code", {}, parts(element))));
    else if (element.type === "rich_text_quote") box.append(el("blockquote", {}, parts(element)));
    else if (element.type === "rich_text_list") {
      const list = el(element.style === "ordered" ? "ol" : "ul", { class: `indent-${element.indent ?? 0}` });
      list.append(...element.elements.map((item) => el("li", {}, parts(item))));
      box.append(list);
    } else box.append(el("div", { class: "line" }, parts(element)));
  }
  return box;
}
