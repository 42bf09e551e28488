"""People who ask as a stream: so many questions open at a time, each once, some in one thread."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from slack_sdk import WebClient

from load.bots import Fleet

CHANNELS = ("data", "general", "helpdesk")
PEOPLE = 40
WORDS = "how many films, question {number}?"
FOLLOWED_EVERY = 10
"""One thread in so many has two questions more."""
BETWEEN_S = 0.2
"""Between two questions in a thread: nobody writes faster."""
PATIENCE_S = 300.0
LOOK_EVERY_S = 0.02


@dataclass(frozen=True)
class Asked:
    """A thread, and the numbers of the questions in it, in order."""

    channel: str
    ts: str
    numbers: tuple[int, ...]


@dataclass
class People:
    """Those who ask."""

    fleet: Fleet
    ids: list[str] = field(init=False)
    asked: int = 0
    threads: list[Asked] = field(default_factory=list)

    def __post_init__(self) -> None:
        place = self.fleet.place
        self.you = WebClient(place["user_tokens"]["you"], base_url=place["api_url"], timeout=120)
        self.ids = [self.lab("addUser", name=f"person{n}")["user"]["id"] for n in range(PEOPLE)]

    def lab(self, method: str, **given: Any) -> Any:
        return self.you.api_call(f"workspace.{method}", json=given)

    def stream(self, questions: int, is_open: int, *, single: bool = False) -> None:
        """Ask so many, with `is_open` of them unanswered at a time; return when all are answered.

        `single`: each in a thread of its own.
        """
        last = self.asked + questions
        stuck_at = (time.monotonic() + PATIENCE_S, self.fleet.ended)
        while self.asked < last:
            room = min(is_open - (self.asked - self.fleet.ended), last - self.asked)
            if room > 0:
                self.ask(room, single=single)
            stuck_at = self._wait(stuck_at)
        while self.fleet.unfinished or self.fleet.ended < self.asked:
            stuck_at = self._wait(stuck_at)

    def _wait(self, stuck_at: tuple[float, int]) -> tuple[float, int]:
        time.sleep(LOOK_EVERY_S)
        self.fleet.look()
        if self.fleet.ended > stuck_at[1]:
            return time.monotonic() + PATIENCE_S, self.fleet.ended
        if time.monotonic() > stuck_at[0]:
            sys.exit(f"{self.fleet.ended} of {self.asked} questions were answered, then no more")
        return stuck_at

    def ask(
        self, questions: int, *, single: bool = False, within_s: float = 0.0
    ) -> Sequence[Asked]:
        """Ask so many within a time, those that follow another one right behind it."""
        sizes: list[int] = []
        while sum(sizes) < questions:
            follows = not single and (len(self.threads) + len(sizes)) % FOLLOWED_EVERY == 0
            sizes.append(min(3 if follows else 1, questions - sum(sizes)))
        roots, more = [], []
        for size in sizes:
            roots.append(self._post(len(self.threads) + len(roots)))
            more.append([self._post(len(self.threads) + len(roots)) for _ in range(size - 1)])
        written = self.lab("postMany", posts=[post for _, post in roots], within_s=within_s)
        threads = [
            Asked(post["channel"], ts, (number, *(each for each, _ in follow)))
            for (number, post), ts, follow in zip(roots, written["ts"], more, strict=True)
        ]
        follows = [
            [post | {"channel": thread.channel, "thread_ts": thread.ts} for _, post in follow]
            for thread, follow in zip(threads, more, strict=True)
        ]
        while posts := [each.pop(0) for each in follows if each]:
            time.sleep(BETWEEN_S)
            self.lab("postMany", posts=posts)
        self.threads += threads
        return threads

    def _post(self, thread: int) -> tuple[int, dict[str, str]]:
        self.asked += 1
        channel = self.fleet.place["channels"][CHANNELS[thread % len(CHANNELS)]]
        words = WORDS.format(number=self.asked)
        text = f"<@{self.fleet.place['bot_user_id']}> {words}"
        return self.asked, {"user": self.ids[thread % PEOPLE], "channel": channel, "text": text}
