"""The steps of a run as chunks of a streamed message; pure.

Each step is a task, known by its place among the steps: a later chunk with the same id takes its
place. So what was lost on the way comes with the next chunks.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from bot.render.blocks import context
from bot.render.how import plan_words
from bot.render.text import clip, fallback, inert
from bot.render.working import (
    HEADING,
    MADE_A_PLAN,
    Mark,
    Working,
    model_line,
    stop_button,
    told,
)

Chunk = dict[str, Any]

MAX_FIELD: Final = 256
"""Slack refuses a longer title of a task or of a plan."""
MAX_TASKS: Final = 45
"""Further steps show in the place of the last task. Slack takes 50 blocks, and tells no limit of
tasks."""
_STATUS: Final[Mapping[Mark, str]] = MappingProxyType(
    {Mark.UNDER_WAY: "in_progress", Mark.DONE: "complete", Mark.FAILED: "error"}
)


def opening(working: Working, mark: str, *, with_blocks: bool) -> list[Chunk]:
    """Return the chunks that a stream begins with; by `mark` it can be told from others later."""
    return [*news(None, working, mark), *([_below(working)] if with_blocks else [])]


def news(before: Working | None, after: Working, mark: str) -> list[Chunk]:
    """Return the chunks of what has changed since `before` was shown; None: nothing yet."""
    known = {} if before is None else _tasks(before, mark)
    changed = [chunk for key, chunk in _tasks(after, mark).items() if known.get(key) != chunk]
    heading = [{"type": "plan_update", "title": HEADING}] if before is None else []
    return [*heading, *changed]


def _tasks(working: Working, mark: str) -> dict[str, Chunk]:
    tasks: dict[str, Chunk] = {}
    plan = _field(plan_words(working.plan))
    for at, step in enumerate(working.steps):
        key = f"{mark}.{min(at, MAX_TASKS - 1)}"
        title = _field(told(step)) or "…"
        status = _STATUS[step.mark]
        tasks[key] = {"type": "task_update", "id": key, "title": title, "status": status}
        if plan and step.words.endswith(MADE_A_PLAN):
            tasks[key]["details"] = plan
    return tasks


def _field(text: str) -> str:
    # Slack does not say whether it reads these as mrkdwn, so they are made safe for either.
    return clip(fallback(inert(text), MAX_FIELD), MAX_FIELD)


def _below(working: Working) -> Chunk:
    blocks = [context(model_line(working.model))] if model_line(working.model) else []
    stop = [stop_button(working.run_id)] if working.run_id else []
    return {"type": "blocks", "blocks": [*blocks, *stop]}
