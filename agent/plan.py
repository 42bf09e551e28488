"""The plan in a model's first turn: one to five steps, in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from agent.unproven import without_figures

MAX_STEPS: Final = 5
MAX_STEP_CHARS: Final = 200

_HEAD: Final = re.compile(r"^[ \t#*_]*plan\b[\s*_]*(?::[\s*_]*|$)", re.IGNORECASE | re.MULTILINE)
_ITEM: Final = re.compile(r"^[ \t]*(?:\d{1,2}[.)]|[-*•–])\s+(?P<step>\S.*)$", re.MULTILINE)


def read_plan(text: str) -> tuple[str, ...]:
    """Return the steps of a plan headed "Plan:": its list, or the line itself; () without one."""
    head = _HEAD.search(text)
    if head is None or text[: head.start()].strip():
        return ()
    return read_steps(text[head.end() :])


def read_first_plan(text: str) -> tuple[str, ...]:
    """Return the steps of a plan that a first turn ends with; words may stand before its head.

    Nothing but the list may follow it, so that an answer in which the word occurs is none.
    """
    head = _HEAD.search(text)
    if read_plan(text) or head is None or ":" not in head[0]:
        return read_plan(text)
    rest = text[head.end() :]
    lines = [line for line in rest.splitlines() if line.strip()]
    return read_steps(rest) if lines and all(map(_ITEM.match, lines)) else ()


def read_steps(text: str) -> tuple[str, ...]:
    """Return the items of the list in `text`, or its first line where there is no list."""
    items = [match["step"] for match in _ITEM.finditer(text)]
    lines = [line for line in text.splitlines() if line.strip()]
    steps = (_clean(each) for each in items or lines[:1])
    return tuple(step for step in steps if step)[:MAX_STEPS]


def without_guesses(plan: Iterable[str], question: str) -> tuple[str, ...]:
    """Return the plan without the figures that `question` does not name: no row was read yet."""
    return tuple(without_figures(step, question) for step in plan)


def _clean(step: str) -> str:
    line = " ".join(step.replace("**", "").replace("`", "").split())
    return line if len(line) <= MAX_STEP_CHARS else f"{line[: MAX_STEP_CHARS - 1]}…"
