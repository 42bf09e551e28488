"""What Claude was told once stays as it was: for its cache, and for its thoughts."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from agent.checkpoint import Recorded
from agent.messages import (
    AgentResult,
    Directive,
    Observations,
    ToolResult,
    ToolSpec,
    Transition,
    Turn,
    UserMessage,
)
from agent.models.claude import ClaudeModel
from agent.prompts import system_prompt
from agent.protocols import Trail
from agent.run import Agent, make_agent
from agent.settings import AgentSettings
from agent.state import TOOL_SCOPE
from agent.toolbox import Toolbox

KEY = "sk-ant-test-0123456789abcdef"
MARK = {"type": "ephemeral"}
QUESTION = UserMessage("How many films are there?")
PLANNING = Directive("planning", ("find_tables", "get_schema"))
ACTING = Directive("acting", ("find_tables", "get_schema", "execute_read_only_sql"))
CONCLUDING = Directive("concluding", ())
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"words": {"type": "string"}},
    "required": ["words"],
    "additionalProperties": False,
}
TOOLS = (ToolSpec("find_tables", "Find tables.", SCHEMA), ToolSpec("get_schema", "Read.", SCHEMA))


@pytest.fixture(scope="module")
def agent(demo_database_url: str) -> Iterator[Agent]:
    settings = AgentSettings(model="offline")
    with make_agent(settings, demo_database_url) as made:
        yield made


def make(api: Any) -> ClaudeModel:
    return ClaudeModel(api_key=KEY, base_url=api.url, first_wait_s=0.01)


def ask(model: ClaudeModel, *messages: Any, tools: Any = TOOLS) -> Turn:
    return model.respond("Answer.", messages, tools, timeout_s=20)


def thought(signature: str) -> dict[str, Any]:
    return {"type": "thinking", "thinking": "Hm.", "signature": signature}


def call(call_id: str, name: str = "find_tables", **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def result(call_id: str, content: str) -> Observations:
    return Observations((ToolResult(call_id, "find_tables", content),))


def bare(value: Any) -> Any:
    """A request's part without its marks."""
    if isinstance(value, dict):
        return {key: bare(each) for key, each in value.items() if key != "cache_control"}
    return [bare(each) for each in value] if isinstance(value, list) else value


def thoughts_in(request: dict[str, Any]) -> list[str]:
    blocks = [block for m in request["messages"] for block in m["content"]]
    return [block["signature"] for block in blocks if block["type"] == "thinking"]


class Gone(BaseException):
    """The process has ended."""


class OneStep(Trail):
    """Keeps what a run has come to, and ends its process with the first new transition."""

    def __init__(self, recorded: Sequence[Recorded] = ()) -> None:
        self.recorded = [*recorded]

    def record(self, transition: Transition) -> None: ...

    def keep(self, number: int, transition: Transition, checkpoint: Mapping[str, Any]) -> None:
        self.recorded.append(Recorded(transition, json.loads(json.dumps(checkpoint))))
        raise Gone


def in_many_processes(agent: Agent, api: Any) -> AgentResult:
    """A run in which each process ends with its first transition."""
    trail = OneStep()
    while True:
        try:
            return replace(agent, model=make(api)).run(
                "how many films are there?", trail=trail, resume=trail.recorded
            )
        except Gone:
            trail = OneStep(trail.recorded)


def run_of(api: Any, agent: Agent, *, cut_off: bool = False) -> list[dict[str, Any]]:
    """A run with two tables, a query that fails, a draft that is refused, and the answer."""
    look = ({"table_name": "film"}, {"table_name": "actor"})
    api.say(*(call(f"t{n}", "get_schema", **each) for n, each in enumerate(look)), stop="tool_use")
    for n, query in enumerate(("SELECT titel FROM film", "SELECT count(*) AS films FROM film")):
        api.say(
            thought(f"s{n}"),
            call(f"q{n}", "execute_read_only_sql", query=query),
            stop="tool_use",
        )
    api.say(thought("s3"), "There are 4,711 films.")
    api.say(thought("s4"), "There are 1,000 films.")
    if cut_off:
        answer = in_many_processes(agent, api)
    else:
        answer = replace(agent, model=make(api)).run("how many films are there?")
    assert answer.answer == "There are 1,000 films."
    assert not api.refusals
    return list(api.requests)


