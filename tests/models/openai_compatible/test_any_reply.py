"""Whatever a server sends, a turn comes of it, and the turn can be sent back."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.messages import Observations, ToolCall, ToolResult, ToolSpec, Turn, Usage, UserMessage
from agent.models.openai_compatible.complaint import Complaint
from agent.models.openai_compatible.dialect import Dialect
from agent.models.openai_compatible.replies import NotACompletion, read_reply, to_turn
from agent.models.openai_compatible.wire import to_request

TOOLS = (ToolSpec("get_schema", "Read.", {"type": "object", "properties": {}}),)
FIELDS = st.sampled_from(
    [
        *("content", "tool_calls", "function_call", "function", "name", "arguments", "id"),
        *("parameters", "refusal", "type", "text", "error", "code", "message", "input"),
    ]
)
WORDS = st.text(max_size=12) | st.sampled_from(
    [
        *("get_schema", "<tool_call>", "</tool_call>", "<think>", "</think>", "[TOOL_CALLS]"),
        *('{"name": "get_schema", "arguments": {}}', "```json", "```", "<function=get_schema>"),
        *('{"name": 1}', "t1", "<|python_tag|>", "{", "}", '"', "\ud83c", "text"),
    ]
)
TEXTS = st.lists(WORDS, max_size=6).map("".join)
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS
ANYTHING = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(FIELDS, inner, max_size=5),
    max_leaves=12,
)
MESSAGES = st.dictionaries(FIELDS, ANYTHING, max_size=5) | ANYTHING
DIALECTS = st.builds(
    Dialect,
    limit=st.sampled_from(["max_tokens", "max_completion_tokens", ""]),
    **dict.fromkeys(
        ("tools", "tool_choice", "several_calls", "system", "user_after_tool"), st.booleans()
    ),
)


@settings(max_examples=300, deadline=None)
@given(message=MESSAGES, reason=ANYTHING, usage=ANYTHING, dialect=DIALECTS, offered=st.booleans())
def test_any_reply_becomes_a_turn_that_can_be_sent_back(
    check_request: Callable[[Any], None],
    message: Any,
    reason: Any,
    usage: Any,
    dialect: Dialect,
    offered: bool,
) -> None:
    choice = {"message": message, "finish_reason": reason}
    try:
        reply = read_reply(json.dumps({"choices": [choice], "usage": usage}).encode())
    except NotACompletion:
        return
    if isinstance(reply, Complaint):
        return
    earlier = Turn(tool_calls=(ToolCall("t1", "get_schema", {}),))
    turn = to_turn(reply, {"get_schema"}, {"t1"}, Usage(1, 1))
    ids = [call.id for call in turn.tool_calls]
    assert len({*ids, "t1"}) == len(ids) + 1
    assert all(isinstance(call.arguments, dict) for call in turn.tool_calls)
    results = Observations(tuple(ToolResult(each, "x", "1") for each in ids[1:]))
    said = (UserMessage("?"), earlier, turn, results, UserMessage("Go on."))
    body = to_request("small", 9, "Answer.", said, TOOLS if offered else (), dialect)
    json.dumps(body, ensure_ascii=False).encode()
    check_request(body)


LONG = {
    **{"fence and blanks": "```" + 200_000 * " ", "fence and letters": "```" + 200_000 * "a"},
    **{"name and blanks": "get_schema" + 200_000 * " ", "objects": 100_000 * "{},"},
    **{"thoughts": 60_000 * "<think>", "calls": 60_000 * "<tool_call>", "fences": 60_000 * "```"},
    **{"nested": 50_000 * '[{"name":', "function and blanks": "<function=a" + 200_000 * " "},
    **{"parameters": "<function=a>" + 30_000 * "<parameter=", "tails": 60_000 * "[TOOL_CALLS]"},
}


@pytest.mark.parametrize("name", LONG)
def test_no_text_takes_long_to_read(name: str) -> None:
    text = LONG[name]
    reply = {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}
    started = time.process_time()
    to_turn(reply, {"get_schema"}, (), Usage())
    assert time.process_time() - started < 5.0
