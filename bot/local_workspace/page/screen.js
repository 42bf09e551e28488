// Drawing what the store holds: the channel, the thread, and what stands around them.

import { call } from "./api.js";
import { byId, el } from "./dom.js";
import { drawList } from "./messages.js";
import { drawn } from "./scrolling.js";
import { drawSidebar } from "./sidebar.js";
import { statusLine } from "./status.js";
import * as store from "./store.js";
import { drawHome } from "./views.js";

const { state } = store;

// Given by main.js: {go, openThread, say}
const doors = {};

export function connect(given) {
  Object.assign(doors, given);
}

export function drawChannel(force = false) {
  const one = store.channel(state.here.channel);
  if (!one) return;
  const app = store.appOf(one.user);
  byId("channel-name").textContent = store.titleOf(one);
  byId("channel-topic").textContent = topicOf(one, app);
  byId("members").textContent = one.num_members ? `${one.num_members} members` : "";
  drawTabs(app);
  const home = state.here.tab === "home";
  byId("home").hidden = !home;
  byId("scroller").hidden = byId("below").hidden = home;
  if (home) return drawHome(app);
  drawClosed(one);
  drawn(byId("scroller"), force, () => {
    const list = store.rootsOf(one.id);
    drawList(byId("messages"), list, { openThread: doors.openThread, unreadAfter: state.here.unreadAfter });
    if (!list.length) byId("messages").replaceChildren(welcome(one));
  });
  drawPrompts(one);
}

function topicOf(one, app) {
  if (one.is_archived) return "Archived: to be read, and no more to be written in";
  if (one.is_mpim) return "Group message";
  if (one.is_im) return app ? "App" : store.user(one.user).profile.title;
  const others = store.sharedWith(one);
  return [others && `Shared with ${others}`, one.topic.value].filter(Boolean).join(" · ");
}

// Where nothing can be written there is a way to be let write: to open the channel, or to join it.
function drawClosed(one) {
  const why = closed(one);
  for (const box of [byId("below"), byId("thread-below")]) box.querySelector(".composer").hidden = Boolean(why);
  const there = byId("below").querySelector(".closed");
  const [words, label, testid, open] = why ?? [];
  if (why && there?.dataset.of === one.id + testid) return; // a button under the pointer stays
  there?.remove();
  if (why) byId("below").append(el("div", { class: "closed muted", data: { of: one.id + testid } }, `${words} `, el("button", { type: "button", class: "button", testid, onclick: open }, label)));
}

function closed(one) {
  if (one.is_archived) return ["This channel is archived.", "Open it again", "unarchive", () => call("conversations.unarchive", { channel: one.id }).catch(() => {})];
  if (!store.isJoined(one)) return [`You are not in ${store.titleOf(one)}.`, "Join", "join", () => join(one)];
  return null;
}

async function join(one) {
  await call("conversations.join", { channel: one.id }).catch(() => {});
  // What was written between the look and the joining was told to the members alone.
  doors.go(one.id);
}

// What an empty conversation says: who is there to be asked, and how.
function welcome(one) {
  const app = state.apps.find((each) => one.members.includes(each.bot_user));
  const box = el("div", { class: "welcome", data: { key: "welcome" } }, el("p", { class: "welcome-title" }, store.titleOf(one)));
  if (!app || !store.isJoined(one)) return el("div", { class: "welcome" }, el("p", { class: "welcome-title" }, store.titleOf(one)), el("p", { class: "muted" }, "Nothing has been said here yet."));
  const command = app.commands[0]?.command;
  const how = one.is_im ? "Write your question below. The answer comes in a thread." : `Write @${app.name} and your question${command ? `, or ${command}` : ""}. The answer comes in a thread.`;
  box.append(el("p", { class: "muted" }, how));
  if (!one.is_im && app.prompts.length) {
    box.append(el("div", { class: "prompts" }, app.prompts.map((each) => el("button", { type: "button", class: "button", testid: "prompt", onclick: () => doors.say(`@${app.name} ${each.message}`) }, each.title))));
  }
  return box;
}

function drawTabs(app) {
  const tabs = byId("tabs");
  tabs.hidden = !app?.home_tab;
  if (tabs.hidden) return;
  tabs.replaceChildren(...["messages", "home"].map((tab) => el("button", {
    type: "button", role: "tab", "aria-selected": String(state.here.tab === tab), testid: `tab-${tab}`,
    onclick: () => openTab(app, tab),
  }, tab === "home" ? "Home" : "Messages")));
}

function openTab(app, tab) {
  state.here.tab = tab;
  call("workspace.openAppHome", { app: app.id, tab }).catch(() => {});
  drawChannel(true);
}

function drawPrompts(one) {
  const prompts = store.promptsOf(one.id);
  const row = prompts.length ? el("div", { class: "prompts", "aria-label": "Suggestions" }, prompts.map((each) => el("button", { type: "button", class: "button", testid: "prompt", onclick: () => doors.say(each.message) }, each.title))) : null;
  const below = byId("below");
  below.querySelector(".prompts")?.remove();
  if (row) below.prepend(row);
}

export function drawThread(force = false) {
  const { channel, thread } = state.here;
  byId("thread").hidden = !thread;
  byId("frame").classList.toggle("with-thread", Boolean(thread));
  if (!thread) return;
  const one = store.channel(channel);
  byId("thread-where").textContent = store.titleOf(one);
  drawn(byId("thread-scroller"), force, () => {
    drawList(byId("thread-messages"), store.threadOf(channel, thread), { thread: true, openThread: doors.openThread });
    drawStatus();
  });
}

function drawStatus() {
  const { channel, thread } = state.here;
  const below = byId("thread-below");
  below.querySelector(".status")?.remove();
  const line = thread && statusLine(channel, thread);
  if (line) below.prepend(line);
}

export function drawChannels() {
  drawSidebar((id) => doors.go(id));
}

export function drawAll(force = false) {
  drawChannels();
  drawChannel(force);
  drawThread(force);
}
