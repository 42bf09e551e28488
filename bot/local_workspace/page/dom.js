// Building elements. Text only ever becomes a text node: nothing here parses HTML.

const SVG = "http://www.w3.org/2000/svg";

const PATHS = {
  menu: "M4 6h16M4 12h16M4 18h16",
  close: "M6 6l12 12M18 6L6 18",
  send: "M4 12l16-8-5 16-3-7z",
  at: "M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0zm0 0v1.5a2.5 2.5 0 0 0 5 0V12a9 9 0 1 0-4 7.5",
  slash: "M15 5L9 19",
  reply: "M4 5h16v11H11l-5 4v-4H4z",
  smile: "M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM8.5 14.5s1.2 2 3.5 2 3.5-2 3.5-2M9 9.5v.5M15 9.5v.5",
  edit: "M4 20h4L19 9l-4-4L4 16z",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  ask: "M9 9a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400M12 17v.5M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18z",
  link: "M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-5.6-5.6l-1 1M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 5.600 5.600l1-1",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  stop: "M7 7h10v10H7z",
  eye: "M2 12s4-6 10-6 10 6 10 6-4 6-10 6-10-6-10-6zM12 14.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z",
  wide: "M4 8V5h4M20 8V5h-4M4 16v3h4M20 16v3h-4",
  up: "M7 21V11l5-8 1.500 1-1 6H20l-2 11zM7 11H4v10h3",
  down: "M17 3v10l-5 8-1.500-1 1-6H4l2-11zM17 13h3V3h-3",
  shared: "M8 7l5 5-5 5-5-5zM16 7l5 5-5 5-5-5z",
  lock: "M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3",
};

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}

// el("p", {class: "x", onclick: f, data: {ts: "1"}}, "text", child, null)
export function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "data") Object.assign(node.dataset, value);
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "testid") node.dataset.testid = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(3).filter((child) => child !== null && child !== undefined));
  return node;
}

export function byId(id) {
  return document.getElementById(id);
}

export function iconButton(name, label, onclick, more = {}) {
  return el("button", { class: "icon-button", type: "button", "aria-label": label, title: label, onclick, ...more }, icon(name));
}

// A link that leaves the page only when it is clicked, and tells nobody where from.
export function outside(url, ...children) {
  let parsed = null;
  try {
    parsed = new URL(url);
  } catch {
    // Not an address: shown as text.
  }
  if (!parsed || !["http:", "https:", "mailto:"].includes(parsed.protocol)) {
    return el("span", {}, ...children);
  }
  return el("a", { href: parsed.href, target: "_blank", rel: "noopener noreferrer nofollow", title: parsed.href }, ...children);
}
