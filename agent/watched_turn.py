"""One call of a model, told to the watch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from agent.errors import ModelUnavailable
from agent.messages import Message, ToolSpec, Turn
from agent.protocols import Model
from agent.watching import Kind, doing

_ENDED: Final = frozenset({"end_turn", "tool_use", "stop_sequence"})


def watched_turn(
    model: Model,
    system: str,
    messages: Sequence[Message],
    tools: Sequence[ToolSpec],
    *,
    timeout_s: float,
) -> Turn:
    """Return what `model` responds, or raise what it raises; both are told to the watch."""
    with doing(Kind.MODEL, model.name) as act:
        try:
            turn = model.respond(system, messages, tools, timeout_s=timeout_s)
        except ModelUnavailable as fault:
            act.error = "request_refused" if fault.about_request else "unavailable"
            raise
        usage = turn.usage
        act.facts |= {
            "input_tokens": usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens,
            "output_tokens": usage.output_tokens,
            "stop_reason": turn.stop_reason,
            "answered_by": turn.model or model.name,
        }
        if turn.stop_reason == "refusal":
            act.error = "declined"
        elif turn.stop_reason not in _ENDED:
            act.error = "cut_off"
        return turn
