"""What a turn took beside its last call is on the bill, also where that call gave nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agent.messages import ToolSpec, Usage, UserMessage
from agent.models.openai_compatible import PRESETS
from agent.models.openai_compatible.model import OpenAICompatibleModel

TOOLS = (ToolSpec("find_tables", "Find tables.", {"type": "object", "properties": {}}),)


@pytest.mark.parametrize(
    ("status", "message", "stop"),
    [
        (401, "Incorrect API key", "unknown"),
        (400, "messages[0]: wrong", "unknown"),
        (400, "refused by the content filter", "refusal"),
    ],
)
def test_what_it_took_to_find_out_that_tools_are_not_shown_is_counted(
    start_server: Callable[[str], Any], status: int, message: str, stop: str
) -> None:
    server = start_server("vllm")
    server.drops_tools = True
    server.say("There are 4,711.", usage={"prompt_tokens": 100, "completion_tokens": 10})
    server.fail(status, message)
    model = OpenAICompatibleModel(PRESETS["vllm"], "small", base_url=server.url, first_wait_s=0.01)
    turn = model.respond("Answer.", [UserMessage("How many films?")], TOOLS, timeout_s=20)
    assert server.trials == 2
    assert (turn.stop_reason, turn.text) == (stop, "")
    assert turn.usage.input_tokens > 100  # the trials read something, too
    assert turn.usage.output_tokens == 12


def test_a_call_that_is_read_after_all_costs_what_it_is_estimated_at(
    start_server: Callable[[str], Any],
) -> None:
    server = start_server("groq")
    server.fail(400, "Failed to call a function.", "tool_use_failed")
    server.replies[-1].body["error"]["failed_generation"] = "x" * 300
    model = OpenAICompatibleModel(
        PRESETS["groq"], "small", api_key=server.key, base_url=server.url, first_wait_s=0.01
    )
    turn = model.respond("Answer.", [UserMessage("How many films?")], TOOLS, timeout_s=20)
    assert turn.stop_reason == "malformed_call"
    assert turn.usage != Usage()
    assert turn.usage.output_tokens > 90
