"""Models that think before they call a tool, which chat completions lets some do only without."""

from __future__ import annotations

from typing import Any

import pytest

from agent.messages import ToolSpec, Turn, UserMessage
from agent.models.openai_compatible import PRESETS
from agent.models.openai_compatible.model import OpenAICompatibleModel

KEY = "sk-test-0123456789abcdef"
TOOLS = (ToolSpec("find_tables", "Find tables.", {"type": "object", "properties": {}}),)
CONFLICT = (
    "Function tools with reasoning_effort are not supported for small in /v1/chat/completions. "
    "To use function tools, use /v1/responses or set reasoning_effort to 'none'."
)
NO_NONE = (
    "Unsupported value: 'reasoning_effort' does not support 'none' with this model. Supported "
    "values are: 'low', 'medium', 'high', and 'xhigh'."
)


@pytest.fixture
def model(server: Any) -> OpenAICompatibleModel:
    return OpenAICompatibleModel(
        PRESETS["openai"], "small", api_key=KEY, base_url=server.url, first_wait_s=0.01
    )


def ask(model: OpenAICompatibleModel, tools: Any = TOOLS) -> Turn:
    return model.respond("Answer.", [UserMessage("How many films?")], tools, timeout_s=20)


def test_a_model_that_calls_only_without_thinking_is_asked_not_to(
    server: Any, model: OpenAICompatibleModel
) -> None:
    server.fail(400, CONFLICT)
    for _ in range(3):
        server.say("Done.")
    assert [ask(model).text for _ in range(2)] == ["Done."] * 2
    ask(model, tools=())
    efforts = [request.get("reasoning_effort") for request in server.requests]
    assert efforts == [None, "none", "none", None]
    assert not server.refusals


def test_a_model_that_cannot_do_without_is_told_of_its_tools_in_words(
    server: Any, model: OpenAICompatibleModel
) -> None:
    server.fail(400, CONFLICT)
    server.fail(400, NO_NONE)
    server.say('<tool_call>{"name": "find_tables", "arguments": {}}</tool_call>')
    assert [call.name for call in ask(model).tool_calls] == ["find_tables"]
    last = server.requests[-1]
    assert "tools" not in last
    assert "reasoning_effort" not in last
    assert "find_tables" in last["messages"][0]["content"]
