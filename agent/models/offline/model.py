"""`OfflineModel`: the planner behind the protocol of a language model."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from datetime import date

from agent.messages import Message, ToolCall, ToolSpec, Turn, directive_in
from agent.models.offline.conversation import read_messages
from agent.models.offline.known import Known
from agent.models.offline.next_turn import NextTurn
from agent.models.offline.plan import ask, next_step

logger = logging.getLogger(__name__)

CANNOT_READ = "I could not read this question. Please put it differently, in one plain sentence."


class OfflineModel:
    """Answers without a key and without a network; holds nothing between two calls."""

    @property
    def name(self) -> str:
        return "offline"

    def respond(
        self,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        *,
        timeout_s: float,
    ) -> Turn:
        """Return the next turn, worked out anew from all messages. Raises nothing."""
        known = read_messages(messages)
        directive = directive_in(messages)
        allowed = directive.tools if directive else [tool.name for tool in tools]
        step = _next_step(known, _today(system), frozenset(allowed))
        calls = tuple(
            ToolCall(f"offline_{known.hops + number}", call.tool, call.arguments)
            for number, call in enumerate(step.calls, start=1)
        )
        return Turn(step.text, calls, stop_reason="tool_use" if calls else "end_turn")


def _next_step(known: Known, today: date, allowed: frozenset[str]) -> NextTurn:
    """Return the next step; a question that trips a rule is one that the rules do not reach."""
    try:
        return next_step(known, today, allowed)
    except (LookupError, ValueError, AssertionError, StopIteration, TypeError):
        logger.exception(
            "offline model: no rule reads a question", extra={"private": known.question}
        )
        return ask(CANNOT_READ, (), allowed)


def _today(system: str) -> date:
    match = re.search(r"Today is (\d{4}-\d{2}-\d{2})", system)
    # Without a date in the prompt, a relative period means what it means on this machine.
    return date.fromisoformat(match[1]) if match else date.today()
