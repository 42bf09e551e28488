"""What a span says of an act, by OpenTelemetry's semantic conventions; nothing private."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from agent.watching import Act, Kind
from bot.telemetry import kinds
from bot.telemetry.sql_text import without_literals

Facts = dict[str, Any]
_PROVIDERS: Final = {"claude": "anthropic", "offline": "db_agent.offline"}
_OPENAI: Final = "openai"


def span_name(act: Act) -> str:
    """Return the name of an act's span: few names in all, as the conventions want it."""
    match act.kind:
        case Kind.MODEL:
            return f"chat {act.name}"
        case Kind.QUERY:
            return "SELECT"
        case Kind.TOOL:
            return f"execute_tool {act.name}"
        case _:
            return f"{act.kind} {act.name}"


def facts_before(act: Act) -> Facts:
    """Return what is known as an act begins."""
    match act.kind:
        case Kind.MODEL:
            return {
                "gen_ai.operation.name": "chat",
                "gen_ai.provider.name": _provider(act.name),
                "gen_ai.request.model": act.name,
            }
        case Kind.TOOL:
            return {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": act.name}
        case Kind.QUERY:
            return {
                "db.system.name": "postgresql",
                "db.operation.name": "SELECT",
                "db.query.text": without_literals(str(act.facts.get("statement", ""))),
            }
        case kinds.SLACK:
            return {"rpc.system.name": "slack", "rpc.method": act.name}
        case _:
            return {}


def facts_after(act: Act) -> Facts:
    """Return what is known as an act has ended."""
    found: Facts = {"error.type": act.error} if act.error else {}
    for fact, (name, read) in _AFTER.get(act.kind, {}).items():
        if fact in act.facts:
            found[name] = read(act.facts[fact])
    return found


_AFTER: Final[Mapping[str, Mapping[str, tuple[str, Callable[[Any], Any]]]]] = {
    Kind.MODEL: {
        "input_tokens": ("gen_ai.usage.input_tokens", int),
        "output_tokens": ("gen_ai.usage.output_tokens", int),
        "stop_reason": ("gen_ai.response.finish_reasons", lambda reason: [str(reason)]),
        "answered_by": ("gen_ai.response.model", str),
    },
    Kind.QUERY: {
        "rows": ("db.response.returned_rows", int),
        "sqlstate": ("db.response.status_code", str),
    },
    Kind.PHASE: {"event": ("db_agent.event", str)},
}


def _provider(model: str) -> str:
    start = next((each for each in _PROVIDERS if model.startswith(each)), None)
    return _PROVIDERS[start] if start else _OPENAI
