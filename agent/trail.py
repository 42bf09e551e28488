"""Tool calls in plain English, for a person who knows no SQL."""

from __future__ import annotations

from agent.errors import ToolError
from agent.messages import Observation, ToolCall


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
        case "ask_user":
            return "Asking you back."
        case _:
            return f"Trying a step called {_short(call.name)!r}."


def say_success(call: ToolCall, observation: Observation) -> str:
    """Return what was done, and what came of it."""
    if observation.result is not None:
        count = len(observation.result.rows)
        rows = "1 row" if count == 1 else f"{count:,} rows"
        return f"I ran a query: {rows} in {observation.result.duration_ms:.0f} ms."
    if observation.table is not None:
        return f"I looked at {observation.table}."
    if observation.chart is not None:
        return "I drew a chart."
    if observation.clarification is not None:
        return "I have a question back."
    return "I looked for the right tables."


def say_failure(call: ToolCall, error: Exception) -> str:
    """Return what went wrong with a call, in the words of its error."""
    what = {
        "find_tables": "My look for tables failed",
        "get_schema": f"I could not look at {_argument(call, 'table_name')}",
        "execute_read_only_sql": "My query failed",
        "generate_chart": "My chart failed",
    }.get(call.name, f"A step called {_short(call.name)!r} failed")
    reason = error.reason if isinstance(error, ToolError) else str(error)
    return f"{what}: {_short(reason, 200)}"


def _argument(call: ToolCall, name: str) -> str:
    return _short(str(call.arguments.get(name, "a table")))


def _short(text: str, limit: int = 60) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
