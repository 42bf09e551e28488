"""What changed, for the open pages: numbered, so that a page that was away can catch up."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

KEPT = 2000


@dataclass(frozen=True, slots=True)
class Change:
    """One change. `only_for` is the one person who may know of it, or nothing for everybody."""

    number: int
    kind: str
    body: dict[str, Any]
    only_for: str | None


class Changes:
    """A bounded log of changes that any number of readers can follow."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._log: deque[Change] = deque(maxlen=KEPT)
        self._count = 0
        self._closed = False

    @property
    def count(self) -> int:
        """The number of the newest change."""
        return self._count

    def add(self, kind: str, body: dict[str, Any], only_for: str | None = None) -> None:
        """Appends a change and wakes the readers."""
        with self._condition:
            self._count += 1
            self._log.append(Change(self._count, kind, body, only_for))
            self._condition.notify_all()

    def close(self) -> None:
        """Ends every reader."""
        with self._condition:
            self._closed = True
            self._condition.notify_all()

    def follow(self, after: int, beat_s: float) -> Iterator[Change | None]:
        """Yields the changes after number `after`, for ever; None when nothing came for `beat_s`.

        A reader that asks for more than is kept, or for numbers of another run, gets one change
        of the kind `reset` first: it should read everything anew.
        """
        with self._condition:
            oldest = self._log[0].number if self._log else self._count + 1
            lost = after > self._count or after + 1 < oldest
            after = self._count if lost else after
        if lost:
            yield Change(after, "reset", {}, None)
        while True:
            with self._condition:
                if self._count <= after and not self._closed:
                    self._condition.wait(beat_s)
                if self._closed:
                    return
                fresh = [change for change in self._log if change.number > after]
            if not fresh:
                yield None
                continue
            after = fresh[-1].number
            yield from fresh
