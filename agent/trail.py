"""Tool calls in plain English, for a person who knows no SQL: what is said while a run goes on."""

from __future__ import annotations

from agent.errors import ToolError
from agent.messages import Observation, ToolCall
from agent.story.reasons import plain_reason
from agent.story.words import count, shortened, took


def say_call(call: ToolCall) -> str:
    """Return what is about to be done."""
    match call.name:
        case "find_tables":
            return "Looking for the right tables."
        case "get_schema":
            return f"Looking at {_argument(call, 'table_name')}."
        case "execute_read_only_sql":
            return "Running a query."
        case "generate_chart":
            return "Drawing a chart."
        case "calculate":
            return "Working out a figure."
        case "ask_user":
            return "Asking you back."
        case _:
            return f"Trying a step called {shortened(call.name, 60)!r}."


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


def say_failure(call: ToolCall, error: Exception) -> str:
    """Return what went wrong with a call; a fault speaks for itself."""
    what = {
        "find_tables": "My look for tables failed",
        "get_schema": f"I could not look at {_argument(call, 'table_name')}",
        "execute_read_only_sql": "My query failed",
        "generate_chart": "My chart failed",
        "calculate": "My calculation failed",
        "ask_user": "My question back failed",
    }.get(call.name, f"A step called {shortened(call.name, 60)!r} failed")
    if isinstance(error, ToolError):
        return f"{what}: {plain_reason(error.reason)}."
    return f"{what}: {shortened(str(error), 200)}"


def _argument(call: ToolCall, name: str) -> str:
    return shortened(str(call.arguments.get(name, "a table")), 60)
