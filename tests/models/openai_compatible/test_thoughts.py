"""Servers that want back what their model thought: some refuse a conversation without it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent.messages import PAST, Observations, ToolResult, ToolSpec, Turn, UserMessage
from agent.models.openai_compatible import PRESETS
from agent.models.openai_compatible.model import OpenAICompatibleModel

TOOLS = (ToolSpec("find_tables", "Find tables.", {"type": "object", "properties": {}}),)
WORDS = [
    "thinking is enabled but reasoning_content is missing in assistant tool call message",
    "Missing `reasoning_content` field in the assistant message at message index 2. For more",
    "The `reasoning_content` in the thinking mode must be passed back to the API.",
]


@pytest.fixture
def demanding(start_server: Any) -> Any:
    """A server that takes no message of its model's without what was thought, not even a blank."""
    server = start_server("vllm")
    server.thoughts, answer = [], server.answer

    def check(path: str, headers: dict[str, str], raw: bytes) -> Any:
        body = json.loads(raw)
        said = [each for each in body["messages"] if each["role"] == "assistant"]
        thoughts = [each.pop("reasoning_content", "") for each in said]
        server.thoughts.append(thoughts)
        reply = answer(path, headers, json.dumps(body).encode())
        if all(thoughts):
            return reply
        server.replies.insert(0, reply)
        return type(reply)({"error": {"message": server.words}}, 400)

    server.answer = check
    return server


def think(server: Any, thought: str, call_id: str) -> None:
    function = {"name": "find_tables", "arguments": "{}"}
    call = {"id": call_id, "type": "function", "function": function}
    message = {"role": "assistant", "content": "", "tool_calls": [call]}
    server.say_message({**message, "reasoning_content": thought})


@pytest.mark.parametrize("words", WORDS)
def test_what_was_thought_goes_back_to_who_wants_it(demanding: Any, words: str) -> None:
    demanding.words = words
    model = OpenAICompatibleModel(
        PRESETS["vllm"], "small", base_url=demanding.url, first_wait_s=0.01
    )
    said: list[Any] = [UserMessage("Before?"), Turn("Yes.", stop_reason=PAST), UserMessage("Now?")]
    for number in range(3):
        think(demanding, f"Hm {number}.", f"call_{number}")
        turn = model.respond("Answer.", said, TOOLS, timeout_s=20)
        (call,) = turn.tool_calls
        assert turn.text == ""
        said += [turn, Observations((ToolResult(call.id, call.name, "film"),))]
    demanding.say("Done.")
    assert model.respond("Answer.", said, TOOLS, timeout_s=20).text == "Done."
    later = [[" ", *(f"Hm {n}." for n in range(known))] for known in (1, 2, 3)]
    assert demanding.thoughts == [[""], [" "], *later]


def test_what_was_thought_goes_to_nobody_who_does_not_ask_for_it(server: Any) -> None:
    model = OpenAICompatibleModel(
        PRESETS["openai"], "small", api_key=server.key, base_url=server.url, first_wait_s=0.01
    )
    think(server, "Hm.", "call_0")
    turn = model.respond("Answer.", [UserMessage("Now?")], TOOLS, timeout_s=20)
    assert turn.provider_content == ()
    server.say("Done.")
    found = Observations((ToolResult("call_0", "find_tables", "film"),))
    model.respond("Answer.", [UserMessage("Now?"), turn, found], TOOLS, timeout_s=20)
    assert "reasoning_content" not in json.dumps(server.requests)
    assert not server.refusals


SIGNATURES = [
    "Function call is missing a thought_signature in functionCall parts. This is required for",
    "Unable to submit request because function call `find_tables` in the 2. content block is "
    "missing a `thought_signature`.",
]


@pytest.mark.parametrize("words", SIGNATURES)
def test_a_server_that_signs_thoughts_is_told_that_these_calls_have_none(
    start_server: Any, words: str
) -> None:
    server, signed = start_server("vllm"), []
    answer = server.answer

    def check(path: str, headers: dict[str, str], raw: bytes) -> Any:
        body = json.loads(raw)
        calls = [call for each in body["messages"] for call in each.get("tool_calls", ())]
        signed.append([call.pop("extra_content", None) for call in calls])
        reply = answer(path, headers, json.dumps(body).encode())
        if all(signed[-1]):
            return reply
        server.replies.insert(0, reply)
        return type(reply)([{"error": {"code": 400, "message": words}}], 400)

    server.answer = check
    model = OpenAICompatibleModel(PRESETS["vllm"], "small", base_url=server.url, first_wait_s=0.01)
    think(server, "", "call_0")
    turn = model.respond("Answer.", [UserMessage("Now?")], TOOLS, timeout_s=20)
    found = Observations((ToolResult("call_0", "find_tables", "film"),))
    said = [UserMessage("Now?"), turn, found]
    for _ in range(2):
        server.say("Done.")
        assert model.respond("Answer.", said, TOOLS, timeout_s=20).text == "Done."
    unsigned = {"google": {"thought_signature": "skip_thought_signature_validator"}}
    assert signed == [[], [None], [unsigned], [unsigned]]
