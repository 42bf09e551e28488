"""`OfflineModel`: the planner behind the protocol of a language model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from agent.messages import Message, ToolCall, ToolSpec, Turn
from agent.models.offline.known import read_messages
from agent.models.offline.plan import next_step


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
        step = next_step(known, _today(system), frozenset(tool.name for tool in tools))
        calls = tuple(
            ToolCall(f"offline_{known.hops + number}", call.tool, call.arguments)
            for number, call in enumerate(step.calls, start=1)
        )
        return Turn(step.text, calls, stop_reason="tool_use" if calls else "end_turn")


def _today(system: str) -> date:
    match = re.search(r"Today is (\d{4}-\d{2}-\d{2})", system)
    # Without a date in the prompt, a relative period means what it means on this machine.
    return date.fromisoformat(match[1]) if match else date.today()
