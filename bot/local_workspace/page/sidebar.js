// Channels, people and apps; what is unread is bold.

import { byId, el, icon } from "./dom.js";
import { avatar } from "./messages.js";
import { appOf, channelName, displayName, isDirect, isJoined, roleOf, sharedWith, state } from "./store.js";
import { zone } from "./times.js";

export function drawSidebar(open) {
  const all = [...state.channels.values()];
  const groups = [
    ["Channels", all.filter((each) => !isDirect(each))],
    ["Apps", all.filter((each) => each.is_im && appOf(each.user))],
    ["Direct messages", all.filter((each) => isDirect(each) && !appOf(each.user))],
  ];
  byId("sidebar").replaceChildren(
    el("header", { class: "team" }, team(), person()),
    ...groups.filter(([, list]) => list.length).map(([title, list]) =>
      el("section", {}, el("h2", {}, title), el("ul", {}, list.map((each) => row(each, open))))));
}

// Which workspace the page shows: a choice only where there are several.
function team() {
  if (state.teams.length < 2) return el("strong", {}, state.team.name);
  const options = state.teams.map((each) => el("option", { value: each.id, selected: each.id === state.team.id }, each.name));
  return el("select", { class: "team-pick", testid: "team", "aria-label": "Workspace", onchange: (event) => location.assign(`/?team=${event.currentTarget.value}`) }, options);
}

// Whom the page shows: anybody here may be played, so that two people can talk.
function person() {
  const others = [...state.users.values()].filter((each) => !each.is_bot && !each.deleted && !each.elsewhere);
  const options = others.map((each) => el("option", { value: each.name, selected: each.id === state.me }, [displayName(each.id), roleOf(each.id) && `(${roleOf(each.id)})`].filter(Boolean).join(" ")));
  const pick = el("select", { testid: "person", onchange: (event) => location.assign(`/?${state.teams.length > 1 ? `team=${state.team.id}&` : ""}as=${encodeURIComponent(event.currentTarget.value)}`) }, options);
  const times = el("p", { class: "zone", testid: "zone" }, `Times in ${zone()}`);
  return [el("label", {}, "Seen as ", pick), times];
}

function shared(one) {
  const others = sharedWith(one);
  return others ? el("span", { class: "sign", title: `Shared with ${others}`, role: "img", "aria-label": `Shared with ${others}`, testid: "shared" }, icon("shared")) : null;
}

function row(one, open) {
  const here = state.here.channel === one.id;
  const unread = one.unread ?? 0;
  const shown = one.is_mpim ? one.members.find((each) => each !== state.me && !appOf(each)) : one.user;
  const sign = isDirect(one) ? avatar(shown) : el("span", { class: "sign", "aria-hidden": "true" }, one.is_private ? icon("lock") : "#");
  const count = one.mentions ? el("span", { class: "count" }, String(one.mentions)) : null;
  const link = el("a", {
    href: `/#${one.id}`,
    class: ["channel-link", here ? "here" : "", one.is_archived || !isJoined(one) ? "archived" : "", unread && !here ? "unread" : ""].join(" "),
    "aria-current": here ? "page" : null,
    testid: "channel-link",
    data: { channel: one.id, name: channelName(one) },
  }, sign, el("span", { class: "name" }, channelName(one)), shared(one), unread && !here ? el("span", { class: "visually-hidden" }, `${unread} unread`) : null, count);
  link.addEventListener("click", (event) => {
    if (event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    open(one.id);
  });
  return el("li", {}, link);
}
