"""What a model is told: one Markdown file for what always holds, and one for each task.

The system prompt stays the same in every turn, as do the tools: both are read from the provider's
cache. It tells of the tasks that every run has. Which task is due, and with which tools, is said at
the end of the conversation, by a `Directive`; the first one of a rarer task tells of it too.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from importlib.resources import files
from typing import Final

from agent.messages import Directive
from agent.plan import MAX_STEPS
from agent.state import MAX_HOPS

TASKS: Final = ("planning", "acting", "repairing", "rethinking", "concluding")
"""What a model may be at; which one is due follows from the run's state."""
IN_EVERY_RUN: Final = ("planning", "acting")


def system_prompt(*, today: str, time_zone: str, locale: str = "") -> str:
    """Return what the model is told: what always holds, then the tasks of every run.

    `today` begins with the date as 2026-07-31; it, `time_zone` and `locale`, such as "de-DE", are
    those of the one who asks. All three stand in one line: without them it is one text for all.
    """
    values = {
        "today": today,
        "time_zone": time_zone,
        "locale": f" Locale of the one who asks: {locale}." if locale else "",
        "max_hops": str(MAX_HOPS),
        "max_plan_steps": str(MAX_STEPS),
    }
    tasks = (f"## {task}\n{_read(task)}" for task in IN_EVERY_RUN)
    text = "\n\n".join([_read("common"), "# Tasks", *tasks])
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text


def say_directive(directive: Directive, told: Collection[str] = IN_EVERY_RUN) -> str:
    """Return a directive as the model reads it, on a line of its own.

    What its task asks for stands before it, unless the task is one of those that are `told` of.
    """
    tools = ", ".join(directive.tools) or "none"
    line = f"[Your task now: {directive.task}. Tools that you may use now: {tools}.]"
    return line if directive.task in told else f"{_read(directive.task)}\n{line}"


def judge_prompt() -> str:
    """Return what the judge is told; it shares nothing with the one who answers."""
    return _read("judging")


@cache
def _read(name: str) -> str:
    return files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8").strip()