def test_system_and_tools_are_the_same_in_every_turn_and_what_was_said_stays(
    api: Any, agent: Agent
) -> None:
    requests = run_of(api, agent)
    assert len(requests) == 5
    for earlier, later in pairwise(requests[:4]):
        assert bare(earlier["tools"]) == bare(later["tools"])
        assert bare(earlier["system"]) == bare(later["system"])
        said = bare(earlier["messages"])
        assert bare(later["messages"])[: len(said)] == said
    assert bare(requests[4]["system"]) == bare(requests[0]["system"])


def test_each_turn_marks_where_it_reads_and_where_the_next_one_will(api: Any, agent: Agent) -> None:
    requests = run_of(api, agent)
    for request in requests:
        assert request["system"][-1]["cache_control"] == MARK
        said = [m["content"] for m in request["messages"] if m["role"] == "user"]
        marked = [blocks[-1].get("cache_control") == MARK for blocks in said]
        assert marked == [False] * (len(said) - 2) + [True] * min(len(said), 2)
    for earlier, later in pairwise(requests[:4]):
        at = len(earlier["messages"]) - 1
        assert later["messages"][at] == earlier["messages"][at]


def test_thoughts_go_back_as_long_as_nothing_before_them_changed(api: Any, agent: Agent) -> None:
    requests = run_of(api, agent)
    assert [thoughts_in(each) for each in requests] == [[], [], ["s0"], ["s0", "s1"], ["s0", "s1"]]


def test_who_goes_on_with_a_run_in_another_process_sends_the_very_same(
    api: Any, agent: Agent
) -> None:
    whole = run_of(api, agent)
    api.requests.clear()
    pieces = run_of(api, agent, cut_off=True)

    def timeless(requests: list[dict[str, Any]]) -> list[str]:
        return [re.sub(r"in \d+ ms", "in no time", json.dumps(each)) for each in requests]

    assert timeless(pieces) == timeless(whole)
    assert thoughts_in(pieces[3]) == ["s0", "s1"]


def test_thoughts_that_came_after_a_changed_result_stay_out(api: Any) -> None:
    model = make(api)
    asked = (QUESTION, PLANNING)
    api.say(thought("s0"), call("t0", words="film"), stop="tool_use")
    first = ask(model, *asked)
    api.say(thought("s1"), call("t1", words="actor"), stop="tool_use")
    second = ask(model, *asked, first, result("t0", "film, " * 90))
    api.say(thought("s2"), call("t2", words="store"), stop="tool_use")
    short = (*asked, first, result("t0", "film, …"), second, result("t1", "actor"))
    third = ask(model, *short)
    api.say("Done.")
    ask(model, *short, third, result("t2", "store"))
    assert [thoughts_in(each) for each in api.requests] == [[], ["s0"], ["s0"], ["s0", "s2"]]
    assert not api.refusals


def test_what_is_due_stands_at_the_end_of_what_was_said_and_stays_there(api: Any) -> None:
    api.say(call("t0", words="film"), stop="tool_use")
    api.say("Done.")
    model = make(api)
    turn = ask(model, QUESTION, PLANNING)
    ask(model, QUESTION, PLANNING, turn, result("t0", "film"), ACTING)
    (question,) = api.requests[0]["messages"]
    assert question["content"][0]["text"] == (
        "How many films are there?\n\n"
        "[Your task now: planning. Tools that you may use now: find_tables, get_schema.]"
    )
    given = api.requests[1]["messages"][-1]["content"]
    assert len(given) == 1
    assert given[0]["content"].startswith("film\n\n[Your task now: acting. Tools that")


