"""The same questions over each adapter, with the real loop and database: how a run goes is the same
whoever speaks, as long as the model says the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from agent.charts.renderer import ProcessRenderer
from agent.database.postgres import PostgresDatabase
from agent.messages import AgentResult, Outcome
from agent.models.claude import ClaudeModel
from agent.models.openai_compatible import PRESETS
from agent.models.openai_compatible.model import OpenAICompatibleModel
from agent.run import Agent

CLAUDE_KEY = "sk-ant-test-0123456789abcdef"
KEY = "sk-test-0123456789abcdef"
COUNT = "SELECT count(*) AS films FROM film"
BY_RATING = "SELECT rating, count(*) AS films FROM film GROUP BY rating ORDER BY rating"


@dataclass(frozen=True)
class Says:
    """A turn of the model: words, calls, or both."""

    text: str = ""
    calls: tuple[tuple[str, Any], ...] = ()
    """Names and arguments; a text stands for arguments that are no object."""
    cut: bool = False
    declined: bool = False


@dataclass(frozen=True)
class Fails:
    """An error of the server, by what it means."""

    why: str
    """overloaded, broken, wrong key, no model, no credit, too large, limited."""


Turns = tuple[Says | Fails, ...]


def call(tool: str, /, **arguments: Any) -> Says:
    return Says(calls=((tool, arguments),))


def sql(query: str) -> Says:
    return call("execute_read_only_sql", query=query)


LOOK = call("get_schema", table_name="film")
RIGHT = Says("There are 1,000 films.")
CHART = {"result": 1, "title": "Films", "mark": "bar", "encoding": {"x": {"field": "rating"}}}
CHART["encoding"]["y"] = {"field": "films"}  # type: ignore[index]
TWO = Says("Plan:\n1. Look.", (*LOOK.calls, ("find_tables", {"words": "rental"})))
DONE = Outcome.ANSWERED
FAULT = Outcome.SYSTEM_FAULT

SCENARIOS: dict[str, tuple[Outcome, Turns]] = {
    "a plain count": (DONE, (LOOK, sql(COUNT), RIGHT)),
    "a plan and two calls in one turn": (DONE, (TWO, sql(COUNT), RIGHT)),
    "a plan in a turn of its own": (DONE, (Says("Plan:\n1. Count."), LOOK, sql(COUNT), RIGHT)),
    "words beside a call": (DONE, (Says("Let me look.", LOOK.calls), sql(COUNT), RIGHT)),
    "a query that fails": (DONE, (LOOK, sql("SELECT x FROM film"), sql(COUNT), RIGHT)),
    "a query that is refused": (DONE, (LOOK, sql("DELETE FROM film"), sql(COUNT), RIGHT)),
    "a table that there is not": (DONE, (call("get_schema", table_name="flim"), *(LOOK,))),
    "arguments that are no object": (DONE, (Says(calls=(("get_schema", "film"),)), LOOK)),
    "arguments that do not fit": (DONE, (call("get_schema", table="film"), LOOK)),
    "a tool that there is not": (DONE, (call("drop_table", name="film"), LOOK)),
    "a tool before its time": (DONE, (sql(COUNT), LOOK)),
    "a turn that was cut off": (DONE, (Says("There ar", cut=True), LOOK)),
    "a call that was cut off": (DONE, (Says(calls=LOOK.calls, cut=True), LOOK)),
    "an empty turn": (DONE, (Says(), LOOK)),
    "a figure from nowhere": (DONE, (LOOK, sql(COUNT), Says("There are 1,200 films."), RIGHT)),
    "a chart": (DONE, (LOOK, sql(BY_RATING), call("generate_chart", spec=CHART), Says("Shown."))),
    "overload that passes": (DONE, (Fails("overloaded"), LOOK, Fails("broken"), sql(COUNT), RIGHT)),
    "a question back": (Outcome.NEEDS_CLARIFICATION, (call("ask_user", question="Which store?"),)),
    "nothing but nonsense": (Outcome.FAILED, 3 * (Says(calls=(("nothing", "no"),)),)),
    "a refusal": (Outcome.FAILED, (Says(declined=True),)),
    "a wrong key": (FAULT, (Fails("wrong key"),)),
    "a model that there is not": (FAULT, (Fails("no model"),)),
    "no credit": (FAULT, (LOOK, Fails("no credit"))),
    "too large": (FAULT, (LOOK, sql(COUNT), Fails("too large"))),
    "a limit that lasts": (FAULT, (Fails("limited"),)),
}


class Claude:
    """Says turns as the Messages API words them."""

    ERRORS: ClassVar = {
        "overloaded": (529, "Overloaded"),
        "broken": (500, "Internal"),
        "wrong key": (401, "invalid x-api-key"),
        "no model": (404, "model: small"),
        "no credit": (400, "Your credit balance is too low"),
        "too large": (413, "Request exceeds the maximum size"),
    }

    def __init__(self, api: Any) -> None:
        self.server = api
        self.model = ClaudeModel(CLAUDE_KEY, base_url=api.url, first_wait_s=0.01)

    def fail(self, why: str) -> None:
        if why == "limited":
            self.server.fail(429, "Slowly.", retry_after="3600")
        else:
            self.server.fail(*self.ERRORS[why])

    def say(self, turn: Says) -> None:
        number = len(self.server.given)
        blocks: list[Any] = [turn.text] if turn.text else []
        for place, (name, given) in enumerate(turn.calls):
            call_id = f"toolu_{number}_{place}"
            blocks.append({"type": "tool_use", "id": call_id, "name": name, "input": given})
        stop = "tool_use" if turn.calls else "end_turn"
        stop = "max_tokens" if turn.cut else "refusal" if turn.declined else stop
        self.server.say(*blocks, stop=stop)


class Compatible:
    """Says turns as chat completions have them."""

    ERRORS: ClassVar = {
        "overloaded": (503, "Overloaded", None),
        "broken": (500, "Internal", None),
        "wrong key": (401, "Incorrect API key provided", "invalid_api_key"),
        "no model": (404, "The model `small` does not exist", "model_not_found"),
        "no credit": (429, "You exceeded your current quota", "insufficient_quota"),
        "too large": (400, "maximum context length is 4096", "context_length_exceeded"),
    }

    def __init__(self, server: Any) -> None:
        self.server = server
        preset = PRESETS[server.flavour]
        self.model = OpenAICompatibleModel(
            preset, "small", api_key=KEY, base_url=server.url, first_wait_s=0.01
        )

    def fail(self, why: str) -> None:
        if why == "limited":
            self.server.fail(429, "Please try again in 1h0m0s.", "rate_limit_exceeded")
        else:
            self.server.fail(*self.ERRORS[why])

    def say(self, turn: Says) -> None:
        stop = "length" if turn.cut else "content_filter" if turn.declined else ""
        self.server.say(turn.text or None, *map(self.call, turn.calls), stop=stop)

    def call(self, wanted: tuple[str, Any]) -> dict[str, Any]:
        self.number = getattr(self, "number", 0) + 1
        function = {"name": wanted[0], "arguments": json.dumps(wanted[1])}
        return {"id": f"call_{self.number}", "type": "function", "function": function}


class Sloppy(Compatible):
    """A small model: objects for texts, no ids, no reasons, thoughts aloud, no tokens counted."""

    def say(self, turn: Says) -> None:
        stop = "length" if turn.cut else "content_filter" if turn.declined else None
        text = f"<think>Hm.</think>{turn.text}"
        calls = [{"function": {"name": n, "arguments": given}} for n, given in turn.calls]
        self.server.say(text, *calls, stop=stop, usage=None)


class InWords(Compatible):
    """A model whose server has no tools."""

    def __init__(self, server: Any) -> None:
        super().__init__(server)
        server.quirks = {"roles alternate": "roles must alternate user/assistant"}

    def say(self, turn: Says) -> None:
        written = [{"name": name, "arguments": given} for name, given in turn.calls]
        marked = [f"<tool_call>\n{json.dumps(each)}\n</tool_call>" for each in written]
        stop = "length" if turn.cut else "content_filter" if turn.declined else "stop"
        self.server.say("\n".join([turn.text, *marked]).strip(), stop=stop)


class OneCallAtOnce(Compatible):
    """A model whose template takes one call in a message."""

    def __init__(self, server: Any) -> None:
        super().__init__(server)
        server.quirks = {"one call": "TemplateError: only supports single tool-calls at once!"}


@pytest.fixture(scope="module")
def parts(demo_database_url: str) -> Iterator[tuple[PostgresDatabase, ProcessRenderer]]:
    database, renderer = PostgresDatabase(demo_database_url), ProcessRenderer()
    yield database, renderer
    renderer.close()
    database.close()


@pytest.fixture
def speakers(api: Any, start_server: Callable[[str], Any]) -> Iterator[dict[str, Any]]:
    """Every way to say the same, Claude's first."""
    made = {
        "claude": Claude(api),
        "openai": Compatible(start_server("openai")),
        "groq": Compatible(start_server("groq")),
        "nvidia": Compatible(start_server("nvidia")),
        "vllm, one call": OneCallAtOnce(start_server("vllm")),
        "ollama, sloppy": Sloppy(start_server("ollama")),
        "ollama, in words": InWords(start_server("ollama")),
    }
    yield made
    for speaker in made.values():
        speaker.model.close()


