"""What can be made to go wrong on purpose: planned call by call, or drawn at random."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from bot.local_workspace.errors import SlackError


class Kind(StrEnum):
    """The ways in which a call goes wrong, in the order in which plans are looked through."""

    RATE_LIMIT = "rate_limit"
    ERROR = "error"
    SERVER_ERROR = "server_error"
    BREAK = "break"
    SLOW = "slow"


EVENTS: Final = ("duplicate_event", "redelivery")
"""An event comes again: under a new envelope_id, or since its acknowledgement was not heard."""
SOCKETS: Final = ("cut_frame", "drop_socket", "refresh")
"""Before an envelope is sent: half a frame and no more, an end without a word, a new connection."""
FILES: Final = ("refused_file", "late_file")
STREAM: Final = "stream_expiry"
CALLS: Final = (
    *("rate_limit", "server_error", "server_error_taken"),
    *("reset", "reset_taken", "slow", "slow_taken"),
)
RATES: Final = frozenset({*CALLS, *EVENTS, *SOCKETS, *FILES, STREAM})
"""What a mix can hold; `taken`: what the call asks is done all the same."""
COUNTED: Final = (*EVENTS, "cut_frame", "refused_file")
"""What can be planned by a number: the next so many go wrong."""


class RateLimited(Exception):
    """Answered with HTTP 429; `retry_after` is in whole seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"retry after {retry_after} s")
        self.retry_after = retry_after


class ServerTrouble(Exception):
    """Answered with a 5xx and a page for people, as by what stands before Slack's servers."""

    def __init__(self, status: int) -> None:
        super().__init__(f"HTTP {status}")
        self.status = status


@dataclass(frozen=True, slots=True)
class Trouble:
    """How a call goes wrong. `taken`: after what it asks for has been done."""

    kind: Kind
    taken: bool = False
    retry_after: int = 1
    error: str = "internal_error"
    status: int = 503
    seconds: float = 0.0

    def strike(self, *, taken: bool) -> None:
        """Raise what is due before or after the call is `taken`; a slow answer only takes time.

        A call that is slow and not taken has no answer at all: its connection ends.
        """
        if self.taken is not taken:
            return
        if self.kind is Kind.RATE_LIMIT:
            raise RateLimited(self.retry_after)
        if self.kind is Kind.ERROR:
            raise SlackError(self.error)
        if self.kind is Kind.SERVER_ERROR:
            raise ServerTrouble(self.status)
        time.sleep(self.seconds)
        if self.kind is Kind.BREAK or not taken:
            raise ConnectionResetError


class Mix:
    """Random faults at set rates.

    What becomes of the n-th call of a method hangs on the seed, the method and n alone: as far as
    the app calls in the same order, the same happens again.
    """

    def __init__(self, seed: int = 0, rates: Mapping[str, float] | None = None) -> None:
        """`rates`: from 0 to 1, by the names in RATES. Seconds of `slow`: a few tenths."""
        self._seed = seed
        self._rates = dict(rates or {})
        self._lock = threading.Lock()
        self._turns: Counter[str] = Counter()
        self.struck: Counter[str] = Counter()
        """How often each has happened."""

    def draw(self, what: str, *names: str) -> str:
        """Return which of the faults `names` happens to the next `what`; mostly "", none."""
        if not any(name in self._rates for name in names):
            return ""
        with self._lock:
            self._turns[what] += 1
            roll = random.Random(f"{self._seed}/{what}/{self._turns[what]}").random()
            for name in names:
                roll -= self._rates.get(name, 0.0)
                if roll < 0:
                    self.struck[name] += 1
                    return name
        return ""


SLOW_S: Final = 0.3
_OF_MIX: Final[Mapping[str, tuple[Trouble, ...]]] = {
    "rate_limit": (Trouble(Kind.RATE_LIMIT),),
    "server_error": (Trouble(Kind.SERVER_ERROR), Trouble(Kind.SERVER_ERROR, status=500)),
    "server_error_taken": (Trouble(Kind.SERVER_ERROR, taken=True),),
    "reset": (Trouble(Kind.BREAK),),
    "reset_taken": (Trouble(Kind.BREAK, taken=True),),
    "slow": (Trouble(Kind.SLOW, seconds=SLOW_S),),
    "slow_taken": (Trouble(Kind.SLOW, taken=True, seconds=SLOW_S),),
}


@dataclass(slots=True)
class Plan:
    """The next `times` calls go wrong in one way."""

    trouble: Trouble
    times: int


@dataclass(slots=True)
class Faults:
    """The switches. Everything is off, but for the moment that Slack needs to look at a file."""

    file_ready_after_s: float = 0.25
    file_ready_polls: int = 0
    stream_life_s: float = 300.0
    slack_rate_limits: bool = False
    refuse_stream_blocks: bool = False
    """Slack's pages disagree on whether a stream may hold blocks of an app's own."""
    mix: Mix = field(default_factory=Mix)
    plans: dict[tuple[Kind, str, str], Plan] = field(default_factory=dict)
    """By kind, method, and channel or "" for any."""
    counted: Counter[str] = field(default_factory=Counter)
    """How many of COUNTED are still to come."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def plan(self, trouble: Trouble, method: str, channel: str, times: int) -> None:
        """Let the next `times` calls of a method go wrong; 0 takes a plan back."""
        with self._lock:
            self.plans[trouble.kind, method, channel] = Plan(trouble, times)

    def of_call(self, method: str, channel: str, *, by_app: bool) -> Trouble | None:
        """Return how the next call of a method goes wrong, if it does.

        What is planned happens to whoever calls; what is drawn happens to apps.
        """
        with self._lock:
            for kind in Kind:
                for where in (channel, ""):
                    plan = self.plans.get((kind, method, where))
                    if plan is not None and plan.times > 0:
                        plan.times -= 1
                        return plan.trouble
        drawn = self.mix.draw(method, *CALLS) if by_app else ""
        if not drawn:
            return None
        ways = _OF_MIX[drawn]
        return ways[self.mix.struck[drawn] % len(ways)]

    def is_due(self, name: str, what: str = "") -> bool:
        """Does a fault of COUNTED, or of the mix, happen now?"""
        with self._lock:
            if self.counted[name] > 0:
                self.counted[name] -= 1
                return True
        return bool(self.mix.draw(what or name, name))
