// What a person types, as Slack stores it: escaped, with @names and #channels as tokens; and back.

import { state, user } from "./store.js";

const WORD = "[\\p{L}\\p{N}_.\\-]+";

export function asSent(text) {
  const escaped = text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  return escaped.replace(new RegExp(`(^|[^\\p{L}\\p{N}_&])([@#])(${WORD})`, "gu"), (whole, before, sign, word) => {
    const [name, id] = sign === "@" ? member(word) : room(word);
    return id ? `${before}<${sign}${id}>${word.slice(name.length)}` : whole;
  });
}

// A name may be followed by a full stop or a hyphen that is not part of it.
function longest(word, known) {
  for (let name = word; name; name = name.slice(0, -1)) {
    const found = known.find((each) => each.name === name.toLowerCase());
    if (found) return [name, found.id];
    if (!/[.\-]$/.test(name)) break;
  }
  return ["", ""];
}

const member = (word) => longest(word, [...state.users.values()]);
const room = (word) => longest(word, [...state.channels.values()].filter((each) => each.name));

export function asTyped(text) {
  return text
    .replace(/<@([A-Z0-9]+)>/g, (_, id) => `@${user(id).name}`)
    .replace(/<#([A-Z0-9]+)>/g, (_, id) => `#${state.channels.get(id)?.name ?? id}`)
    .replace(/<(https?:[^<>|]+)>/g, "$1")
    .replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&");
}
