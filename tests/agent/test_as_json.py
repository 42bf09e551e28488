"""A result as JSON: everything that was found out about a run, and JSON whatever it holds."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from agent.as_json import result_as_json
from agent.messages import (
    AgentResult,
    AuditNote,
    Calculation,
    Column,
    Evidence,
    Figure,
    NoteKind,
    QueryResult,
    Usage,
    Verdict,
)
from agent.run import Agent
from agent.testing import ScriptedJudge, ScriptedModel, call, text

MakeAgent = Callable[..., Agent]
COUNT = call("execute_read_only_sql", query="SELECT count(*) AS films FROM film")


@pytest.fixture
def result(make_agent: MakeAgent) -> AgentResult:
    look = replace(call("get_schema", table_name="film"), text="Plan:\n1. Look\n2. Count")
    judge = ScriptedJudge({"Many.": Verdict(False, "It gives no number.")}, name="the judge")
    again = call("execute_read_only_sql", query="SELECT count(film_id) AS films FROM film")
    model = ScriptedModel(look, COUNT, text("Many."), again, text("So many."))
    return make_agent(model, judge).run("how many films?")


def through_json(result: AgentResult) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(json.dumps(result_as_json(result), allow_nan=False))
    return plain


def test_plan_steps_checks_and_verdicts_are_in_it(result: AgentResult) -> None:
    plain = through_json(result)
    assert plain["plan"] == ["Look", "Count"]
    assert (plain["judge"], plain["verdict"]["valid"]) == ("the judge", True)
    assert plain["set_aside"] == ["SELECT count(*) AS films FROM film"]
    assert plain["sql"] == ["SELECT count(film_id) AS films FROM film"]
    assert plain["cost_usd"] == 0
    steps = [step for each in plain["trail"] for step in each["steps"]]
    assert [(step["tool"], step["rows"]) for step in steps] == [
        ("get_schema", None),
        ("execute_read_only_sql", 1),
        ("execute_read_only_sql", 1),
    ]
    refused = next(each for each in plain["trail"] if each["event"] == "rejected")
    assert refused["critique"]["draft"] == "Many."
    assert refused["critique"]["verdict"]["reason"] == "It gives no number."
    assert plain["trail"][0]["plan"] == ["Look", "Count"]
    assert plain["trail"][-1]["backtracks"] == 1


def test_what_was_there_before_is_there_still(result: AgentResult) -> None:
    plain = through_json(result)
    keys = ["question", "answer", "outcome", "failed", "summary", "n_queries", "sql", "results"]
    keys += ["charts", "warnings", "options", "tables", "model", "hops", "duration_ms", "usage"]
    assert set(keys) <= set(plain)
    keys = ["at", "phase", "event", "next", "trigger", "hops", "errors", "model_calls"]
    assert set(keys) <= set(plain["trail"][0])


def test_evidence_calculations_and_money_are_numbers_and_words(result: AgentResult) -> None:
    plain = through_json(
        replace(
            result,
            evidence=Evidence((Figure("7 %", ""), Figure("5", "result 1, row 1, n")), ("Wrong.",)),
            calculations=(Calculation("r1.n[1] / 3", Decimal("0.25")),),
            caveats=("12 rows have no date.",),
            cost_usd=Decimal("0.0213"),
            usage=Usage(1, 2, 3, 4),
            draft="No answer.",
        )
    )
    assert plain["evidence"]["untraced"] == ["7 %"]
    assert plain["evidence"]["figures"][1] == {"text": "5", "source": "result 1, row 1, n"}
    assert plain["evidence"]["faults"] == ["Wrong."]
    assert plain["calculations"] == [{"expression": "r1.n[1] / 3", "value": 0.25}]
    assert (plain["caveats"], plain["draft"]) == (["12 rows have no date."], "No answer.")
    assert plain["cost_usd"] == 0.0213
    assert through_json(replace(result, cost_usd=None))["cost_usd"] is None


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("-inf"), Decimal("NaN"), Decimal("Infinity"), Decimal("1e400")],
    ids=str,
)
def test_a_number_that_json_does_not_have_is_a_text(
    result: AgentResult, value: float | Decimal
) -> None:
    note = AuditNote(NoteKind.FAN_OUT, "Rows are repeated.")
    rows = QueryResult("", (Column("n", "numeric"),), ((value,),), audit=(note,))
    plain = through_json(
        replace(result, results=(rows,), calculations=(Calculation("x", Decimal("NaN")),))
    )
    assert plain["results"][0]["rows"] == [[str(value)]]
    assert plain["results"][0]["audit"] == [
        {"kind": "fan_out", "text": "Rows are repeated.", "fault": True}
    ]
