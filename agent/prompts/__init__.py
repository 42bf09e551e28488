"""What a model is told of its task: one Markdown file a task, and what all of them share."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from agent.plan import MAX_STEPS
from agent.state import MAX_HOPS

TASKS: Final = ("planning", "acting", "repairing", "rethinking", "concluding")
"""What a model may be at; which one is due follows from the run's state."""


def system_prompt(task: str, *, today: str, time_zone: str) -> str:
    """Return what the model is told for one of `TASKS`: what always holds, then the task.

    `today` begins with the date as 2026-07-31. Raises `KeyError` for a task that is none.
    """
    if task not in TASKS:
        raise KeyError(task)
    values = {
        "today": today,
        "time_zone": time_zone,
        "max_hops": str(MAX_HOPS),
        "max_plan_steps": str(MAX_STEPS),
    }
    text = f"{_read('common')}\n\n{_read(task)}"
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text


def judge_prompt() -> str:
    """Return what the judge is told; it shares nothing with the one who answers."""
    return _read("judging")


def _read(name: str) -> str:
    return files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8").strip()
