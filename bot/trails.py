"""Several trails that are told of one run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agent.messages import Transition
from agent.protocols import Trail


class Trails(Trail):
    """Several trails, told one after the other."""

    def __init__(self, *trails: Trail) -> None:
        self._trails = trails

    def keep(self, number: int, transition: Transition, checkpoint: Mapping[str, Any]) -> None:
        """Tell each of them."""
        for trail in self._trails:
            trail.keep(number, transition, checkpoint)

    def keep_part(self, number: int, checkpoint: Mapping[str, Any]) -> None:
        """Tell each of them."""
        for trail in self._trails:
            trail.keep_part(number, checkpoint)

    def record(self, transition: Transition) -> None:
        """Tell each of them."""
        for trail in self._trails:
            trail.record(transition)

    def begin(self, doing: str) -> None:
        """Tell each of them."""
        for trail in self._trails:
            trail.begin(doing)

    def end(self, done: str, *, ok: bool) -> None:
        """Tell each of them."""
        for trail in self._trails:
            trail.end(done, ok=ok)
