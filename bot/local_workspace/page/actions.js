// Buttons and menus inside messages and views: a click goes to the app and waits for its answer.

import { call, inWords } from "./api.js";
import { byId, el, icon } from "./dom.js";
import { textObject, withEmoji } from "./mrkdwn.js";
import { outside } from "./dom.js";
import { state } from "./store.js";

async function send(node, one, block, place, value) {
  const target = place.view
    ? { view_id: place.view.id }
    : { channel: place.message.channel, ts: place.message.ts };
  node.setAttribute("aria-busy", "true");
  node.parentElement.querySelector(".action-error")?.remove();
  try {
    await call("workspace.clickButton", { ...target, action_id: one.action_id, block_id: block.block_id, value });
    return true;
  } catch (error) {
    node.after(el("span", { class: "action-error", role: "alert" }, `Not done: ${inWords(error)}`));
    return false;
  } finally {
    node.removeAttribute("aria-busy");
  }
}

function visible(one) {
  return !one.visible_to_user_ids || one.visible_to_user_ids.includes(state.me);
}

export function button(one, block, place) {
  if (!visible(one)) return null;
  const node = el("button", {
    type: "button",
    class: `button ${one.style ?? ""}`,
    "aria-label": one.accessibility_label,
    testid: "action",
    data: { action: one.action_id ?? "" },
  }, withEmoji(one.text.text));
  node.addEventListener("click", async () => {
    if (node.getAttribute("aria-busy")) return;
    if (one.confirm && !(await confirmed(one.confirm))) return;
    if (one.url) outside(one.url).click();
    if (one.action_id) send(node, one, block, place);
  });
  return node;
}

export function iconAction(one, block, place) {
  if (!visible(one)) return null;
  const name = one.icon === "trash" ? "trash" : "slash";
  const label = one.accessibility_label ?? one.text.text;
  const node = el("button", { type: "button", class: "icon-button", "aria-label": label, title: label, testid: "action" }, icon(name));
  node.addEventListener("click", async () => {
    if (one.confirm && !(await confirmed(one.confirm))) return;
    send(node, one, block, place);
  });
  return node;
}

export function feedback(one, block, place) {
  const box = el("span", { class: "feedback", role: "group", "aria-label": "Feedback" });
  for (const [side, name] of [["positive_button", "up"], ["negative_button", "down"]]) {
    const vote = one[side];
    const label = vote.accessibility_label ?? vote.text.text;
    const node = el("button", { type: "button", class: "icon-button vote", "aria-label": label, title: vote.text.text, "aria-pressed": "false", testid: `feedback-${name}` }, icon(name));
    node.addEventListener("click", async () => {
      if (!(await send(node, one, block, place, vote.value))) return;
      for (const each of box.querySelectorAll(".vote")) each.setAttribute("aria-pressed", String(each === node));
    });
    box.append(node);
  }
  return box;
}

export function choice(one, block, place) {
  const options = one.options.map((each) => el("option", { value: each.value }, each.text.text));
  const hint = one.placeholder?.text ?? "Choose…";
  const node = el("select", { class: "select", "aria-label": hint }, el("option", { value: "", disabled: true, selected: true }, hint), options);
  node.addEventListener("change", () => send(node, one, block, place, node.value));
  return node;
}

// Asks before something is done; true when the person agrees.
export function confirmed({ title, text, confirm, deny, style }) {
  const box = byId("ask");
  const yes = el("button", { type: "submit", class: `button ${style ?? "primary"}`, value: "yes" }, confirm.text);
  const no = el("button", { type: "submit", class: "button", value: "no" }, deny.text);
  box.replaceChildren(el("form", { method: "dialog" }, el("h2", {}, title.text), textObject(text), el("div", { class: "modal-foot" }, no, yes)));
  box.returnValue = "no";
  box.showModal();
  return new Promise((resolve) => box.addEventListener("close", () => resolve(box.returnValue === "yes"), { once: true }));
}
