"""Replies that no sound server gives: the run goes on, and the bill stays right."""

from __future__ import annotations

from typing import Any

import pytest

from agent.errors import ModelUnavailable
from agent.messages import Observations, ToolResult, ToolSpec, Turn, Usage, UserMessage
from agent.models.claude import ClaudeModel
from agent.models.counting import MAX_TOKENS, believed

KEY = "sk-ant-test-0123456789abcdef"
ASKED = UserMessage("How many films?")
LOOK = ToolSpec("get_schema", "A table.", {"type": "object", "properties": {}})
COUNTED = Usage(11, 7, 100)


def claude(api: Any) -> ClaudeModel:
    return ClaudeModel(KEY, base_url=api.url, first_wait_s=0.01)


def ask(model: Any, *more: Any) -> Turn:
    turn: Turn = model.respond("Answer.", [ASKED, *more], (LOOK,), timeout_s=20.0)
    return turn


def use(call_id: str, given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "get_schema", "input": given}


@pytest.mark.parametrize(
    ("count", "number"),
    [(0, 0), (7, 7), (7.0, 7), (MAX_TOKENS, MAX_TOKENS)]
    + [(odd, None) for odd in (-1, 7.5, "7", True, None, [], MAX_TOKENS + 1, float("nan"))],
)
def test_a_count_is_believed_where_it_can_be_one(count: object, number: int | None) -> None:
    assert believed(count) == number


@pytest.mark.parametrize("odd", [None, -5, "eleven", 10**15, 11.5])
def test_tokens_that_are_not_told_are_estimated(api: Any, odd: Any) -> None:
    api.say("There are 1,000 films.")
    api.replies[0].body["usage"]["input_tokens"] = odd
    usage = ask(claude(api)).usage
    assert 10 < usage.input_tokens < 1_000
    assert (usage.output_tokens, usage.cache_read_tokens) == (7, 100)


def test_a_piece_that_came_is_on_the_bill_though_no_further_one_comes(api: Any) -> None:
    api.say("Let me see.", stop="pause_turn")
    api.fail(401, "No.")
    turn = ask(claude(api))
    assert (turn.stop_reason, turn.usage) == ("pause_turn", COUNTED)
    api.fail(401, "No.")
    with pytest.raises(ModelUnavailable, match="does not accept our key"):
        ask(claude(api), turn, UserMessage("Go on."))


def test_an_answer_that_is_held_back_is_a_refusal_and_costs_nothing(api: Any) -> None:
    api.fail(400, "Output blocked by content filtering policy")
    turn = ask(claude(api))
    assert (turn.stop_reason, turn.usage) == ("refusal", Usage())
    assert len(api.requests) == 1


@pytest.mark.parametrize("status", [408, 409])
def test_who_asked_too_slowly_is_not_told_of_a_mistake_of_ours(api: Any, status: int) -> None:
    for _ in range(4):
        api.fail(status, "Try again.")
    with pytest.raises(ModelUnavailable, match="Claude has trouble right now"):
        ask(claude(api))


@pytest.mark.parametrize("given", ["{broken", ["film"], None, 7])
def test_arguments_that_are_no_object_are_told_and_not_sent_back(api: Any, given: Any) -> None:
    api.say(use("toolu_1", given), stop="tool_use")
    turn = ask(claude(api))
    assert turn.tool_calls[0].malformed
    api.say("Sorry.")
    ask(claude(api), turn, results_of(turn))
    sent = api.requests[-1]["messages"][1]["content"]
    assert sent == [use("toolu_1", {})]
    assert not api.refusals


def test_an_id_that_another_call_has_is_replaced_by_one_of_its_own(api: Any) -> None:
    api.say(use("toolu_1", {}), use("toolu_1", {"a": 1}), stop="tool_use")
    first = ask(claude(api))
    api.say(use("toolu_1", {}), stop="tool_use")
    second = ask(claude(api), first, results_of(first))
    api.say("Done.")
    ask(claude(api), first, results_of(first), second, results_of(second))
    blocks = [block for each in api.requests[-1]["messages"] for block in each["content"]]
    ids = [block["id"] for block in blocks if block["type"] == "tool_use"]
    assert len(set(ids)) == len(ids) == 3
    assert ids[0] == "toolu_1"
    answered = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
    assert answered == ids
    assert not api.refusals


def results_of(turn: Turn) -> Observations:
    return Observations(tuple(ToolResult(c.id, c.name, "No.", True) for c in turn.tool_calls))
