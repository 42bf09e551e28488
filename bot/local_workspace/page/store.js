// What the page knows: members, channels, messages, status lines. No elements here.

export const state = {
  me: "",
  about: "",
  team: { name: "" },
  teams: [], // every workspace behind this server
  users: new Map(),
  channels: new Map(),
  apps: [],
  sessions: new Map(),
  prompts: new Map(),
  roots: new Map(), // channel -> Map(ts -> message)
  threads: new Map(), // channel/root -> Map(ts -> message)
  notices: [], // what only this page says: {channel, thread, text, ts}
  hidden: new Set(), // ephemeral messages dismissed here
  read: new Map(), // channel -> ts
  here: { channel: "", thread: "", tab: "messages", unreadAfter: "" },
};

const key = (channel, thread) => `${channel}/${thread}`;

export function user(id) {
  return state.users.get(id) ?? { id, name: id, real_name: id, profile: {} };
}

export function channel(id) {
  return state.channels.get(id);
}

export function displayName(id) {
  const member = user(id);
  return member.is_bot ? member.name : member.real_name || member.name;
}

// The other organisation that somebody is of; nothing for one's own people.
export function outsideOf(userId) {
  const { team_id: id } = user(userId);
  return !id || id === state.team.id ? "" : (teamName(id) || "External");
}

// What somebody may more or less than a full member, in a word.
export function roleOf(userId) {
  const member = user(userId);
  if (member.is_stranger || outsideOf(userId)) return "other organisation";
  if (member.is_ultra_restricted) return "guest of one channel";
  if (member.is_restricted) return "guest";
  if (member.is_owner) return "owner";
  return member.is_admin ? "administrator" : "";
}

export function teamName(id) {
  return state.teams.find((each) => each.id === id)?.name ?? "";
}

export function channelName(one) {
  if (one.is_mpim) return one.members.filter((each) => each !== state.me).map(displayName).join(", ");
  return one.is_im ? displayName(one.user) : one.name;
}

export const isDirect = (one) => one.is_im || one.is_mpim;

// A public channel can be looked into by who is not in it.
export const isJoined = (one) => isDirect(one) || one.members.includes(state.me);

// With whom a channel is shared; "" where it is not.
export function sharedWith(one) {
  if (!one.is_ext_shared) return "";
  const others = (one.connected_team_ids ?? []).map(teamName).filter(Boolean);
  return others.join(", ") || "another organisation";
}

// What stands over a conversation: a channel's name has a #.
export function titleOf(one) {
  return isDirect(one) ? channelName(one) : `#${one.name}`;
}

export function appOf(userId) {
  return state.apps.find((app) => app.bot_user === userId);
}

export function takeBoot(boot) {
  Object.assign(state, { me: boot.me, about: boot.about, team: boot.team, teams: boot.teams, apps: boot.apps });
  state.users = new Map(boot.users.map((each) => [each.id, each]));
  state.channels = new Map(boot.channels.map((each) => [each.id, each]));
  state.sessions = new Map(boot.sessions.map((each) => [key(each.channel, each.thread_ts), each]));
  state.prompts = new Map(boot.prompts.map((each) => [key(each.channel, each.thread_ts), each]));
  for (const each of boot.channels) {
    if (!state.read.has(each.id)) state.read.set(each.id, each.latest || "0");
  }
}

export function takeMessages(channelId, thread, messages) {
  const map = new Map(messages.map((each) => [each.ts, each]));
  if (thread) state.threads.set(key(channelId, thread), map);
  else state.roots.set(channelId, map);
}

export function rootsOf(channelId) {
  return sorted(state.roots.get(channelId), (each) => each.channel === channelId && !each.thread, channelId, "");
}

export function threadOf(channelId, thread) {
  return sorted(state.threads.get(key(channelId, thread)), (each) => each.thread === thread, channelId, thread);
}

function sorted(map, wanted, channelId) {
  const notices = state.notices.filter((each) => each.channel === channelId && wanted(each));
  const shown = [...(map?.values() ?? []), ...notices].filter((each) => !state.hidden.has(each.ts));
  return shown.sort((a, b) => (a.ts < b.ts ? -1 : 1));
}

export function isReply(message) {
  return Boolean(message.thread_ts) && message.thread_ts !== message.ts;
}

export function takeMessage(message) {
  if (isReply(message)) {
    state.threads.get(key(message.channel, message.thread_ts))?.set(message.ts, message);
    if (!message.broadcast) return;
  } else {
    state.threads.get(key(message.channel, message.ts))?.set(message.ts, message);
  }
  state.roots.get(message.channel)?.set(message.ts, message);
}

export function dropMessage({ channel: channelId, ts, thread_ts: thread }) {
  state.roots.get(channelId)?.delete(ts);
  state.threads.get(key(channelId, thread || ts))?.delete(ts);
}

export function takeSession(session) {
  state.sessions.set(key(session.channel, session.thread_ts), session);
}

export function sessionOf(channelId, thread) {
  const found = state.sessions.get(key(channelId, thread));
  return found && found.status ? found : null;
}

export function promptsOf(channelId) {
  const own = state.prompts.get(key(channelId, ""));
  if (own) return own.prompts;
  const one = channel(channelId);
  return one?.is_im ? (appOf(one.user)?.prompts ?? []) : [];
}

// `action`: {label, run}, what the person can do about it.
export function notice(channelId, thread, text, action = null) {
  const ts = (Date.now() / 1000).toFixed(6);
  state.notices.push({ channel: channelId, thread, text, ts, action, notice: true });
}

export function markRead(channelId) {
  const now = (Date.now() / 1000).toFixed(6);
  const newest = [...(state.roots.get(channelId)?.keys() ?? []), now].sort().at(-1);
  state.read.set(channelId, newest);
  const one = channel(channelId);
  if (one) one.unread = 0;
}
