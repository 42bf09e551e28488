"""Who answers under load: the crowd's stand-in, which tells when it was asked and when it ended."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Any

from crowd.answering import StandIn

from agent.messages import AgentResult


@dataclass(frozen=True)
class Said:
    """A question that was answered, and between which seconds since 1970."""

    question: str
    began: float
    ended: float


@dataclass
class PacedModel(StandIn):
    """Keeps nothing of a question once it was told, so that it is not what grows."""

    _said: list[Said] = field(default_factory=list)

    def run(self, question: str, **given: Any) -> AgentResult:
        began, until = time.time(), time.monotonic() + self.pace_s
        result = super().run(question, **given)  # takes three quarters of the time
        cancelled = given.get("cancelled") or threading.Event()
        cancelled.wait(max(0.0, until - time.monotonic()))
        with self._lock:
            self.asked.clear()
            self._said.append(Said(question, began, time.time()))
        return result

    def take(self) -> list[Said]:
        """Return what was answered since this was asked last."""
        with self._lock:
            said, self._said = self._said, []
        return said
