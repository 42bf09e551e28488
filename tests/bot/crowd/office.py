"""The bot among the crowd, and all that is asked of it."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import psutil

from bot.app import SlackBot
from bot.settings import read_settings
from bot.store import Store

from .answering import StandIn
from .deeds import PEOPLE, RATES, Deed
from .playing import Asked, Crowd, Person

WORKERS = 48
ROOM = 300
"""Questions that may be unfinished before people wait to ask more: none is to be turned away."""
SETTLED_WITHIN_S = 240.0
_OF_THE_WORKSPACE = ("(process_request_thread)", "(simple_websocket.Base._thread)")
"""Threads of a workspace in the same process: each serves a connection, and goes with it."""


class Alarm(logging.Handler):
    """Counts what the bot's log calls an error, and keeps what has a traceback."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.told: Counter[str] = Counter()
        self.tracebacks: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.told[f"{record.name}: {record.msg}"[:100]] += 1
        if record.exc_info:
            self.tracebacks.append(f"{record.getMessage()}: {record.exc_info[1]!r}")


@dataclass(frozen=True)
class Outcome:
    """All that can be looked at when the crowd has gone."""

    asked: Sequence[Asked]
    messages: Sequence[dict[str, Any]]
    envelopes: dict[str, int]
    struck: dict[str, int]
    answered: Counter[str]
    """How often the agent was asked each question."""
    bot_user: str
    people_failed: Sequence[str]
    clicks: Counter[str]
    log: Alarm
    threads_left: Sequence[str]
    rss_mb: Sequence[float]
    """After each quarter of the questions."""
    seconds: float


@dataclass
class Office:
    """A workspace, the bot in it with its store, and people."""

    place: dict[str, Any]
    store_url: str
    agent: StandIn = field(default_factory=lambda: StandIn(pace_s=0.05))
    look_every_s: float = 0.2
    """Between two looks whether all is over, in seconds."""

    def run(self, series: Sequence[Deed], seed: int) -> Outcome:
        """Let the crowd ask while everything goes wrong; then look at what came of it."""
        before = set(threading.enumerate())
        began, alarm = time.monotonic(), Alarm()
        logging.getLogger("bot").addHandler(alarm)
        rss: list[float] = []
        try:
            with self._bot() as bot:
                crowd = Crowd(self._people())
                you = crowd.people[0]
                you.lab("faults", mix={"seed": seed, "rates": dict(RATES)})
                step = max(1, len(series) // 4)
                for start in range(0, len(series), step):
                    crowd.play(series[start : start + step], lambda: bot.unfinished < ROOM)
                    rss.append(psutil.Process().memory_info().rss / 1e6)
                self._wait_until_settled(bot, you)
                struck = you.lab("faults")["faults"]["struck"]
                found = you.lab("transcript")
        finally:
            logging.getLogger("bot").removeHandler(alarm)
        return Outcome(
            crowd.asked,
            found["messages"],
            found["envelopes"],
            struck,
            self.agent.asked,
            self.place["bot_user_id"],
            crowd.errors,
            sum((person.clicks for person in crowd.people), Counter()),
            alarm,
            self._left(before),
            rss,
            time.monotonic() - began,
        )

    @contextlib.contextmanager
    def _bot(self) -> Iterator[SlackBot]:
        settings = read_settings(
            slack_bot_token=self.place["bot_token"],
            slack_app_token=self.place["app_token"],
            slack_url=self.place["api_url"],
            workers=WORKERS,
            _env_file=None,
        )
        store = Store(self.store_url)
        store.open()
        bot = SlackBot(settings, agent=self.agent, store=store, picture_wait_s=1.5)
        try:
            bot.start()
            yield bot
        finally:
            bot.stop(grace_s=5.0)
            store.close()

    def _people(self) -> list[Person]:
        tokens = [self.place["user_tokens"]["you"]]
        you = Person(self.place, tokens[0])
        for number in range(1, PEOPLE):
            tokens.append(you.lab("addUser", name=f"crowd{number}")["token"])
        people = [you, *(Person(self.place, token) for token in tokens[1:])]
        closed = self.place["channels"]["finance-private"]
        you.client.conversations_invite(
            channel=closed, users=",".join(each.id for each in people[1:])
        )
        return people

    def _wait_until_settled(self, bot: SlackBot, you: Person) -> None:
        """Until nothing is under way, here or in the workspace."""
        until, quiet = time.monotonic() + SETTLED_WITHIN_S, 0
        while quiet < 5 and time.monotonic() < until:
            is_open = bot.unfinished or you.lab("transcript")["envelopes"]["open"]
            quiet = 0 if is_open else quiet + 1
            time.sleep(self.look_every_s)

    def _left(self, before: set[threading.Thread]) -> list[str]:
        """Threads that were not there before; what serves a connection goes a little later."""
        until = time.monotonic() + 10
        while True:
            left = [each.name for each in threading.enumerate() if each not in before]
            left = [name for name in left if not name.endswith(_OF_THE_WORKSPACE)]
            if not left or time.monotonic() > until:
                return left
            time.sleep(0.1)
