// Wiring: what is on the screen follows the address, the store, and the stream of changes.

import { call, follow, inWords } from "./api.js";
import { composer } from "./composer.js";
import { byId, icon } from "./dom.js";
import { connect, drawAll, drawChannel, drawChannels, drawThread } from "./screen.js";
import { watch } from "./scrolling.js";
import * as store from "./store.js";
import { showModal } from "./views.js";

const { state } = store;
let expected = ""; // a conversation to go to as soon as the page knows of it
let loads = 0; // conversations that are being read
let meanwhile = []; // messages that changed while they are
const TAKE = { message: store.takeMessage, message_deleted: store.dropMessage };
let awaiting = null; // where the person has just asked: the thread of the answer opens by itself

const main = composer({
  where: () => ({ channel: state.here.channel, thread: "" }),
  testid: "composer", sent: asked, redraw: () => drawChannel(true),
});
const inThread = composer({
  where: () => ({ channel: state.here.channel, thread: state.here.thread }),
  testid: "thread-composer", threaded: true, sent: () => drawThread(true), redraw: () => drawThread(true),
});

// -- going somewhere

async function go(channel, thread = "", message = "") {
  const address = thread ? `/?channel=${channel}&thread=${thread}` : `/#${channel}`;
  history.pushState(null, "", address);
  await show(channel, thread, message);
}

async function show(channel, thread = "", message = "") {
  const one = store.channel(channel);
  if (!one) return;
  const moved = state.here.channel !== channel;
  const unreadAfter = one.unread ? state.read.get(channel) : "";
  state.here = { channel, thread, tab: moved ? "messages" : state.here.tab, unreadAfter };
  document.body.classList.remove("menu-open");
  document.title = `${store.titleOf(one)} · Local workspace`;
  await load(channel, "");
  if (thread) await load(channel, thread);
  store.markRead(channel);
  one.mentions = 0;
  drawAll(true);
  main.show();
  if (thread) inThread.show();
  if (message) document.querySelector(`[data-ts="${CSS.escape(message)}"]`)?.scrollIntoView({ block: "center" });
  else (thread ? inThread : main).focus();
  const app = store.appOf(one.user);
  if (moved && app) call("workspace.openAppHome", { app: app.id, tab: "messages" }).catch(() => {});
}

async function load(channel, thread) {
  loads += 1;
  try {
    const { messages, changes } = await call("workspace.messages", { channel, thread_ts: thread });
    store.takeMessages(channel, thread, messages);
    // What happened after the workspace looked may have been told here before its answer came.
    for (const change of meanwhile) if (change.number > changes) TAKE[change.kind](change);
  } catch (error) {
    store.takeMessages(channel, thread, []);
    store.notice(channel, thread, `Not to be read: ${inWords(error)}.`);
  }
  loads -= 1;
  if (!loads) meanwhile = [];
}

async function openThread(channel, thread) {
  awaiting = null;
  await go(channel, thread);
}

function closeThread() {
  if (state.here.thread) go(state.here.channel);
}

function fromAddress() {
  const query = new URLSearchParams(location.search);
  const wanted = query.get("channel") || location.hash.slice(1);
  const named = [...state.channels.values()].find((each) => each.id === wanted || (each.name && each.name === wanted));
  const first = named ?? [...state.channels.values()][0];
  return show(first.id, query.get("thread") ?? "", query.get("message") ?? "");
}

// -- what happens

function asked(place) {
  if (place.go) return goOnceThere(place.go);
  const one = store.channel(place.channel);
  const toApp = place.command || one.is_im || state.apps.some((app) => place.message?.text.includes(`<@${app.bot_user}>`));
  awaiting = toApp ? { channel: place.channel, after: place.ts ?? ((Date.now() - 500) / 1000).toFixed(6), until: Date.now() + 60_000 } : null;
  for (const app of state.apps) {
    if (!one.is_im && place.message?.text.includes(`<@${app.bot_user}>`) && !one.members.includes(app.bot_user)) offerInvitation(one, app);
  }
  drawChannel(true);
}

// A conversation that was just opened may be told of a moment later.
function goOnceThere(channel) {
  if (store.channel(channel)) return go(channel);
  expected = channel;
}

