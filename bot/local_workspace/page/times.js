// Times, as they are for whom the page is seen as: in their time zone, not in the browser's.

import { state, user } from "./store.js";

const LANGUAGE = "en-GB";
const DAY_MS = 86_400_000;
const SHAPES = {
  time: { hour: "2-digit", minute: "2-digit" },
  day: { weekday: "long", day: "numeric", month: "long" },
  full: { dateStyle: "full", timeStyle: "long" },
  number: { year: "numeric", month: "2-digit", day: "2-digit" },
  short: { day: "numeric", month: "short", year: "numeric" },
  plain: { day: "numeric", month: "long", year: "numeric" },
  long: { weekday: "long", day: "numeric", month: "long", year: "numeric" },
  seconds: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
};
const made = new Map();

// The zone by its name; the browser's where the member has none that is known.
export function zone() {
  const { tz } = user(state.me);
  return tz && shaped("time", tz) ? tz : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function shaped(shape, timeZone) {
  const key = `${shape} ${timeZone}`;
  if (!made.has(key)) {
    try {
      made.set(key, new Intl.DateTimeFormat(LANGUAGE, { ...SHAPES[shape], timeZone }));
    } catch {
      made.set(key, null); // no such zone
    }
  }
  return made.get(key);
}

const format = (shape, when) => shaped(shape, zone()).format(when);

export const timeOf = (ts) => new Date(Number(ts) * 1000);
export const clock = (ts) => format("time", timeOf(ts));
export const fully = (ts) => format("full", timeOf(ts));
export const dateOf = (ts) => format("number", timeOf(ts));

// "Today", "Yesterday", or the day by its name.
export function dayName(ts) {
  return near(timeOf(ts)) ?? format("day", timeOf(ts));
}

function near(when) {
  const day = format("number", when);
  const days = { Today: 0, Yesterday: -1, Tomorrow: 1 };
  return Object.keys(days).find((name) => format("number", new Date(Date.now() + days[name] * DAY_MS)) === day) ?? null;
}

const TOKENS = {
  date_num: (when) => format("number", when).split("/").reverse().join("-"),
  date: (when) => format("plain", when),
  date_short: (when) => format("short", when),
  date_long: (when) => format("long", when),
  time: (when) => format("time", when),
  time_secs: (when) => format("seconds", when),
};

// What Slack makes of <!date^1700000000^{date_short} at {time}|…>: each reader's own time.
export function dated(ts, pattern) {
  const when = timeOf(ts);
  if (Number.isNaN(when.getTime())) return null;
  return pattern.replace(/\{(\w+?)(_pretty)?\}/g, (whole, name, pretty) => {
    const write = TOKENS[name];
    if (!write) return whole;
    return (pretty && near(when)?.toLowerCase()) || write(when);
  });
}
