// Input blocks of a modal, and reading what was put into them.

import { el } from "./dom.js";
import { textObject, withEmoji } from "./mrkdwn.js";
import { state } from "./store.js";

export function inputBlock(block) {
  const { element } = block;
  const id = `input-${block.block_id}`;
  const field = (FIELDS[element.type] ?? plainText)(element, id);
  field.dataset.block = block.block_id;
  field.dataset.action = element.action_id ?? "";
  field.dataset.kind = element.type;
  if (!block.optional && "required" in field) field.required = true;
  const label = el("label", { for: id }, withEmoji(block.label.text), block.optional && el("span", { class: "muted" }, " (optional)"));
  return el("div", { class: "block-input" }, label, field, block.hint && el("p", { class: "muted" }, textObject(block.hint)), el("p", { class: "field-error", role: "alert" }));
}

function plainText(element, id) {
  const shared = { id, placeholder: element.placeholder?.text, maxlength: element.max_length, minlength: element.min_length };
  const field = element.multiline ? el("textarea", { rows: 4, ...shared }) : el("input", { type: "text", ...shared });
  field.value = element.initial_value ?? "";
  return field;
}

function numberInput(element, id) {
  const step = element.is_decimal_allowed ? "any" : "1";
  const field = el("input", { type: "number", id, step, min: element.min_value, max: element.max_value });
  field.value = element.initial_value ?? "";
  return field;
}

function select(element, id) {
  const groups = element.option_groups ?? [{ options: element.options ?? [] }];
  const options = groups.flatMap((group) => group.options);
  return pick(id, options.map((each) => [each.value, each.text.text]), element.initial_option?.value, element.type.startsWith("multi"));
}

function pick(id, pairs, chosen, multiple = false) {
  const empty = multiple ? null : el("option", { value: "" }, "—");
  const field = el("select", { id, multiple }, empty, pairs.map(([value, text]) => el("option", { value, selected: value === chosen }, text)));
  return field;
}

function boxes(type) {
  return (element, id) => {
    const initial = [...(element.initial_options ?? []), element.initial_option].filter(Boolean).map((each) => each.value);
    const rows = element.options.map((each) =>
      el("label", { class: "option" }, el("input", { type, name: id, value: each.value, checked: initial.includes(each.value) }), " ", withEmoji(each.text.text),
        each.description ? el("span", { class: "about" }, withEmoji(each.description.text)) : ""));
    return el("div", { id, role: "group" }, rows);
  };
}

const FIELDS = {
  plain_text_input: plainText,
  number_input: numberInput,
  static_select: select,
  multi_static_select: select,
  datepicker: (element, id) => el("input", { type: "date", id, value: element.initial_date }),
  users_select: (element, id) => pick(id, [...state.users.values()].map((each) => [each.id, each.real_name]), element.initial_user),
  channels_select: (element, id) => pick(id, [...state.channels.values()].filter((each) => each.is_channel).map((each) => [each.id, `#${each.name}`]), element.initial_channel),
  checkboxes: boxes("checkbox"),
  radio_buttons: boxes("radio"),
};

// Slack's state: block_id -> action_id -> {type, value or what was selected}
export function valuesOf(form, view) {
  const values = {};
  for (const field of form.querySelectorAll("[data-block]")) {
    const block = view.blocks.find((each) => each.block_id === field.dataset.block);
    values[field.dataset.block] = { [field.dataset.action]: { type: field.dataset.kind, ...read(field, block.element) } };
  }
  return values;
}

function read(field, element) {
  const options = element.options ?? element.option_groups?.flatMap((group) => group.options) ?? [];
  const option = (value) => options.find((each) => each.value === value) ?? null;
  switch (field.dataset.kind) {
    case "static_select": return { selected_option: option(field.value) };
    case "multi_static_select": return { selected_options: [...field.selectedOptions].map((each) => option(each.value)) };
    case "radio_buttons": return { selected_option: option(field.querySelector(":checked")?.value) };
    case "checkboxes": return { selected_options: [...field.querySelectorAll(":checked")].map((each) => option(each.value)) };
    case "datepicker": return { selected_date: field.value || null };
    case "users_select": return { selected_user: field.value || null };
    case "channels_select": return { selected_channel: field.value || null };
    default: return { value: field.value || null };
  }
}