function offerInvitation(one, app) {
  const invite = () => call("conversations.invite", { channel: one.id, users: app.bot_user }).catch(() => {});
  store.notice(one.id, "", `${app.name} is not in this channel, so it has not seen your message.`, { label: `Invite ${app.name}`, run: invite });
}

// The thread in which the app works on what was just asked opens by itself, once.
function maybeOpen(channel, thread) {
  if (!awaiting || awaiting.channel !== channel || channel !== state.here.channel || thread < awaiting.after) return;
  if (Date.now() > awaiting.until || state.here.thread === thread) return;
  const draft = state.here.thread && inThread.field.value.trim();
  if (!draft) openThread(channel, thread);
}

const HANDLE = {
  message(change) {
    store.takeMessage(change);
    const other = change.user !== state.me;
    const fresh = change.ts > (state.read.get(change.channel) ?? "0");
    const one = store.channel(change.channel);
    if (other && fresh && one && change.channel !== state.here.channel) {
      one.unread = (one.unread ?? 0) + 1;
      if (one.is_im || change.text.includes(`<@${state.me}>`)) one.mentions = (one.mentions ?? 0) + 1;
      drawChannels();
    }
    if (store.isReply(change) && change.bot_id) maybeOpen(change.channel, change.thread_ts);
  },
  message_deleted: store.dropMessage,
  status(change) {
    store.takeSession(change);
    if (change.status) maybeOpen(change.channel, change.thread_ts);
  },
  prompts(change) {
    state.prompts.set(`${change.channel}/${change.thread_ts}`, change);
  },
  channel(change) {
    state.channels.set(change.id, { ...state.channels.get(change.id), ...change });
    if (!state.read.has(change.id)) state.read.set(change.id, "0");
    drawChannels();
    if (expected === change.id) { expected = ""; go(change.id); }
  },
  channel_gone({ id }) {
    state.channels.delete(id);
    drawChannels();
    if (state.here.channel === id) go([...state.channels.keys()][0]);
  },
  user(change) {
    state.users.set(change.id, change);
  },
  view(change) {
    if (change.type === "modal") return showModal(change);
    const app = state.apps.find((each) => each.id === change.app_id);
    if (app) app.home = change;
  },
  reset: start,
};

let queued = false;

function onChange(change) {
  if (loads && TAKE[change.kind]) meanwhile.push(change);
  HANDLE[change.kind]?.(change);
  if (queued) return;
  queued = true;
  // Many changes at once are drawn once; a hidden page has no frames to wait for.
  setTimeout(() => {
    queued = false;
    drawChannel();
    drawThread();
    if (document.hasFocus() || !document.hidden) store.markRead(state.here.channel);
  }, 16);
}

async function start() {
  const boot = await call("workspace.boot");
  store.takeBoot(boot);
  byId("about").textContent = state.about;
  await fromAddress();
  for (const view of boot.views) showModal(view);
  return boot.changes;
}

function wire() {
  byId("menu").append(icon("menu"));
  byId("thread-close").append(icon("close"));
  byId("thread-wide").append(icon("wide"));
  byId("below").append(main.box);
  byId("thread-below").append(inThread.box);
  byId("menu").addEventListener("click", () => document.body.classList.toggle("menu-open"));
  byId("channel").addEventListener("click", (event) => {
    if (!event.target.closest("#menu")) document.body.classList.remove("menu-open");
  });
  byId("thread-close").addEventListener("click", closeThread);
  byId("thread-wide").addEventListener("click", (event) => {
    const wide = byId("frame").classList.toggle("thread-is-wide");
    event.currentTarget.setAttribute("aria-pressed", String(wide));
  });
  window.addEventListener("popstate", fromAddress);
  window.addEventListener("hashchange", fromAddress);
  watch(byId("scroller"));
  watch(byId("thread-scroller"));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !document.querySelector("dialog[open]")) closeThread();
  });
}

connect({ go, openThread, say: main.say });
wire();
const seen = await start();
follow(seen, onChange, (connected) => { byId("connection").hidden = connected; });
document.body.dataset.ready = "true";
