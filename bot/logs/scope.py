"""Which run a line of the log belongs to: kept in the context, which our threads take along."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

SHORTEST: Final = 3
"""Private words shorter than this are in any line by chance."""
_STRINGS: Final = re.compile(r"'((?:[^']|'')*)'")


@dataclass
class RunScope:
    """The run that is worked on, as the log and its measures know it."""

    run_id: str
    team: str = ""
    channel: str = ""
    thread: str = ""
    """The ts of the thread that it was asked in."""
    attempt: int = 0
    """How many processes have worked on it, this one included; 0 where that is not known."""
    phase: str = ""
    trace_id: str = ""
    waited_s: float = 0.0
    """How long it stood in the line, in seconds."""
    asked_at: datetime | None = None
    """When it was asked; None once the person has seen that it is worked on."""
    has_ended: bool = False
    """It was told how the question ended."""
    goes_on: bool = False
    """Whoever works on it leaves the rest for later, or to another process: it has no end here."""
    private: set[str] = field(default_factory=set)
    """What is not to be written down: the person's words, values in the SQL."""

    def hide(self, *texts: str) -> None:
        """Keep these words out of the log."""
        self.private.update(each for each in map(str.strip, texts) if len(each) >= SHORTEST)

    def hide_literals(self, sql: str) -> None:
        """Keep the values that stand in a query out of the log."""
        self.hide(*(each.replace("''", "'") for each in _STRINGS.findall(sql)))


_scope: ContextVar[RunScope | None] = ContextVar("run_scope", default=None)


def current_scope() -> RunScope | None:
    """Return the run that this thread works for; None for none."""
    return _scope.get()


@contextmanager
def in_scope(scope: RunScope) -> Iterator[RunScope]:
    """Have all lines of the block, and of the threads that it begins, carry the run."""
    token = _scope.set(scope)
    try:
        yield scope
    finally:
        _scope.reset(token)
