"""What can be made to go wrong on purpose, and the limits that can be switched on."""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass, field

from bot.local_workspace.errors import SlackError

# Calls a minute and method, where Slack publishes a tier.
TIER_PER_MINUTE = {1: 1, 2: 20, 3: 50, 4: 100}
POST_GAP_S = 1.0  # chat.postMessage: about one a second and channel


@dataclass(slots=True)
class PlannedRefusal:
    """The next `times` calls of a method answer 429 with this Retry-After (seconds)."""

    retry_after: int
    times: int


@dataclass(slots=True)
class PlannedBreak:
    """The connection of a method's next `times` calls breaks; `taken`: what they ask is done."""

    times: int
    taken: bool


@dataclass(slots=True)
class Faults:
    """The switches. Everything is off, but for the moment that Slack needs to look at a file."""

    file_ready_after_s: float = 0.25
    file_ready_polls: int = 0
    stream_life_s: float = 300.0
    slack_rate_limits: bool = False
    refusals: dict[str, PlannedRefusal] = field(default_factory=dict)
    errors: dict[str, tuple[str, int]] = field(default_factory=dict)
    breaks: dict[str, PlannedBreak] = field(default_factory=dict)


class RateLimited(Exception):
    """Answered with HTTP 429; `retry_after` is in whole seconds."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"retry after {retry_after} s")
        self.retry_after = retry_after


class RateLimits:
    """Counts calls per method and token, as Slack does per method, workspace and app."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._lock = threading.Lock()
        self._calls: dict[tuple[str, str], deque[float]] = {}
        self._last_post: dict[tuple[str, str], float] = {}

    def check(self, method: str, tier: int | None, token: str, channel: str) -> None:
        """Raises RateLimited, or the SlackError planned for this method, when it is due."""
        with self._lock:
            self._planned(method)
            if self._faults.slack_rate_limits:
                self._by_tier(method, tier, token)
                if method == "chat.postMessage":
                    self._by_channel(token, channel)

    def break_off(self, method: str, *, taken: bool) -> None:
        """Raises ConnectionResetError where one is planned, before or after the call is `taken`."""
        with self._lock:
            planned = self._faults.breaks.get(method)
            if planned is None or planned.taken is not taken or planned.times <= 0:
                return
            planned.times -= 1
        raise ConnectionResetError

    def _planned(self, method: str) -> None:
        refusal = self._faults.refusals.get(method)
        if refusal is not None and refusal.times > 0:
            refusal.times -= 1
            raise RateLimited(refusal.retry_after)
        error, times = self._faults.errors.get(method, ("", 0))
        if times > 0:
            self._faults.errors[method] = (error, times - 1)
            raise SlackError(error)

    def _by_tier(self, method: str, tier: int | None, token: str) -> None:
        if tier is None:
            return
        now = time.monotonic()
        calls = self._calls.setdefault((method, token), deque())
        while calls and now - calls[0] > 60:
            calls.popleft()
        if len(calls) >= TIER_PER_MINUTE[tier]:
            raise RateLimited(max(1, round(60 - (now - calls[0]))))
        calls.append(now)

    def _by_channel(self, token: str, channel: str) -> None:
        now = time.monotonic()
        last = self._last_post.get((token, channel))
        if last is not None and now - last < POST_GAP_S:
            raise RateLimited(1)
        self._last_post[token, channel] = now
