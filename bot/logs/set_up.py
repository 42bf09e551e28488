"""Sets the log of a process up: its format, its level, and what it keeps to itself."""

from __future__ import annotations

import logging
import os
import sys
import threading
from enum import StrEnum
from types import TracebackType
from typing import Final

from agent.errors import SettingsInvalid
from bot.log_levels import keep_private
from bot.logs.lines import Discretion, TextLines
from bot.logs.redaction import Redaction, own_secrets

FORMAT: Final = "DB_AGENT_LOG_FORMAT"
LEVEL: Final = "DB_AGENT_LOG_LEVEL"
TEXT: Final = "DB_AGENT_LOG_TEXT"
OURS: Final = ("bot", "agent")
SERVING: Final = ("serve", "worker")
"""Others are run by a person who reads the log at once, and whose own words are in it."""

log = logging.getLogger(__name__)


class Format(StrEnum):
    """What a line looks like."""

    TEXT = "text"
    JSON = "json"


class Level(StrEnum):
    """From which on lines are written."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def set_up_log(role: str, *, verbose: bool = False) -> Format:
    """Have this process log as its environment says; return how that looks.

    `role` is what it does, such as "serve". Raises `SettingsInvalid` for a value that is none of
    the setting's.
    """
    shape = Format(_choice(FORMAT, [*Format], Format.TEXT))
    default = Level.INFO if shape is Format.JSON else Level.WARNING
    level = Level.DEBUG if verbose else Level(_choice(LEVEL, [*Level], default))
    texts = _choice(TEXT, ["on", "off"], "off" if role in SERVING else "on")
    root = logging.getLogger()
    if root.handlers:  # as `logging.basicConfig` does: whoever runs us within theirs has a log
        return shape
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        _formatter(shape, Discretion(Redaction(own_secrets()), texts == "on"), role)
    )
    root.addHandler(handler)
    # Of others' libraries, what goes on is nobody's business; what goes wrong is.
    root.setLevel(level.upper() if level is not Level.INFO else logging.WARNING)
    for name in OURS:
        logging.getLogger(name).setLevel(level.upper() if level is Level.INFO else logging.NOTSET)
    keep_private()
    if shape is Format.JSON:
        logging.captureWarnings(True)
        sys.excepthook = _log_the_end
        threading.excepthook = _log_the_end_of_a_thread
    return shape


def is_read_by_machines() -> bool:
    """Say whether all that this process has to say belongs into the log."""
    return os.environ.get(FORMAT, "").strip().lower() == Format.JSON


def _formatter(shape: Format, discretion: Discretion, role: str) -> logging.Formatter:
    if shape is Format.TEXT:
        return TextLines(discretion)
    from bot.logs.json_lines import JsonLines  # nothing that a person at a terminal waits for

    return JsonLines(discretion, role)


def _choice(setting: str, allowed: list[str], default: str) -> str:
    given = os.environ.get(setting, "").strip().lower()
    if not given:
        return default
    if given not in allowed:
        raise SettingsInvalid(f"{setting} must be one of: {', '.join(map(str, allowed))}.")
    return given


def _log_the_end(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    log.critical("the process ends for a bug", exc_info=(kind, error, trace))


def _log_the_end_of_a_thread(ended: threading.ExceptHookArgs) -> None:
    if ended.exc_type is SystemExit or ended.exc_value is None:
        return
    name = ended.thread.name if ended.thread else "a thread"
    trace = (ended.exc_type, ended.exc_value, ended.exc_traceback)
    log.critical("a thread ended for a bug: %s", name, exc_info=trace)
