"""Slack's rate limits, where they are switched on."""

from __future__ import annotations

import threading
import time
from collections import deque

from bot.local_workspace.faults import Faults, RateLimited

# Calls a minute and method, where Slack publishes a tier.
TIER_PER_MINUTE = {1: 1, 2: 20, 3: 50, 4: 100}
POST_GAP_S = 1.0  # chat.postMessage: about one a second and channel


class RateLimits:
    """Counts calls per method and token, as Slack does per method, workspace and app."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._lock = threading.Lock()
        self._calls: dict[tuple[str, str], deque[float]] = {}
        self._last_post: dict[tuple[str, str], float] = {}

    def check(self, method: str, tier: int | None, token: str, channel: str) -> None:
        """Raises RateLimited when a call is one too many."""
        if not self._faults.slack_rate_limits:
            return
        with self._lock:
            self._by_tier(method, tier, token)
            if method == "chat.postMessage":
                self._by_channel(token, channel)

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
