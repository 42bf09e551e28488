// Calls to the workspace, as the person at this browser: the session cookie says who.

export class Refused extends Error {
  constructor(answer) {
    super(answer.error);
    this.code = answer.error;
    this.messages = answer.response_metadata?.messages ?? [];
  }
}

export async function call(method, args = {}) {
  const answer = await fetch(`/api/${method}`, {
    method: "POST",
    headers: { "Content-Type": "application/json; charset=utf-8" },
    body: JSON.stringify(args),
    credentials: "same-origin",
  });
  const body = await answer.json();
  if (!body.ok) throw new Refused(body);
  return body;
}

const WORDS = {
  operation_timeout: "the app did not answer within three seconds",
  dispatch_failed: "the app is not connected",
  unknown_command: "no app knows this command",
  is_archived: "the channel is archived",
  user_not_found: "nobody of that name is here",
  msg_too_long: "the message is too long",
  ratelimited: "too many calls, try again in a moment",
};

export function inWords(error) {
  const code = error instanceof Refused ? error.code : "the workspace is out of reach";
  return WORDS[code] ? `${WORDS[code]} (${code})` : code;
}

// Follows the changes. The browser reconnects by itself and says which number it saw last.
export function follow(after, onChange, onState) {
  const source = new EventSource(`/page/changes?after=${after}`);
  source.onmessage = (event) => onChange({ number: Number(event.lastEventId), ...JSON.parse(event.data) });
  source.onopen = () => onState(true);
  source.onerror = () => {
    onState(false);
    if (source.readyState === EventSource.CLOSED) startAnew();
  };
}

// Another run of the workspace answers here: its session is a new one, so the page is loaded anew.
async function startAnew() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const alive = await fetch("/health").then((answer) => answer.ok, () => false);
    if (alive) return location.reload();
  }
}
