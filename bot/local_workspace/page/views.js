// Modals, and the app's Home tab.

import { call, inWords } from "./api.js";
import { blocks } from "./blocks.js";
import { byId, el, iconButton } from "./dom.js";
import { valuesOf } from "./inputs.js";
import { withEmoji } from "./mrkdwn.js";

let shown = null;

export function showModal(view) {
  const box = byId("modal");
  shown = view;
  const problem = el("p", { class: "action-error", role: "alert" });
  const form = el("form", { novalidate: false });
  form.append(
    el("header", {}, el("h2", {}, withEmoji(view.title.text)), iconButton("close", "Close", () => box.close())),
    el("div", { class: "modal-body" }, blocks(view.blocks, { view })),
    problem,
    el("div", { class: "modal-foot" },
      el("button", { type: "button", class: "button", onclick: () => box.close() }, view.close?.text ?? "Cancel"),
      view.submit && el("button", { type: "submit", class: "button primary" }, view.submit.text)),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(form, view, problem);
  });
  box.replaceChildren(form);
  box.setAttribute("aria-label", view.title.text);
  if (!box.open) box.showModal();
  box.onclose = () => {
    if (shown) call("workspace.closeView", { view_id: shown.id }).catch(() => {});
    shown = null;
  };
}

async function submit(form, view, problem) {
  const send = form.querySelector("[type=submit]");
  send.setAttribute("aria-busy", "true");
  problem.textContent = "";
  for (const each of form.querySelectorAll(".field-error")) each.textContent = "";
  try {
    const answer = await call("workspace.submitView", { view_id: view.id, values: valuesOf(form, view) });
    if (answer.errors) return showErrors(form, answer.errors);
    if (answer.view) return;
    if (shown?.id !== view.id) return; // the one below is there already
    shown = null;
    byId("modal").close();
  } catch (error) {
    problem.textContent = `Not sent: ${inWords(error)}`;
  } finally {
    send.removeAttribute("aria-busy");
  }
}

function showErrors(form, errors) {
  for (const [block, text] of Object.entries(errors)) {
    const field = form.querySelector(`[data-block="${CSS.escape(block)}"]`);
    const place = field?.closest(".block-input")?.querySelector(".field-error");
    if (place) place.textContent = text;
  }
}

export function drawHome(app) {
  const box = byId("home");
  if (app?.home) return box.replaceChildren(...blocks(app.home.blocks, { view: app.home }));
  box.replaceChildren(el("p", { class: "muted empty" }, "The app has not published its Home tab yet."));
}
