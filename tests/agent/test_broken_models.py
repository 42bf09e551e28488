"""However a model errs, its run ends in the right ending, counted right, and is told truly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from agent.messages import AgentResult, Outcome, ToolCall, Turn
from agent.run import Agent
from agent.state import Event
from agent.story import tell
from agent.testing import ScriptedModel, call, calls, text

MakeAgent = Callable[..., Agent]

LOOK = call("get_schema", table_name="film")
COUNT = call("execute_read_only_sql", query="SELECT count(*) AS films FROM film")
WRONG = call("execute_read_only_sql", query="SELECT total FROM film")
ANSWER = text("There are 1,000 films.")
MALFORMED = Turn(tool_calls=(ToolCall("m", "get_schema", {}, '{"table_name": fil'),))
CHART = call("generate_chart", spec={"mark": "bar"})
TABLES = (
    "actor", "address", "category", "city", "country", "customer", "film", "film_actor",
    "inventory", "language", "payment", "rental", "staff", "store",
)  # fmt: skip


def unknown(number: int) -> tuple[str, dict[str, Any]]:
    return "drop_everything", {"n": number}


@dataclass(frozen=True)
class Errs:
    """A way to err: what the model says, how the run has to end, and what it has to have cost."""

    name: str
    turns: tuple[Turn, ...]
    outcome: Outcome
    event: Event
    hops: int
    errors: int
    backtracks: int = 0
    told: tuple[str, ...] = ()


WAYS = (
    Errs("an unknown tool, then the right way", (call("drop_everything"), LOOK, COUNT, ANSWER),
         Outcome.ANSWERED, Event.ACCEPTED, hops=3, errors=1),
    Errs("unknown tools only", tuple(calls(unknown(n)) for n in range(9)),
         Outcome.FAILED, Event.RETRY_CEILING, hops=3, errors=3),
    Errs("wrong keys", (call("get_schema", table="film"), LOOK, COUNT, ANSWER),
         Outcome.ANSWERED, Event.ACCEPTED, hops=3, errors=1),
    Errs("wrong types", (call("get_schema", table_name=["film"]), LOOK, COUNT, ANSWER),
         Outcome.ANSWERED, Event.ACCEPTED, hops=3, errors=1),
    Errs("invalid JSON", (MALFORMED, LOOK, COUNT, ANSWER),
         Outcome.ANSWERED, Event.ACCEPTED, hops=3, errors=1),
    Errs("invalid JSON again and again", (MALFORMED,) * 9,
         Outcome.FAILED, Event.RETRY_CEILING, hops=3, errors=3, backtracks=1),
    Errs("an empty turn", (Turn(), LOOK, COUNT, ANSWER),
         Outcome.ANSWERED, Event.ACCEPTED, hops=2, errors=1),
    Errs("empty turns only", (Turn(tool_calls=()),) * 2 + (text(" "),),
         Outcome.FAILED, Event.RETRY_CEILING, hops=0, errors=3),
    Errs("text where a tool was due", (text("I would have to look at the films."),),
         Outcome.ANSWERED, Event.ACCEPTED, hops=0, errors=0, told=("No query",)),
    Errs("a tool out of scope", (COUNT, LOOK, COUNT, ANSWER),
         Outcome.ANSWERED, Event.ACCEPTED, hops=3, errors=1),
    Errs("a chart before any row", (CHART, LOOK, COUNT, ANSWER),
         Outcome.ANSWERED, Event.ACCEPTED, hops=3, errors=1),
    Errs("twenty calls in one turn",
         (calls(*[("find_tables", {"words": f"film {n}"}) for n in range(20)]), text("Many.")),
         Outcome.ANSWERED, Event.ACCEPTED, hops=8, errors=0),
    Errs("twenty calls in each turn",
         tuple(calls(*[("find_tables", {"words": f"{m} {n}"}) for n in range(20)])
               for m in range(3)),
         Outcome.FAILED, Event.HOP_CEILING, hops=8, errors=0, told=("8 steps",)),
    Errs("the same failing SQL again and again", (LOOK, *[WRONG] * 12),
         Outcome.FAILED, Event.RETRY_CEILING, hops=4, errors=3, backtracks=1,
         told=("no column `total`",)),
    Errs("errors and successes in turn",
         (LOOK, WRONG, COUNT, calls(unknown(1)), call("get_schema", table_name="actor"),
          calls(unknown(2)), call("get_schema", table_name="city"), calls(unknown(3)), ANSWER),
         Outcome.ANSWERED, Event.ACCEPTED, hops=8, errors=4),
    Errs("more errors than successes",
         (LOOK, calls(unknown(1), unknown(2)), COUNT, calls(unknown(3), unknown(4)),
          call("get_schema", table_name="city"), calls(unknown(5)), ANSWER),
         Outcome.FAILED, Event.RETRY_CEILING, hops=8, errors=5),
    Errs("endless exploring", tuple(call("get_schema", table_name=name) for name in TABLES),
         Outcome.FAILED, Event.HOP_CEILING, hops=8, errors=0),
    Errs("a refusal", (LOOK, Turn("I cannot help with that.", (), "refusal")),
         Outcome.FAILED, Event.MODEL_FAILED, hops=1, errors=0, told=("declined",)),
    Errs("an answer cut off", (LOOK, COUNT, Turn("There are 1,0", (), "max_tokens"), ANSWER),
         Outcome.ANSWERED, Event.ACCEPTED, hops=2, errors=1),
    Errs("answers cut off only", (LOOK, COUNT, *[Turn("There are 1,0", (), "max_tokens")] * 9),
         Outcome.FAILED, Event.RETRY_CEILING, hops=2, errors=3),
    Errs("a call cut off", (LOOK, Turn("", COUNT.tool_calls, "max_tokens"), COUNT, ANSWER),
         Outcome.ANSWERED, Event.ACCEPTED, hops=2, errors=1),
    Errs("an answer from nowhere", (LOOK, COUNT, text("There are 4,711 films."), ANSWER),
         Outcome.ANSWERED, Event.ACCEPTED, hops=2, errors=0, backtracks=1),
    Errs("an answer from nowhere, insisted on", (LOOK, COUNT, text("There are 4,711 films.")),
         Outcome.ANSWERED_WITH_CAVEATS, Event.ACCEPTED, hops=2, errors=0, backtracks=1,
         told=("4,711",)),
    Errs("writing instead of reading",
         (LOOK, *[call("execute_read_only_sql", query=sql)
                 for sql in ("DELETE FROM film", "TRUNCATE film", "DROP TABLE film")], ANSWER),
         Outcome.NOT_PERMITTED, Event.RETRY_CEILING, hops=4, errors=3),
    Errs("writing, and a slip",
         (LOOK, call("execute_read_only_sql", query="DELETE FROM film"),
          call("execute_read_only_sql", query="DROP TABLE film"), calls(unknown(1)), ANSWER),
         Outcome.NOT_PERMITTED, Event.RETRY_CEILING, hops=4, errors=3),
    Errs("slips, and writing once",
         (LOOK, call("execute_read_only_sql", query="DELETE FROM film"), WRONG,
          calls(unknown(1)), ANSWER),
         Outcome.FAILED, Event.RETRY_CEILING, hops=4, errors=3),
    Errs("a model that breaks off", (LOOK, COUNT),
         Outcome.SYSTEM_FAULT, Event.MODEL_FAILED, hops=2, errors=0, told=("1 row",)),
)  # fmt: skip


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_a_model_that_errs_ends_right(make_agent: MakeAgent, way: Errs) -> None:
    result = make_agent(ScriptedModel(*way.turns)).run("how many films are there?")
    last = result.trail[-1]
    assert (result.outcome, last.event) == (way.outcome, way.event)
    counted = (result.hops, last.state.error_count, last.state.backtrack_count)
    assert counted == (way.hops, way.errors, way.backtracks)
    assert bool(result.warnings) is (way.outcome is not Outcome.ANSWERED or not result.n_queries)
    _told_truly(result, way)


def _told_truly(result: AgentResult, way: Errs) -> None:
    story = tell(result.trail, duration_ms=result.duration_ms, cost_usd=result.cost_usd)
    steps = f"{way.hops} step{'' if way.hops == 1 else 's'}"
    assert way.hops == 0 or steps in story
    for words in way.told:
        assert words in story
    ran = [step for each in result.trail for step in each.steps]
    assert sum(step.ok for step in ran) + sum(not step.ok for step in ran) == way.hops
    assert sum(step.tool == "execute_read_only_sql" and step.ok for step in ran) == (
        result.n_queries + len(result.set_aside)
    )
    for word in ("hop", "token", "phase", "event", "schema", "JSON", "Traceback"):
        assert word not in story.split()
