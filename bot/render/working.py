"""What stands in the thread while a run goes on: its steps, each as it begins and as it ends; pure.

Nothing of a draft is in it, for no check has passed it yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.render.blocks import Block, Button, buttons, context, section
from bot.render.card import MAX_TEXT, Card
from bot.render.counting import counted
from bot.render.how import plan_line
from bot.render.text import CUT, clip, fallback, plain

STOP: Final = "stop_run"
"""The action of the button that stops a run; its value is the run's id."""
HEADING: Final = "Working on it…"
MADE_A_PLAN: Final = "I made a plan."
"""How a step ends that brought the plan of the run."""

_MAX_STEPS: Final = 12
_ONE_STEP: Final = 180
_ONE_MODEL: Final = 80


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


@dataclass(frozen=True)
class Working:
    """How far a run is."""

    steps: Sequence[Doing]
    model: str
    plan: Sequence[str] = ()
    """() as long as there is none."""
    run_id: str = ""
    """What its Stop button carries; "" for no button."""


def render_working(
    steps: Sequence[Doing], *, model: str, plan: Sequence[str] = (), run_id: str = ""
) -> Card:
    """Return the message of a run that goes on; of many steps it shows the last.

    With a `run_id` there is a button that stops the run.
    """
    shown = steps[-_MAX_STEPS:]
    lines = [clip(plain(told(step)), _ONE_STEP) for step in shown]
    marked = [f"{step.mark} {line}" for step, line in zip(shown, lines, strict=True)]
    if len(steps) > len(shown):
        marked.insert(0, f"{Mark.DONE} {counted(len(steps) - len(shown), 'earlier step')}")
    below = [line for line in (plan_line(plan), model_line(model)) if line]
    blocks = [section("\n".join([f"*{HEADING}*", *marked])), *map(context, below)]
    stop = [stop_button(run_id)] if run_id else []
    text = fallback(f"{HEADING} {lines[-1] if lines else ''}".rstrip(), MAX_TEXT)
    return Card([*blocks, *stop], text)


def as_card(working: Working) -> Card:
    """Return the same as an ordinary message."""
    return render_working(
        working.steps, model=working.model, plan=working.plan, run_id=working.run_id
    )


def stop_button(run_id: str) -> Block:
    """Return the row with the button that stops a run."""
    return buttons([Button(STOP, "Stop")], run_id)


def model_line(model: str) -> str:
    """Return mrkdwn of who works on it."""
    return plain(clip(model, _ONE_MODEL))


def told(step: Doing) -> str:
    """Return the words of a step on one line; one that goes on ends in an ellipsis."""
    words = " ".join(step.words.split())
    return words.rstrip(".…") + CUT if step.mark is Mark.UNDER_WAY else words
