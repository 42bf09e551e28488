// The box to write in: Enter sends, @ and / complete, a draft stays with its conversation.

import { call, inWords } from "./api.js";
import { el, iconButton } from "./dom.js";
import { asSent } from "./outgoing.js";
import { OWN, ownCommand } from "./own_commands.js";
import { channel, notice, state, titleOf } from "./store.js";

const drafts = new Map();
let serial = 0;

// `where` gives {channel, thread}; `sent` is told after a message or command went out.
export function composer({ where, testid, threaded = false, sent, redraw }) {
  const listId = `completions-${(serial += 1)}`;
  const field = el("textarea", {
    rows: 1, testid, "aria-label": "Message", autocomplete: "off", dir: "auto", role: "combobox",
    "aria-autocomplete": "list", "aria-controls": listId, "aria-expanded": "false",
  });
  const list = el("ul", { class: "completions", id: listId, role: "listbox", hidden: true });
  const send = iconButton("send", "Send", () => submit(), { class: "icon-button send", "data-testid": `${testid}-send` });
  const box = el("div", { class: "composer" }, list, field, el("div", { class: "composer-foot" },
    iconButton("at", "Mention someone", () => insert("@")),
    threaded ? null : iconButton("slash", "Command", () => insert("/")),
    el("span", { class: "muted hint" }, "Enter sends, Shift+Enter starts a line"), send));
  const state_ = { field, list, options: [], chosen: 0 };

  const key = () => `${where().channel}/${where().thread}`;

  function show() {
    const { channel: id, thread } = where();
    const one = channel(id);
    const name = one ? titleOf(one) : "";
    field.placeholder = thread ? "Reply…" : `Message ${name}`;
    field.value = drafts.get(key()) ?? "";
    grow(field);
    complete(state_, thread);
  }

  function insert(sign) {
    const empty = !field.value.trim();
    if (sign === "/" && !empty) return field.focus();
    field.setRangeText(field.value && !/\s$/.test(field.value) ? ` ${sign}` : sign, field.selectionStart, field.selectionEnd, "end");
    field.focus();
    typed();
  }

  function typed() {
    drafts.set(key(), field.value);
    grow(field);
    complete(state_, where().thread);
  }

  async function submit() {
    const text = field.value.trim();
    if (!text) return;
    const place = where();
    field.value = "";
    typed();
    try {
      await deliver(text, place, sent);
    } catch (error) {
      const name = /^\/\S+/.exec(text)?.[0];
      notice(place.channel, place.thread, name ? `${name} failed: ${inWords(error)}.` : `Not sent: ${inWords(error)}.`);
      if (!name && !field.value) { field.value = text; typed(); }
      redraw();
    }
  }

  field.addEventListener("input", typed);
  field.addEventListener("blur", () => setTimeout(() => hide(state_), 150));
  field.addEventListener("keydown", (event) => {
    if (steer(state_, event)) { typed(); return; }
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      submit();
    }
  });
  list.addEventListener("mousedown", (event) => {
    const item = event.target.closest("li");
    if (!item) return;
    event.preventDefault();
    state_.chosen = Number(item.dataset.at);
    take(state_);
    typed();
  });
  return { box, show, field, focus: () => field.focus(), say: (text) => { field.value = text; typed(); submit(); } };
}

async function deliver(text, place, sent) {
  const command = /^(\/[\w-]+)(?:\s+([\s\S]*))?$/.exec(text);
  if (command) {
    if (place.thread) throw Object.assign(new Error(), { code: "a command cannot be used in a thread" });
    const own = await ownCommand(command[1], command[2] ?? "", place.channel);
    if (own) return own.go && sent({ go: own.go });
    sent({ ...place, command: true });
    await call("workspace.slashCommand", { channel: place.channel, command: command[1], text: command[2] ?? "" });
    return;
  }
  const message = { channel: place.channel, text: asSent(text) };
  if (place.thread) message.thread_ts = place.thread;
  const answer = await call("chat.postMessage", message);
  sent({ ...place, ts: answer.ts, message: answer.message });
}

function grow(field) {
  field.style.height = "auto";
  field.style.height = `${Math.min(field.scrollHeight, 220)}px`;
}

// -- completion

function complete(box, thread) {
  const before = box.field.value.slice(0, box.field.selectionStart);
  const command = /^\/[\w-]*$/.exec(before);
  const name = /(?:^|[\s(])([@#])([\p{L}\p{N}_.\-]*)$/u.exec(before);
  if (command && !thread) offer(box, commands(command[0]), command[0].length);
  else if (name) offer(box, names(name[1], name[2].toLowerCase()), name[2].length + 1);
  else hide(box);
}

function commands(start) {
  return [...state.apps.flatMap((app) => app.commands), ...OWN].filter((each) => each.command.startsWith(start))
    .map((each) => ({ insert: `${each.command} `, label: `${each.command} ${each.usage_hint}`.trim(), note: each.description }));
}

function names(sign, start) {
  if (sign === "#") {
    return [...state.channels.values()].filter((each) => each.name?.startsWith(start)).map((each) => ({ insert: `#${each.name} `, label: `#${each.name}`, note: "" }));
  }
  const members = [...state.users.values()].filter((each) => each.id !== state.me);
  members.sort((a, b) => Number(b.is_bot) - Number(a.is_bot));
  return members.filter((each) => each.name.toLowerCase().startsWith(start) || each.real_name.toLowerCase().startsWith(start))
    .map((each) => ({ insert: `@${each.name} `, label: `@${each.name}`, note: each.is_bot ? "app" : each.real_name }));
}

function offer(box, options, length) {
  if (!options.length) return hide(box);
  Object.assign(box, { options: options.slice(0, 6), chosen: 0, length });
  drawOffers(box);
}

function drawOffers(box) {
  box.list.replaceChildren(...box.options.map((each, at) =>
    el("li", { role: "option", id: `${box.list.id}-${at}`, "aria-selected": String(at === box.chosen), data: { at } }, el("strong", {}, each.label), " ", el("span", { class: "muted" }, each.note))));
  box.list.hidden = false;
  box.field.setAttribute("aria-expanded", "true");
  box.field.setAttribute("aria-activedescendant", `${box.list.id}-${box.chosen}`);
}

function hide(box) {
  box.options = [];
  box.list.hidden = true;
  box.field.setAttribute("aria-expanded", "false");
  box.field.removeAttribute("aria-activedescendant");
}

// Keys while completions are offered; true when the key was taken.
function steer(box, event) {
  if (!box.options.length) return false;
  const exact = box.field.value.trim() === box.options[box.chosen].insert.trim();
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    box.chosen = (box.chosen + (event.key === "ArrowDown" ? 1 : -1) + box.options.length) % box.options.length;
    drawOffers(box);
    event.preventDefault();
    return false;
  }
  if (event.key === "Escape") {
    hide(box);
    event.preventDefault();
    event.stopPropagation();
    return false;
  }
  if (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey && !exact)) {
    event.preventDefault();
    take(box);
    return true;
  }
  return false;
}

function take(box) {
  const { field, options, chosen, length } = box;
  const end = field.selectionStart;
  field.setRangeText(options[chosen].insert, end - length, end, "end");
  hide(box);
}
