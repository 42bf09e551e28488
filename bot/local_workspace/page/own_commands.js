// Commands of the workspace itself, as Slack's client has them: they reach no app.

import { call } from "./api.js";
import { asSent } from "./outgoing.js";

export const OWN = [
  { command: "/invite", usage_hint: "@someone", description: "Let somebody into this channel" },
  { command: "/remove", usage_hint: "@someone", description: "Put somebody out of this channel" },
  { command: "/leave", usage_hint: "", description: "Leave this channel" },
  { command: "/archive", usage_hint: "", description: "Close this channel" },
  { command: "/dm", usage_hint: "@someone @another", description: "Write to one person, or to several together" },
];

const DO = {
  "/invite": (channel, people) => call("conversations.invite", { channel, users: people.join(",") }),
  "/remove": (channel, [user]) => call("conversations.kick", { channel, user }),
  "/leave": (channel) => call("conversations.leave", { channel }),
  "/archive": (channel) => call("conversations.archive", { channel }),
  "/dm": (_, people) => call("conversations.open", { users: people.join(",") }),
};

// Runs one; {go: channel} where the person is to be taken. Null: it is an app's.
export async function ownCommand(name, text, channel) {
  if (!DO[name]) return null;
  const people = [...asSent(text).matchAll(/<@([A-Z0-9]+)>/g)].map((each) => each[1]);
  const answer = await DO[name](channel, people);
  return { go: name === "/dm" ? answer.channel.id : null };
}