def test_past_the_last_call_the_tools_stay_and_none_may_be_called(api: Any) -> None:
    api.say(call("t0", words="film"), stop="tool_use")
    api.say("Done.")
    model = make(api)
    turn = ask(model, QUESTION, PLANNING)
    ask(model, QUESTION, PLANNING, turn, result("t0", "film"), CONCLUDING)
    first, last = api.requests
    assert "tool_choice" not in first
    assert last["tool_choice"] == {"type": "none"}
    assert last["tools"] == first["tools"]


def test_what_nobody_reads_again_is_not_written_to_the_cache(api: Any) -> None:
    """As a judge's question is not, or the last turn of a run."""
    api.say("Done.")
    ask(make(api), QUESTION)
    assert "cache_control" not in str(api.requests[0]["messages"])


def test_tools_are_strict_where_the_api_can_hold_the_model_to_them(api: Any) -> None:
    tools = Toolbox(None, None).specs  # type: ignore[arg-type]
    api.say("Hm.")
    ask(make(api), QUESTION, PLANNING, tools=tools)
    strict = {tool["name"]: tool.get("strict", False) for tool in api.requests[0]["tools"]}
    assert set(strict) == set(TOOL_SCOPE[True, True])
    # A chart has more that may be left out than the API takes; its arguments are checked by us.
    assert [name for name, held in strict.items() if not held] == ["generate_chart"]
    assert not api.refusals


@pytest.mark.parametrize(
    "schema",
    [
        {**SCHEMA, "additionalProperties": True},
        {**SCHEMA, "properties": {"words": {"type": "string", "maxLength": 9}}},
        {**SCHEMA, "properties": {f"p{n}": {"type": "string"} for n in range(30)}, "required": []},
        {
            "type": "object",
            "properties": {"child": {"$ref": "#/$defs/Node"}},
            "required": ["child"],
            "additionalProperties": False,
            "$defs": {"Node": {"type": "object", "properties": {"n": {"$ref": "#/$defs/Node"}}}},
        },
    ],
)
def test_a_schema_that_the_api_would_refuse_is_sent_as_before(api: Any, schema: Any) -> None:
    api.say("Hm.")
    ask(make(api), QUESTION, tools=(ToolSpec("find_tables", "Find.", schema),))
    assert "strict" not in api.requests[0]["tools"][0]
    assert not api.refusals


def test_a_gateway_that_knows_no_strict_tools_is_asked_without(
    api: Any, caplog: pytest.LogCaptureFixture
) -> None:
    api.fail(400, "tools.0.custom.strict: Extra inputs are not permitted")
    api.say("There are 1,000.")
    api.say("Still.")
    model = make(api)
    with caplog.at_level(logging.WARNING):
        assert ask(model, QUESTION).text == "There are 1,000."
    assert "takes no strict tools" in caplog.text
    ask(model, QUESTION)
    assert ["strict" in request["tools"][0] for request in api.requests] == [True, False, False]


def test_a_gateway_that_changes_what_was_said_gets_no_thoughts_back(api: Any) -> None:
    model = make(api)
    api.say(thought("s0"), call("t0", words="film"), stop="tool_use")
    turn = ask(model, QUESTION, PLANNING)
    api.fail(400, "messages.1.content.0: Invalid `signature` in `thinking` block. The block is …")
    api.say("Done.")
    assert ask(model, QUESTION, PLANNING, turn, result("t0", "film")).text == "Done."
    assert [thoughts_in(each) for each in api.requests] == [[], ["s0"], []]


def test_what_is_told_first_is_long_enough_for_a_cache_and_short_enough_to_pay_for() -> None:
    tools = Toolbox(None, None).specs  # type: ignore[arg-type]
    told = len(system_prompt(today="2026-01-01 (Thursday)", time_zone="UTC"))
    told += sum(len(tool.description) + len(str(tool.input_schema)) for tool in tools)
    assert 4 * 1_024 < told < 8_000  # below 1,024 tokens the default model's cache keeps nothing
