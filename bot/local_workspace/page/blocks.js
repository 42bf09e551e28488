// Block Kit as elements. `place` says where the blocks stand: {message} or {view}.

import { byId, el, icon, outside } from "./dom.js";
import { markdown } from "./markdown.js";
import { mrkdwn, richText, textObject, withEmoji } from "./mrkdwn.js";
import { button, choice, feedback, iconAction } from "./actions.js";
import { table } from "./table.js";
import { inputBlock } from "./inputs.js";

export function blocks(list, place) {
  return list.map((block) => (RENDER[block.type] ?? unknown)(block, place));
}

const RENDER = {
  section,
  header: (block) => el("h3", { class: "block-header", dir: "auto" }, withEmoji(block.text.text)),
  divider: () => el("hr", { class: "block-divider" }),
  context,
  actions,
  context_actions: contextActions,
  image,
  markdown: (block) => markdown(block.text),
  rich_text: richText,
  table,
  task_card: taskCard,
  plan,
  input: inputBlock,
};

function unknown(block) {
  return el("p", { class: "block-unknown" }, `[${block.type}]`);
}

function section(block, place) {
  const body = el("div", { class: "section-body" });
  if (block.text) body.append(textObject(block.text));
  if (block.fields) body.append(el("div", { class: "fields" }, block.fields.map(textObject)));
  const accessory = block.accessory && element(block.accessory, block, place);
  return el("div", { class: "block-section" }, body, accessory);
}

function context(block) {
  const shown = block.elements.map((each) =>
    each.type === "image" ? outside(each.image_url ?? "", `[${each.alt_text}]`) : textObject(each));
  return el("div", { class: "block-context" }, shown);
}

export function element(one, block, place) {
  if (one.type === "button") return button(one, block, place);
  if (one.type === "feedback_buttons") return feedback(one, block, place);
  if (one.type === "icon_button") return iconAction(one, block, place);
  if (one.options) return choice(one, block, place);
  if (one.type === "image") return picture(one);
  return unknown(one);
}

function actions(block, place) {
  return el("div", { class: "block-actions" }, block.elements.map((one) => element(one, block, place)));
}

function contextActions(block, place) {
  return el("div", { class: "block-context-actions" }, block.elements.map((one) => element(one, block, place)));
}

// A picture from an uploaded file. A foreign picture is not fetched: it is shown as a link.
function picture(one) {
  const id = one.slack_file && (one.slack_file.id ?? /\/files\/(F[A-Z0-9]+)\//.exec(one.slack_file.url)?.[1]);
  if (!id) return outside(one.image_url ?? "", `[${one.alt_text}]`);
  const source = `/files/${id}/image`;
  const shown = el("img", { src: source, alt: one.alt_text, loading: "lazy", testid: "chart-image" });
  const open = el("button", { class: "picture", type: "button", title: "Enlarge", "aria-label": `Enlarge: ${one.alt_text}` }, shown);
  open.addEventListener("click", () => enlarge(source, one.alt_text));
  return open;
}

function image(block) {
  const title = block.title && el("p", { class: "image-title" }, withEmoji(block.title.text));
  return el("figure", { class: "block-image" }, title, picture(block));
}

export function enlarge(source, alt) {
  const box = byId("lightbox");
  const close = el("button", { class: "icon-button", type: "button", "aria-label": "Close", onclick: () => box.close() }, icon("close"));
  box.replaceChildren(close, el("img", { src: source, alt }), el("p", {}, alt));
  box.onclick = (event) => event.target === box && box.close();
  box.showModal();
}

const MARKS = { pending: "", in_progress: "", complete: "✓", error: "✕" };

function taskCard(block) {
  const mark = el("span", { class: `task-mark ${block.status}`, "aria-label": block.status.replace("_", " "), role: "img" }, MARKS[block.status]);
  const head = el("p", { class: "task-title" }, withEmoji(block.title));
  const body = el("div", { class: "task-body" }, head, block.details && richText(block.details), block.output && richText(block.output));
  for (const source of block.sources ?? []) body.append(el("p", { class: "task-source" }, outside(source.url, source.text)));
  return el("div", { class: "task", testid: "task", data: { status: block.status } }, mark, body);
}

function plan(block) {
  // No count of tasks: more of them may come, so it would promise an end that nobody knows.
  const head = el("summary", {}, el("strong", {}, withEmoji(block.title)));
  return el("details", { class: "plan", open: true, testid: "plan" }, head, (block.tasks ?? []).map(taskCard));
}

export { mrkdwn };
