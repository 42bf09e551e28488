"""Two hundred mentions at once: how soon each envelope is acknowledged, and what comes of them.

Run by name: `make bench-slack`. The workspace, the bot with its PostgreSQL, and the people are
three processes. While the crowd asks, others click “Show SQL” and use the command. The agent is a
stand-in that answers at once; with `--agent offline` it is the real one, over the demo database.
Slack's own limits are off: with one post a second and channel there would be nothing to measure.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import psutil
from slack_sdk import WebClient

sys.path.insert(0, str(Path(__file__).parents[1] / "bot"))

from crowd.processes import serve_workspace, started

CHANNELS = ("data", "general", "helpdesk")
PEOPLE = 10
PATIENCE_S = 300.0
BETWEEN_CLICKS_S = 0.05
QUESTION = {
    "stand-in": "how many films, question {number}?",
    "offline": "how many films are longer than {number} minutes?",
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench-slack", description=__doc__)
    parser.add_argument("--mentions", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--within", type=float, default=0.0, help="seconds that they come in")
    parser.add_argument("--workers", type=int, default=8, help="questions worked on at once")
    parser.add_argument("--agent", choices=sorted(QUESTION), default="stand-in")
    options = parser.parse_args()
    with started(serve_workspace, {}) as (_, place), started(serve_bot, place, options) as bot:
        crowd = Crowd(place, *bot, QUESTION[options.agent])
        crowd.round(10, 0.0)  # connections, caches, prepared statements
        rounds = []
        for number in range(1, options.rounds + 1):
            rounds.append(crowd.round(options.mentions, options.within))
            print(f"round {number}: {rounds[-1]}", flush=True)
    p99 = sorted(each.p99 for each in rounds)
    print(f"{options.mentions} mentions; p99 of all their envelopes, of {len(rounds)} rounds:")
    print(f"  best {p99[0]:.0f} ms, median {statistics.median(p99):.0f} ms, worst {p99[-1]:.0f} ms")
    grown = ", ".join(f"{each.grown_mb:+.0f}" for each in rounds)
    print(
        f"  memory of the bot: {rounds[0].rss_mb:.0f} MB after the first; each grew it by {grown}"
    )


def serve_bot(pipe: Connection, place: dict[str, Any], options: argparse.Namespace) -> None:
    from agent.database.demo import demo_database
    from bot.app import SlackBot
    from bot.settings import read_settings
    from bot.store import Store

    settings = read_settings(
        slack_bot_token=place["bot_token"],
        slack_app_token=place["app_token"],
        slack_url=place["api_url"],
        workers=options.workers,
        _env_file=None,
    )
    with contextlib.ExitStack() as stack:
        bin_dir = os.environ.get("PG_BIN")
        demo = stack.enter_context(demo_database(bin_dir=Path(bin_dir) if bin_dir else None))
        store = Store(demo.store_url)
        store.open()
        stack.callback(store.close)
        bot = SlackBot(settings, agent=answering(options.agent, demo.url, stack), store=store)
        bot.start()
        stack.callback(bot.stop, 2.0)
        pipe.send(os.getpid())
        while pipe.recv() is not None:
            pipe.send(bot.unfinished)


def answering(agent: str, url: str, stack: contextlib.ExitStack) -> Any:
    if agent == "stand-in":
        from crowd.answering import StandIn

        return StandIn()
    from agent.run import make_agent
    from agent.settings import AgentSettings

    return stack.enter_context(make_agent(AgentSettings(_env_file=None, model="offline"), url))


@dataclass(frozen=True)
class Round:
    """What came of one crowd. Times are in milliseconds."""

    posted_s: float
    answered_s: float
    mentions: Sequence[float]
    others: Sequence[float]
    clicks: Sequence[float]
    rss_mb: float
    grown_mb: float

    @property
    def p99(self) -> float:
        return percentile([*self.mentions, *self.others], 99)

    def __str__(self) -> str:
        rows = {
            "what people wrote": self.mentions,
            "what the bot wrote": self.others,
            "clicks and commands": self.clicks,
        }
        lines = [
            f"  {name:20} {len(times):5} acknowledged; p50 {percentile(times, 50):5.0f} ms, "
            f"p99 {percentile(times, 99):5.0f} ms, max {max(times):5.0f} ms"
            for name, times in rows.items()
        ]
        head = f"written in {self.posted_s:.2f} s, all answered once after {self.answered_s:.1f} s"
        return "\n".join([head, *lines])


def percentile(times: Sequence[float], percent: int) -> float:
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


@dataclass
class Crowd:
    """People who ask all at once, and see to it that each is answered once."""

    place: dict[str, Any]
    bot: Connection
    bot_pid: int
    question: str
    people: list[str] = field(init=False)
    asked: int = 0

    def __post_init__(self) -> None:
        token = self.place["user_tokens"]["you"]
        self.you = WebClient(token, base_url=self.place["api_url"], timeout=120)
        names = [f"person{number}" for number in range(PEOPLE)]
        added = [self.lab("addUser", name=name) for name in names]
        self.people = [each["user"]["id"] for each in added]

    def lab(self, method: str, **given: Any) -> Any:
        return self.you.api_call(f"workspace.{method}", json=given)

    def round(self, mentions: int, within_s: float) -> Round:
        rss, before = self.rss_mb(), {row["envelope_id"] for row in self.envelopes()}
        posts = [self.post(number) for number in range(mentions)]
        clicks: list[float] = []
        over = threading.Event()
        clicking = threading.Thread(target=self.click, args=(clicks, over))
        if self.asked > mentions:  # there is a card to click on
            clicking.start()
        began = time.monotonic()
        written = self.lab("postMany", posts=posts, within_s=within_s)["ts"]
        posted_s = time.monotonic() - began
        self.wait_until_answered()
        answered_s = time.monotonic() - began
        over.set()
        if clicking.ident:
            clicking.join()
        self.card = self.check(posts, written)
        rows = self.settled(before)
        mentioned = [row for row in rows if is_of_people(row, self.people)]
        others = [row for row in rows if not is_of_people(row, self.people)]
        now = self.rss_mb()
        return Round(
            posted_s,
            answered_s,
            ack_times(mentioned),
            ack_times(others) or [0.0],
            clicks or [0.0],
            now,
            now - rss,
        )

    def post(self, number: int) -> dict[str, str]:
        self.asked += 1
        channel = self.place["channels"][CHANNELS[number % len(CHANNELS)]]
        text = f"<@{self.place['bot_user_id']}> {self.question.format(number=self.asked)}"
        return {"user": self.people[number % PEOPLE], "channel": channel, "text": text}

    def wait_until_answered(self) -> None:
        until, quiet = time.monotonic() + PATIENCE_S, 0
        while quiet < 3:  # a mention that is on its way is not known to the bot yet
            self.bot.send("unfinished")
            quiet = quiet + 1 if self.bot.recv() == 0 else 0
            if time.monotonic() > until:
                sys.exit("not every question was answered")
            time.sleep(0.05)

    def check(self, posts: Sequence[dict[str, str]], written: Sequence[str]) -> dict[str, str]:
        """See to it that every question has one answer of the bot's, and not another's."""
        card: dict[str, str] = {}
        for post, ts in zip(posts, written, strict=True):
            where = {"channel": post["channel"], "thread_ts": ts}
            found = self.lab("messages", **where)["messages"]
            ours = [each for each in found if each["user"] == self.place["bot_user_id"]]
            words = post["text"].partition(" ")[2]
            if len(ours) != 1 or ours[0]["text"].startswith("Working on it"):
                sys.exit(f"{len(ours)} messages to one question: {words}: {ours}")
            if self.question.startswith("how many films, ") and words not in ours[0]["text"]:
                sys.exit(f"another question was answered than {words}")
            card = {"channel": post["channel"], "ts": ours[0]["ts"]}
        return card

    def click(self, times: list[float], over: threading.Event) -> None:
        command = {"channel": self.place["channels"]["data"], "command": "/ask", "text": "help"}
        while not over.wait(BETWEEN_CLICKS_S):
            shown = self.lab("clickButton", action_id="show_sql", **self.card)
            times += [shown["ack_ms"], self.lab("slashCommand", **command)["ack_ms"]]

    def settled(self, before: set[str]) -> list[dict[str, Any]]:
        """Return the events since then, once all are acknowledged."""
        until = time.monotonic() + 30
        while True:
            rows = [row for row in self.envelopes() if row["envelope_id"] not in before]
            if all(row["acked"] for row in rows):
                return [row for row in rows if row["type"] == "events_api"]
            if time.monotonic() > until:
                sys.exit("an envelope was never acknowledged")
            time.sleep(0.2)

    def envelopes(self) -> list[dict[str, Any]]:
        return list(self.lab("deliveries")["deliveries"])

    def rss_mb(self) -> float:
        return float(psutil.Process(self.bot_pid).memory_info().rss) / 1e6


def is_of_people(row: dict[str, Any], people: Sequence[str]) -> bool:
    return row["payload"]["event"].get("user") in people


def ack_times(rows: Sequence[dict[str, Any]]) -> list[float]:
    late = [row for row in rows if len(row["attempts"]) > 1]
    if late:
        print(f"  {len(late)} envelopes had to be sent again", flush=True)
    return [each["ack_ms"] for row in rows for each in row["attempts"] if each["ack_ms"]]


if __name__ == "__main__":
    main()
