"""What stands in the thread while a run goes on: its steps, each as it begins and as it ends; pure.

Nothing of a draft is in it, for no check has passed it yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.render.blocks import context, section
from bot.render.card import MAX_TEXT, Card
from bot.render.counting import counted
from bot.render.how import plan_line
from bot.render.text import CUT, clip, fallback, plain

_MAX_STEPS: Final = 12
_ONE_STEP: Final = 180


class Mark(StrEnum):
    """How far a step is."""

    UNDER_WAY = "⏳"
    DONE = "✓"
    FAILED = "✗"


@dataclass(frozen=True)
class Doing:
    """A step as it is shown: what is being done, or what came of it."""

    words: str
    mark: Mark = Mark.UNDER_WAY


def render_working(steps: Sequence[Doing], *, model: str, plan: Sequence[str] = ()) -> Card:
    """Return the message of a run that goes on; of many steps it shows the last."""
    shown = steps[-_MAX_STEPS:]
    lines = [_words(step) for step in shown]
    marked = [f"{step.mark} {line}" for step, line in zip(shown, lines, strict=True)]
    if len(steps) > len(shown):
        marked.insert(0, f"{Mark.DONE} {counted(len(steps) - len(shown), 'earlier step')}")
    below = [line for line in (plan_line(plan), plain(clip(model, 80))) if line]
    blocks = [section("\n".join(["*Working on it…*", *marked])), *map(context, below)]
    return Card(blocks, fallback(f"Working on it… {lines[-1] if lines else ''}".rstrip(), MAX_TEXT))


def _words(step: Doing) -> str:
    words = plain(" ".join(step.words.split()))
    if step.mark is Mark.UNDER_WAY:
        words = words.rstrip(".…") + CUT
    return clip(words, _ONE_STEP)
