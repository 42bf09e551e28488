"""Tool calls in plain English, for a person who knows no SQL: what is said while a run goes on.

For the record they are whole. For the person who waits, where `question` is given, no figure in
them is the model's own, unless the question names it: nothing has shown yet whether it is true.
"""

from __future__ import annotations

import re
from typing import Final

from agent.errors import ToolError
from agent.messages import Observation, ToolCall
from agent.story.reasons import plain_reason
from agent.story.words import count, shortened, took
from agent.unproven import without_figures

_OUR_OWN: Final = re.compile(r"it took longer than [\d.]+ m?s and was stopped")
"""What failed with a figure that comes from us: a limit."""
_IDENTIFIER: Final = re.compile(r"[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)?")


def say_call(call: ToolCall, question: str | None = None) -> str:
    """Return what is about to be done."""
    match call.name:
        case "find_tables":
            return "Looking for the right tables."
        case "get_schema":
            return f"Looking at {_argument(call, 'table_name', question)}."
        case "execute_read_only_sql":
            return "Running a query."
        case "generate_chart":
            return "Drawing a chart."
        case "calculate":
            return "Working out a figure."
        case "ask_user":
            return "Asking you back."
        case _:
            return f"Trying a step called {_name(call, question)}."


def say_success(call: ToolCall, observation: Observation) -> str:
    """Return what was done, and what came of it."""
    if observation.result is not None:
        result = observation.result
        return f"I ran a query: {count(len(result.rows), 'row')} in {took(result.duration_ms)}."
    if observation.table is not None:
        return f"I looked at {observation.table}."
    if observation.chart is not None:
        return "I drew a chart."
    if observation.calculation is not None:
        return "I worked out a figure."
    if observation.clarification is not None:
        return "I have a question back."
    return "I looked for the right tables."


def say_failure(call: ToolCall, error: Exception, question: str | None = None) -> str:
    """Return what went wrong with a call; a fault speaks for itself."""
    what = _what_failed(call, question)
    if not isinstance(error, ToolError):
        return f"{what}: {shortened(str(error), 200)}"
    reason = plain_reason(error.reason)  # it may quote the model, or a row
    return f"{what}: {reason if _OUR_OWN.fullmatch(reason) else _shown(reason, question)}."


def _what_failed(call: ToolCall, question: str | None) -> str:
    match call.name:
        case "find_tables":
            return "My look for tables failed"
        case "get_schema":
            return f"I could not look at {_argument(call, 'table_name', question)}"
        case "execute_read_only_sql":
            return "My query failed"
        case "generate_chart":
            return "My chart failed"
        case "calculate":
            return "My calculation failed"
        case "ask_user":
            return "My question back failed"
        case _:
            return f"A step called {_name(call, question)} failed"


def _argument(call: ToolCall, name: str, question: str | None) -> str:
    return _shown(shortened(str(call.arguments.get(name, "a table")), 60), question)


def _name(call: ToolCall, question: str | None) -> str:
    return _shown(repr(shortened(call.name, 60)), question)


def _shown(words: str, question: str | None) -> str:
    if question is None or _IDENTIFIER.fullmatch(words):
        return words
    return without_figures(words, question)
