"""What of a record is written down, and how it looks on a terminal."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Final

from agent.errors import AgentError
from bot.logs.redaction import WITHHELD, Redaction
from bot.logs.scope import current_scope

PRIVATE: Final = "private"
"""The `extra` of a record that holds what only those may read who set DB_AGENT_LOG_TEXT=on."""
_TELLING: Final = (ConnectionError, TimeoutError, AgentError)
"""Exceptions whose words are ours, or the system's own: they hold nothing of anybody's data."""
_MOST_CAUSES: Final = 6


@dataclass(frozen=True)
class Discretion:
    """What may be written down."""

    redaction: Redaction = field(default_factory=Redaction)
    shows_text: bool = False
    """Questions, values in SQL and what exceptions say; secrets are never shown."""

    def clean(self, text: str) -> str:
        """Return words as they may be written down."""
        scope = current_scope()
        if not self.shows_text and scope is not None:
            for private in sorted(tuple(scope.private), key=len, reverse=True):
                text = text.replace(private, WITHHELD)
        return self.redaction(text)

    def message(self, record: logging.LogRecord) -> str:
        """Return what happened, in words."""
        try:
            text = record.getMessage()
        except Exception:  # the arguments do not fit: the line is still worth having
            text = str(record.msg)
        private = getattr(record, PRIVATE, "")
        if private and self.shows_text:
            text = f"{text}: {private}"
        return self.clean(text)

    def exception(self, record: logging.LogRecord) -> str:
        """Return the trace of the record's exception; "" where it has none."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            return self.clean("\n".join(self._trace(error)))
        return self.clean(record.exc_text or "")

    def _trace(self, error: BaseException) -> Iterator[str]:
        chain: list[BaseException] = []
        each: BaseException | None = error
        while each is not None and each not in chain and len(chain) < _MOST_CAUSES:
            chain.append(each)
            each = each.__cause__ or (None if each.__suppress_context__ else each.__context__)
        for number, one in enumerate(reversed(chain)):
            if number:
                yield "and after it:"
            yield from _frames(one.__traceback__)
            yield self._name(one)

    def _name(self, error: BaseException) -> str:
        name = type(error).__qualname__
        if self.shows_text or isinstance(error, _TELLING):
            return f"{name}: {error}"
        return f"{name} (its words are withheld)"


def _frames(trace: TracebackType | None) -> Iterator[str]:
    for line in traceback.format_tb(trace):
        yield line.rstrip("\n")


class TextLines(logging.Formatter):
    """A line for people, and the trace under it."""

    def __init__(self, discretion: Discretion) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._discretion = discretion

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, or the lines where there is a trace."""
        scope, text = current_scope(), self._discretion.message(record)
        mark = f"[run {scope.run_id}] " if scope and scope.run_id not in text else ""
        start = f"{self.formatTime(record)} {record.levelname} {record.name}: {mark}{text}"
        return "\n".join(filter(None, [start, self._discretion.exception(record)]))