def whole(turns: Turns, outcome: Outcome) -> Turns:
    """Let a trajectory that is about its beginning come to its end."""
    is_open = outcome is DONE and not isinstance(turns[-1], Fails) and bool(turns[-1].calls)
    return (*turns, sql(COUNT), RIGHT) if is_open else turns


def course(result: AgentResult) -> tuple[Any, ...]:
    """Return all of a run that must not depend on who spoke."""
    last = result.trail[-1].state
    events = tuple(transition.event for transition in result.trail)
    counts = (last.hop_count, last.error_count, last.model_calls, last.backtrack_count)
    return (result.outcome, result.answer, result.sql, len(result.charts), counts, events)


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_run_goes_the_same_way_over_each_adapter(
    name: str, speakers: dict[str, Any], parts: tuple[PostgresDatabase, ProcessRenderer]
) -> None:
    outcome, turns = SCENARIOS[name]
    courses: dict[str, Any] = {}
    for who, speaker in speakers.items():
        for turn in whole(turns, outcome):
            speaker.fail(turn.why) if isinstance(turn, Fails) else speaker.say(turn)
        result = Agent(speaker.model, *parts).run("How many films are there?")
        courses[who] = course(result)
        assert result.outcome is outcome, (who, result.summary, result.fault_detail)
        assert not speaker.server.replies, who
        if not isinstance(turns[0], Fails):
            assert result.usage.output_tokens > 0, who
    assert {who: each for who, each in courses.items() if each != courses["claude"]} == {}
