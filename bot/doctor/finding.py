"""What a look at one thing gave: a line that says how it stands, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    """How a thing stands."""

    OK = "ok"
    WRONG = "wrong"
    NOTE = "note"
    """It works, and is worth knowing or making better."""
    UNCHECKED = "not checked"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    level: Level
    what: str
    """How it stands, as one phrase without a full stop."""
    todo: str = ""
    """What to do about it; never empty where something is wrong."""
    lines: tuple[str, ...] = ()
    """What to do, to be copied as it stands: SQL or commands."""


def ok(what: str) -> Finding:
    """It is as it should be."""
    return Finding(Level.OK, what)


def wrong(what: str, todo: str, *lines: str) -> Finding:
    """It does not work, or is not safe: `todo` says what to do."""
    return Finding(Level.WRONG, what, todo, lines)


def note(what: str, todo: str = "", *lines: str) -> Finding:
    """It works; something about it is worth knowing."""
    return Finding(Level.NOTE, what, todo, lines)


def unchecked(what: str, why: str) -> Finding:
    """It was not looked at; `why` goes on after "because"."""
    return Finding(Level.UNCHECKED, f"{what}, because {why}")
