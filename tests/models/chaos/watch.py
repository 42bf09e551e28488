"""What no run may leave behind or give away: keys in logs, dead threads, threads, sockets."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent import giving_up

from .stand_ins import speaking

KEYS = (speaking.CLAUDE_KEY, speaking.KEY)
LEAVES_S = 10.0
"""How long what has ended may take to be gone."""


class _Listener(logging.Handler):
    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.told: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if record.exc_info and record.exc_info[1] is not None:
            text += repr(record.exc_info[1])
            if record.name.startswith(("agent", "bot")):
                self.told.append(f"an exception is logged: {record.exc_info[1]!r}")
        if any(key in text for key in KEYS):
            self.told.append(f"a key is logged by {record.name}")


@dataclass
class Watch:
    """What was seen meanwhile."""

    found: list[str] = field(default_factory=list)


@contextlib.contextmanager
def watched() -> Iterator[Watch]:
    """Watch the process for as long as the block lasts; what is wrong stands in the result."""
    watch, listener, root = Watch(), _Listener(), logging.getLogger()
    before, level = _left(), root.level
    hooks = threading.excepthook, sys.unraisablehook
    root.addHandler(listener)
    root.setLevel(logging.DEBUG)

    def broke(what: Any) -> None:
        watch.found.append(f"a thread or a finalizer broke: {what.exc_type} {what.exc_value}")

    threading.excepthook = sys.unraisablehook = broke
    try:
        yield watch
        watch.found += _not_gone(before)
    finally:
        threading.excepthook, sys.unraisablehook = hooks
        root.setLevel(level)
        root.removeHandler(listener)
        watch.found += listener.told


def _left() -> dict[str, int]:
    sockets = 0
    for entry in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            sockets += os.readlink(entry).startswith("socket:")
    # Whoever pools connections keeps some; what belongs to one call must go with it.
    ours = ("model call", "door", "progress", "Thread-")
    threads = sum(thread.name.startswith(ours) for thread in threading.enumerate())
    places = giving_up._left_behind._value  # type: ignore[attr-defined]
    return {"threads": threads, "sockets": sockets, "calls left behind": -places}


def _not_gone(before: dict[str, int]) -> Iterator[str]:
    deadline = time.monotonic() + LEAVES_S
    while any(now > before[what] for what, now in _left().items()):
        if time.monotonic() > deadline:
            names = sorted(thread.name for thread in threading.enumerate())
            yield f"left behind: before {before}, after {_left()}; {names}"
            return
        time.sleep(0.02)
