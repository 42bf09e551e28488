// One message, and lists of them.

import { call, inWords } from "./api.js";
import { confirmed } from "./actions.js";
import { blocks, enlarge } from "./blocks.js";
import { el, icon, iconButton } from "./dom.js";
import { emoji, QUICK } from "./emoji.js";
import { mrkdwn } from "./mrkdwn.js";
import { asSent, asTyped } from "./outgoing.js";
import { displayName, isReply, notice, outsideOf, sessionOf, state, user } from "./store.js";
import { clock, dateOf, dayName, fully, timeOf, zone } from "./times.js";

const TOGETHER_S = 300;

// Draws a list into `box`, reusing what has not changed, so that pictures and focus stay.
export function drawList(box, list, options) {
  const old = new Map([...box.children].map((node) => [node.dataset.key, node]));
  const nodes = [];
  let before = null;
  for (const message of list) {
    if (!options.thread && (!before || dateOf(before.ts) !== dateOf(message.ts))) nodes.push(dayLine(message, old));
    if (options.unreadAfter && message.ts > options.unreadAfter && (!before || before.ts <= options.unreadAfter)) nodes.push(el("div", { class: "new-line", data: { key: "new" } }, "New"));
    nodes.push(reused(old, message, continues(before, message), options));
    before = message;
  }
  const same = nodes.length === box.children.length && nodes.every((node, at) => box.children[at] === node);
  if (!same) box.replaceChildren(...nodes);
}

// Its key has its name: at midnight what was "Today" is drawn anew.
function dayLine(message, old) {
  const name = dayName(message.ts);
  const key = `day-${dateOf(message.ts)}-${name}`;
  if (old.has(key)) return old.get(key);
  return el("div", { class: "day-line", data: { key } }, el("span", {}, name));
}

function continues(before, message) {
  return Boolean(before) && !before.notice && !message.notice && before.user === message.user && !before.is_ephemeral === !message.is_ephemeral
    && !before.reply_count && message.ts - before.ts < TOGETHER_S && dateOf(before.ts) === dateOf(message.ts);
}

function reused(old, message, compact, options) {
  const session = options.thread ? null : sessionOf(message.channel, message.ts);
  const print = JSON.stringify([message, compact, session, Boolean(options.thread), state.users.size, zone()]);
  const found = old.get(message.ts);
  if (found && found.print === print) return found;
  const node = message.notice ? noticeNode(message) : messageNode(message, compact, session, options);
  node.dataset.key = message.ts;
  node.print = print;
  return node;
}

function noticeNode(message) {
  const hide = (event) => {
    state.hidden.add(message.ts);
    event.currentTarget.closest(".notice").remove();
  };
  const act = message.action && el("button", { type: "button", class: "button small", onclick: (event) => { hide(event); message.action.run(); } }, message.action.label);
  return el("div", { class: "notice", role: "status", testid: "notice" }, el("span", {}, message.text), act, iconButton("close", "Dismiss", hide));
}

// A workflow's message has no member behind it.
const writer = (message) => message.username ?? displayName(message.user);

export function avatar(id) {
  const member = user(id);
  const letters = member.is_bot ? "◆" : (member.real_name || member.name).slice(0, 1).toUpperCase();
  const tone = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 6, 0);
  return el("span", { class: `avatar ${member.is_bot ? "bot" : `tone-${tone}`}`, "aria-hidden": "true" }, letters);
}

function messageNode(message, compact, session, options) {
  if (message.subtype === "tombstone") return deletedNode(message, session, options);
  const own = message.user === state.me;
  const node = el("article", {
    class: ["message", compact ? "compact" : "", message.is_ephemeral ? "ephemeral" : "", message.bot_id ? "from-app" : ""].join(" "),
    testid: "message",
    "aria-label": `${writer(message)}, ${clock(message.ts)}`,
    data: { ts: message.ts, user: message.user },
  });
  const time = el("time", { datetime: timeOf(message.ts).toISOString(), title: fully(message.ts) }, clock(message.ts));
  const outside = outsideOf(message.user);
  const head = compact ? null : el("header", {}, el("strong", {}, writer(message)), message.bot_id && el("span", { class: "badge" }, "APP"), outside && el("span", { class: "badge outside" }, outside), time);
  const body = el("div", { class: "message-body" }, message.is_ephemeral && onlyYou(message), head, content(message), files(message), reactions(message), foot(message, session, options));
  node.append(compact ? el("span", { class: "gutter" }, time) : avatar(message.user ?? message.bot_id), body);
  if (!message.is_ephemeral) node.append(toolbar(message, own, options));
  return node;
}

// Of a message that was deleted nothing is left but its thread: not even who wrote it.
function deletedNode(message, session, options) {
  const body = el("div", { class: "message-body" }, el("p", { class: "muted deleted" }, "This message was deleted."), foot(message, session, options));
  return el("article", { class: "message", testid: "message", "aria-label": "A deleted message", data: { ts: message.ts } }, el("span", { class: "avatar none", "aria-hidden": "true" }, icon("trash")), body);
}

function onlyYou(message) {
  const hide = el("button", { type: "button", class: "link", onclick: (event) => { state.hidden.add(message.ts); event.currentTarget.closest(".message").remove(); } }, "Dismiss");
  return el("p", { class: "only-you" }, icon("eye"), " Only visible to you · ", hide);
}

