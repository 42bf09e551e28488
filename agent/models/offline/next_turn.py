"""The next turn, before it is a message: calls, or a text that ends the run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Call:
    """A tool to use."""

    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class NextTurn:
    """The next turn: calls, or a text that ends the run."""

    calls: tuple[Call, ...] = ()
    text: str = ""
    allowed: tuple[str, ...] = field(default=())


def call(tool: str, **arguments: Any) -> NextTurn:
    """Return a turn that uses one tool."""
    return NextTurn((Call(tool, arguments),))
