// The table block as a real table: the first row is the head, columns align as they are told to.

import { el } from "./dom.js";
import { richText } from "./mrkdwn.js";

function cell(tag, content, setting, extra = {}) {
  const classes = [`align-${setting?.align ?? "left"}`, setting?.is_wrapped ? "wrapped" : ""];
  const inner = content.type === "rich_text" ? richText(content) : content.text;
  return el(tag, { class: classes.join(" ").trim(), dir: "auto", ...extra }, inner);
}

export function table(block) {
  const settings = block.column_settings ?? [];
  const [head, ...rows] = block.rows;
  const headRow = el("tr", {}, head.map((each, column) => cell("th", each, settings[column], { scope: "col" })));
  const body = rows.map((row) => el("tr", {}, row.map((each, column) => cell("td", each, settings[column]))));
  const grid = el("table", { testid: "table" }, el("thead", {}, headRow), el("tbody", {}, body));
  return el("div", { class: "table-scroll", tabindex: "0", role: "region", "aria-label": "Table" }, grid);
}
