"""A record of the log as one JSON object in one line."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import Any, Final

from pythonjsonlogger.json import JsonFormatter

from bot.logs.lines import Discretion
from bot.logs.scope import RunScope, current_scope

FACTS: Final = "facts"
"""The `extra` of a record that holds figures and words from closed sets, as a dictionary."""


class JsonLines(JsonFormatter):
    """One JSON object a line, with the run where there is one."""

    def __init__(self, discretion: Discretion, role: str) -> None:
        """`role` is what this process does, such as "serve"."""
        super().__init__(json_ensure_ascii=False)
        self._discretion = discretion
        self._role = role

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        at = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, Any] = {
            "time": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": self._discretion.message(record),
            "role": self._role,
            **_of_run(current_scope()),
            **_facts(record),
        }
        trace = self._discretion.exception(record)
        if trace:
            line["exception"] = trace
        return str(self.serialize_log_record(line))


def _facts(record: logging.LogRecord) -> dict[str, Any]:
    given = getattr(record, FACTS, None)
    return dict(given) if isinstance(given, dict) else {}


def _of_run(scope: RunScope | None) -> dict[str, Any]:
    if scope is None:
        return {}
    found = {
        "run_id": scope.run_id,
        "team": scope.team,
        "channel": scope.channel,
        "thread": scope.thread,
        "phase": scope.phase,
        "attempt": scope.attempt,
        "trace_id": scope.trace_id,
    }
    return {name: value for name, value in found.items() if value}
