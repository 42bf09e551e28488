// "db-agent is thinking…": the status line of a thread, its loading messages, and the stop button.

import { call } from "./api.js";
import { el, icon } from "./dom.js";
import { displayName, sessionOf } from "./store.js";

const TURN_MS = 2500;

export function statusLine(channelId, thread) {
  const session = sessionOf(channelId, thread);
  if (!session) return null;
  const words = el("span", {}, `${displayName(session.user)} ${session.status}`);
  const steps = session.loading_messages ?? [];
  const step = el("span", { class: "muted step" }, steps[0] ?? "");
  if (steps.length > 1) rotate(step, steps);
  const stop = session.can_stop && el("button", {
    type: "button", class: "button small", testid: "stop",
    onclick: () => call("workspace.stopSession", { channel: channelId, thread_ts: thread, app: session.app }).catch(() => {}),
  }, icon("stop"), " Stop");
  return el("div", { class: "status", role: "status", testid: "status" }, el("span", { class: "dots" }), words, step, stop || null);
}

function rotate(node, steps) {
  let at = 0;
  const timer = setInterval(() => {
    if (!node.isConnected) return clearInterval(timer);
    at = (at + 1) % steps.length;
    node.textContent = steps[at];
  }, TURN_MS);
}
