"""The one error of the embedded server, and the words of the programs behind it."""

from __future__ import annotations

import re

from agent.errors import DatabaseUnavailable

_GRAVE = re.compile(r"FATAL:|PANIC:|\berror\b|No space left", re.IGNORECASE)


class EmbeddedPostgresError(DatabaseUnavailable):
    """The embedded server cannot be started; the message says why and what to do."""


def gravest(output: str) -> str:
    """The line of a program's output that says what stopped it: the first that sounds like it."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    grave = [line for line in lines if _GRAVE.search(line)]
    return (grave or lines[-1:] or ["no reason was given"])[0].rstrip(".")
