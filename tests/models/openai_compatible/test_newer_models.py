"""Models that think: some call tools only without, and all are paid for what they thought."""

from __future__ import annotations

from typing import Any

import pytest

from agent.messages import (
    Observations,
    ToolCall,
    ToolResult,
    ToolSpec,
    Turn,
    Usage,
    UserMessage,
)
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


BILLS = [
    # What was thought counts as written, also where a server leaves it out of what was said.
    (
        {
            "prompt_tokens": 20,
            "completion_tokens": 1,
            "total_tokens": 221,
            "completion_tokens_details": {"reasoning_tokens": 200},
        },
        Usage(20, 201),
    ),
    ({"prompt_tokens": 21, "completion_tokens": 0, "total_tokens": 81}, Usage(21, 60)),
    (
        {
            "prompt_tokens": 20,
            "completion_tokens": 201,
            "total_tokens": 221,
            "completion_tokens_details": {"reasoning_tokens": 200},
        },
        Usage(20, 201),
    ),
    ({"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 3}, Usage(20, 5)),
    ({"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": "many"}, Usage(20, 5)),
    # What is written to the cache has a price of its own, and is part of what was read.
    (
        {
            "prompt_tokens": 2_000,
            "completion_tokens": 5,
            "total_tokens": 2_005,
            "prompt_tokens_details": {"cached_tokens": 1_024, "cache_write_tokens": 900},
        },
        Usage(76, 5, cache_read_tokens=1_024, cache_write_tokens=900),
    ),
    (
        {
            "prompt_tokens": 100,
            "completion_tokens": 5,
            "prompt_tokens_details": {"cached_tokens": 80, "cache_write_tokens": 900},
        },
        Usage(0, 5, cache_read_tokens=80, cache_write_tokens=20),
    ),
]


@pytest.mark.parametrize(("counted", "usage"), BILLS)
def test_all_that_is_paid_for_is_on_the_bill(
    server: Any, model: OpenAICompatibleModel, counted: dict[str, Any], usage: Usage
) -> None:
    server.say("Done.", usage=counted)
    assert ask(model).usage == usage


def test_arguments_go_back_as_they_are_read_and_without_halves_of_characters(
    server: Any, model: OpenAICompatibleModel
) -> None:
    server.say("Done.")
    call = ToolCall("call_1", "find_tables", {"words": "Bücher \ud83d"})
    found = Observations((ToolResult("call_1", "find_tables", "book"),))
    said = [UserMessage("How many books?"), Turn(tool_calls=(call,)), found]
    model.respond("Answer.", said, TOOLS, timeout_s=20)
    (sent,) = server.requests[0]["messages"][2]["tool_calls"]
    assert sent["function"]["arguments"] == '{"words": "Bücher ?"}'


def test_a_server_that_wants_short_ids_gets_them_for_what_another_one_began(
    start_server: Any,
) -> None:
    server = start_server("vllm")
    words = "Tool call id was toolu_01 but must be a-z, A-Z, 0-9, with a length of 9."
    server.fail(400, words)
    server.say("Done.")
    server.say("Done.")
    model = OpenAICompatibleModel(PRESETS["vllm"], "small", base_url=server.url, first_wait_s=0.01)
    calls = tuple(ToolCall(f"toolu_01_{n}", "find_tables", {}) for n in range(2))
    found = Observations(tuple(ToolResult(each.id, each.name, "film") for each in calls))
    said = [UserMessage("How many films?"), Turn(tool_calls=calls), found]
    for _ in range(2):
        assert model.respond("Answer.", said, TOOLS, timeout_s=20).text == "Done."
    first, *later = (request["messages"] for request in server.requests)
    assert first[2]["tool_calls"][0]["id"] == "toolu_01_0"
    for messages in later:
        ids = [call["id"] for call in messages[2]["tool_calls"]]
        assert len(set(ids)) == 2
        assert all(len(each) == 9 and each.isalnum() for each in ids)
        assert [message["tool_call_id"] for message in messages[3:]] == ids
    assert not server.refusals
