"""What users of the Messages API have met, and its stand-in alone would not show."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from agent.judge.verdict import verdict_spec
from agent.messages import (
    Directive,
    Observations,
    ToolResult,
    ToolSpec,
    Turn,
    Usage,
    UserMessage,
)
from agent.models.claude import ClaudeModel

KEY = "sk-ant-test-0123456789abcdef"
QUESTION = UserMessage("How many films are there?")
ACTING = Directive("acting", ("find_tables",))
CONCLUDING = Directive("concluding", ())
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"words": {"type": "string"}},
    "required": ["words"],
    "additionalProperties": False,
}
TOOLS = (ToolSpec("find_tables", "Find tables.", SCHEMA),)


def make(api: Any) -> ClaudeModel:
    return ClaudeModel(api_key=KEY, base_url=api.url, first_wait_s=0.01)


def ask(model: ClaudeModel, *messages: Any, tools: Any = TOOLS) -> Turn:
    return model.respond("Answer.", messages, tools, timeout_s=20)


def thought(signature: str) -> dict[str, Any]:
    return {"type": "thinking", "thinking": "", "signature": signature}


def call(call_id: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "find_tables", "input": {"words": "film"}}


def result(call_id: str) -> Observations:
    return Observations((ToolResult(call_id, "find_tables", "film"),))


def kinds_in(request: dict[str, Any]) -> list[list[str]]:
    return [[block["type"] for block in message["content"]] for message in request["messages"]]


def test_a_turn_does_not_go_back_with_a_thought_at_its_end(api: Any) -> None:
    """As of a turn that was cut off while it thought; the API refuses such a message."""
    model = make(api)
    api.say(thought("s0"), call("t0"), stop="tool_use")
    first = ask(model, QUESTION, ACTING)
    api.say(thought("s1"), stop="max_tokens")
    told = (QUESTION, ACTING, first, result("t0"))
    cut = ask(model, *told)
    assert cut.stop_reason == "max_tokens"
    api.say(thought("s2"), call("t2"), stop="tool_use")
    told = (*told, cut, UserMessage("That was cut off."))
    third = ask(model, *told)
    api.say("Done.", thought("s3"), stop="max_tokens")
    told = (*told, third, result("t2"))
    last = ask(model, *told)
    api.say("Done.")
    ask(model, *told, last, UserMessage("That was cut off."))
    user = ["tool_result"]
    said = [["text"], ["thinking", "tool_use"], [*user, "text"], ["thinking", "tool_use"], user]
    assert kinds_in(api.requests[2]) == said[:3]
    assert kinds_in(api.requests[4]) == [*said, ["text"], ["text"]]
    assert not api.refusals


def test_a_word_about_a_thought_in_the_wrong_place_is_understood(api: Any) -> None:
    model = make(api)
    api.say(thought("s0"), call("t0"), stop="tool_use")
    turn = ask(model, QUESTION, ACTING)
    api.fail(400, "messages.1: The final block in an assistant message cannot be `thinking`.")
    api.say("Done.")
    assert ask(model, QUESTION, ACTING, turn, result("t0")).text == "Done."
    assert "thinking" not in kinds_in(api.requests[2])[1]


def test_a_turn_whose_calls_are_forbidden_writes_nothing_to_the_cache(api: Any) -> None:
    """Which tools may be chosen is part of what the cache is looked up by, for all messages."""
    model = make(api)
    api.say(call("t0"), stop="tool_use")
    turn = ask(model, QUESTION, ACTING)
    api.say("Done.")
    ask(model, QUESTION, ACTING, turn, result("t0"), CONCLUDING)
    last = api.requests[-1]
    assert last["tool_choice"] == {"type": "none"}
    assert "cache_control" in last["system"][-1]
    assert "cache_control" not in str(last["messages"])


@pytest.fixture
def two_at_once(api: Any) -> Any:
    """The API behind a gateway that knows no strict tools, and hears of two requests together."""
    meeting, answer = threading.Barrier(2, timeout=10), api.answer

    def wait(path: str, headers: dict[str, str], raw: bytes) -> Any:
        if b'"strict"' in raw:
            meeting.wait()
        return answer(path, headers, raw)

    api.answer = wait
    return api


def test_what_is_not_taken_is_left_out_by_all_who_sent_it(two_at_once: Any) -> None:
    for _ in range(2):
        two_at_once.fail(400, "tools.0.custom.strict: Extra inputs are not permitted")
    model, texts = make(two_at_once), []

    def speak() -> None:
        texts.append(ask(model, QUESTION, ACTING).text)

    threads = [threading.Thread(target=speak) for _ in range(2)]
    for _ in range(2):
        two_at_once.say("Done.")
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts == ["Done.", "Done."]


def test_a_judge_is_held_to_the_schema_of_its_verdict_with_the_reason_first(api: Any) -> None:
    """What may be left out, the API has written last."""
    api.say("Hm.")
    ask(make(api), QUESTION, tools=(verdict_spec(),))
    (tool,) = api.requests[0]["tools"]
    assert tool["strict"]
    assert tool["input_schema"]["required"] == ["reason", "valid", "severity"]
    assert list(tool["input_schema"]["properties"]) == ["reason", "valid", "severity"]


def test_lists_of_types_count_as_choices(api: Any) -> None:
    either = {"type": ["string", "null"]}
    names = [f"p{n}" for n in range(17)]
    schema = {**SCHEMA, "properties": dict.fromkeys(names, either), "required": names}
    api.say("Hm.")
    ask(make(api), QUESTION, tools=(ToolSpec("find_tables", "Find.", schema),))
    assert "strict" not in api.requests[0]["tools"][0]


def test_half_a_character_pair_in_a_reply_is_no_reason_to_fail(api: Any) -> None:
    """As where a gateway cut a text between the two; as UTF-8 it could not be sent back."""
    model, half = make(api), "half \ud83d, whole \U0001f600"
    odd = {**call("t0"), "input": {"words": half}}
    api.say(half, odd, stop="tool_use")
    turn = ask(model, QUESTION, ACTING)
    assert turn.text == turn.tool_calls[0].arguments["words"] == "half ?, whole \U0001f600"
    api.given[-1] = list(turn.provider_content)
    api.say("Done.")
    assert ask(model, QUESTION, ACTING, turn, result("t0")).text == "Done."


@pytest.mark.parametrize("stop", [{}, [], 7, True])
def test_a_reason_that_is_no_word_is_none(api: Any, stop: Any) -> None:
    api.say("Done.", stop=stop)
    assert ask(make(api), QUESTION).stop_reason == "unknown"


@pytest.mark.parametrize(
    ("said", "details", "is_free"),
    [
        ((), None, False),
        ((), {"type": "refusal", "category": None}, True),
        ((), {"type": "refusal", "category": "cyber"}, True),
        ((), {"type": "refusal", "category": "bio"}, False),
        ((), {"type": "refusal", "category": "reasoning_extraction"}, False),
        ((), "cyber", False),
        (("I will",), {"type": "refusal", "category": "cyber"}, False),
    ],
)
def test_a_refusal_before_any_word_costs_nothing_but_for_some_kinds(
    api: Any, said: tuple[str, ...], details: Any, is_free: bool
) -> None:
    """As the API charges it: it tells the tokens of such a refusal all the same."""
    api.say(*said, stop="refusal")
    api.replies[-1].body["stop_details"] = details
    turn = ask(make(api), QUESTION)
    assert turn.stop_reason == "refusal"
    assert turn.usage == (Usage() if is_free else Usage(11, 7, 100))