function content(message) {
  const edited = message.edited && !message.bot_id && el("span", { class: "muted edited" }, " (edited)");
  const typed = message.blocks?.length === 1 && message.blocks[0].block_id === "typed";
  if (message.blocks?.length && !typed) {
    const inner = el("div", { class: "blocks", testid: message.bot_id ? "card" : "blocks" }, blocks(message.blocks, { message }));
    // Where words are being written; a task that is under way turns by itself.
    const isWritten = message.blocks.at(-1).type === "markdown";
    if (message.streaming_state === "in_progress" && isWritten) inner.classList.add("streaming");
    return inner;
  }
  const text = message.text ? mrkdwn(message.text) : null;
  if (text && edited) text.append(edited);
  return text;
}

function files(message) {
  return (message.files ?? []).map((file) => {
    const path = new URL(file.url_private).pathname;
    if (file.mimetype?.startsWith("image/")) {
      const alt = file.alt_txt || file.title;
      return el("button", { class: "picture", type: "button", "aria-label": `Enlarge: ${alt}`, onclick: () => enlarge(path, alt) }, el("img", { src: path, alt, loading: "lazy" }));
    }
    const size = file.size < 1024 ? `${file.size} bytes` : `${(file.size / 1024).toFixed(1)} kB`;
    return el("a", { class: "file", href: `${path}?download=1`, download: file.name, testid: "file" },
      el("span", { class: "file-kind" }, file.pretty_type || "FILE"),
      el("span", { class: "file-name" }, el("strong", {}, file.title), el("span", { class: "muted" }, `${file.name} · ${size}`)), icon("download"));
  });
}

function reactions(message) {
  if (!message.reactions?.length) return null;
  return el("div", { class: "reactions" }, message.reactions.map(({ name, users, count }) => {
    const mine = users.includes(state.me);
    const who = users.map(displayName).join(", ");
    return el("button", { type: "button", class: "reaction", "aria-pressed": String(mine), title: `:${name}: ${who}`, "aria-label": `${name}, ${count}: ${who}`, onclick: () => react(message, name, mine) }, emoji(name), ` ${count}`);
  }));
}

export function react(message, name, remove) {
  const method = remove ? "reactions.remove" : "reactions.add";
  return call(method, { channel: message.channel, timestamp: message.ts, name }).catch(() => {});
}

function foot(message, session, { thread, openThread }) {
  if (thread || isReply(message)) {
    if (!thread && message.broadcast) return el("button", { type: "button", class: "link", onclick: () => openThread(message.channel, message.thread_ts) }, "in a thread");
    return null;
  }
  if (!message.reply_count && !session) return null;
  const open = () => openThread(message.channel, message.ts);
  const writers = (message.reply_users ?? []).slice(0, 4).map(avatar);
  const count = message.reply_count ? el("span", { class: "reply-count" }, `${message.reply_count} ${message.reply_count === 1 ? "reply" : "replies"}`) : null;
  const last = session
    ? el("span", { class: "status-line" }, el("span", { class: "dots" }), `${displayName(session.user)} ${session.status}`)
    : el("span", { class: "muted" }, `last at ${clock(message.latest_reply)}`);
  return el("button", { type: "button", class: "reply-bar", onclick: open, testid: "open-thread" }, writers, count, last);
}

function toolbar(message, own, options) {
  const more = [];
  const where = { channel: message.channel, ts: message.ts };
  if (!options.thread && !isReply(message)) more.push(iconButton("reply", "Reply in thread", () => options.openThread(message.channel, message.ts), { "data-testid": "reply" }));
  if (own) {
    more.push(iconButton("edit", "Edit", (event) => startEdit(event.currentTarget.closest(".message"), message)));
    more.push(iconButton("trash", "Delete", async () => {
      if (await confirmed(DELETE)) call("chat.delete", where).catch(() => {});
    }));
  }
  for (const each of state.apps.flatMap((app) => app.shortcuts)) {
    const choose = () => call("workspace.messageShortcut", { ...where, callback_id: each.callback_id }).catch((error) => notice(message.channel, options.thread ? message.thread_ts ?? message.ts : "", `${each.name} failed: ${inWords(error)}.`));
    more.push(iconButton("ask", each.name, choose, { "data-testid": "shortcut" }));
  }
  more.push(iconButton("link", "Copy link", async () => {
    await navigator.clipboard?.writeText(linkTo(message));
  }));
  const quick = QUICK.slice(0, 3).map((name) => el("button", { type: "button", class: "icon-button", "aria-label": `React with ${name}`, title: `:${name}:`, onclick: () => react(message, name, message.reactions?.some((each) => each.name === name && each.users.includes(state.me))) }, emoji(name)));
  return el("div", { class: "toolbar", role: "toolbar", "aria-label": "Message actions" }, quick, more);
}

function linkTo(message) {
  const link = new URL(`/?channel=${message.channel}&message=${message.ts}`, location.origin);
  if (isReply(message)) link.searchParams.set("thread", message.thread_ts);
  return link.href;
}

const DELETE = {
  title: { text: "Delete message" },
  text: { type: "plain_text", text: "It cannot be brought back." },
  confirm: { text: "Delete" },
  deny: { text: "Keep" },
  style: "danger",
};

function startEdit(node, message) {
  const plain = asTyped(message.text);
  const field = el("textarea", { class: "edit-field", rows: 3, "aria-label": "Edit message" });
  field.value = plain;
  const done = async (save) => {
    if (save && field.value.trim() && field.value !== plain) {
      await call("chat.update", { channel: message.channel, ts: message.ts, text: asSent(field.value) }).catch((error) => notice(message.channel, "", inWords(error)));
    }
    form.remove();
  };
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") done(false);
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); done(true); }
  });
  const form = el("div", { class: "edit" }, field, el("div", { class: "modal-foot" },
    el("button", { type: "button", class: "button", onclick: () => done(false) }, "Cancel"),
    el("button", { type: "button", class: "button primary", onclick: () => done(true) }, "Save")));
  node.querySelector(".message-body").append(form);
  field.focus();
}
