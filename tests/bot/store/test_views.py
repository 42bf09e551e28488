"""The two views of the log: what they tell, and what they keep to themselves."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
import pytest
from psycopg.rows import dict_row

from agent.messages import Outcome, Step, Usage
from agent.state import AgentState
from bot.store import Question, Thread

DOCUMENT = Path(__file__).parents[3] / "docs" / "store.md"


@pytest.fixture
def rows(store_url):
    """Returns the rows of a query on the store."""

    def read(query):
        with psycopg.connect(store_url, row_factory=dict_row) as connection:
            return connection.execute(query).fetchall()

    return read


@pytest.fixture
def trail(a_transition):
    """A run that looked, failed once, and then had its rows."""
    state = AgentState(hop_count=3, error_count=1, backtrack_count=2, model_calls=4)
    wrong = Step("execute_read_only_sql", False, "select x", "There is no column x.")
    right = Step("execute_read_only_sql", True, "select y", rows=5, duration_ms=31.25)
    return (
        a_transition("I made a plan.", plan=("look",)),
        a_transition("I looked, and my query failed.", Step("get_schema", True, "film"), wrong),
        a_transition("I ran a query: 5 rows.", right, state=state),
    )


@pytest.fixture
def public(store):
    store.note_channel("T1", "C1", is_public=True)


def test_a_run_is_one_row_with_its_figures(store, ran, rows, trail, public):
    run_id = ran("how many?", trail=trail, hops=3, warnings=("a", "b"), usage=Usage(100, 20, 3, 4))
    store.escalate(run_id, reason="", asked_by="UBOB")
    store.explain(run_id, "UBOB", "It is 2024 only")
    (row,) = rows("select * from db_agent_log.runs")
    assert str(row.pop("run_id")) == run_id
    assert row.pop("started_at") is not None
    told = {name: str(value) for name, value in row.items() if value is not None}
    assert told == {
        "person": "UANN", "channel": "C1", "question": "how many?", "outcome": "answered",
        "answered": "True", "failed": "False", "escalated": "True", "escalation": "open",
        "seconds": "12.0", "warnings": "2", "tool_calls": "3", "errors": "1", "backtracks": "2",
        "model_calls": "4", "queries": "0", "tokens": "127", "cost_usd": "0.02", "model": "given",
        "tables": "film", "summary": "summary of how many?",
        "thumbs_up": "0", "thumbs_down": "1", "thumbs_down_reasons": "It is 2024 only",
    }  # fmt: skip


def test_each_tool_call_and_each_decision_is_a_step(ran, rows, trail, public):
    run_id = ran(trail=trail)
    found = rows("select * from db_agent_log.steps order by number")
    assert [(row["number"], row["tool"], row["failed"]) for row in found] == [
        (1, None, None),
        (2, "get_schema", False),
        (3, "execute_read_only_sql", True),
        (4, "execute_read_only_sql", False),
    ]
    assert found[0]["text"] == "I made a plan."
    assert (found[2]["subject"], found[2]["error"]) == ("select x", "There is no column x.")
    assert (found[3]["rows"], str(found[3]["ms"])) == (5, "31.3")
    assert {str(row["run_id"]) for row in found} == {run_id}


def test_direct_messages_are_in_neither_view(store, ran, rows, trail):
    store.note_channel("T1", "D1", is_public=True)
    store.note_channel("T1", "C1", is_public=True)
    ran("my secret", channel="D1", trail=trail)
    ran("whispered", channel="C1", ts="command 12.34", trail=trail)
    assert rows("select * from db_agent_log.runs") == []
    assert rows("select * from db_agent_log.steps") == []


def test_of_a_channel_that_is_not_public_there_are_figures_and_no_words(store, ran, rows, trail):
    run_id = ran("the merger", channel="CPRIVATE", answer="the merger", summary="the merger",
        trail=trail, tables=("merger",))  # fmt: skip
    store.explain(run_id, "UBOB", "not of the merger")
    said = str(rows("select * from db_agent_log.runs") + rows("select * from db_agent_log.steps"))
    assert not re.search("merger|CPRIVATE|select [xy]|no column|I looked|film", said)
    (row,) = rows("select * from db_agent_log.runs")
    assert (row["outcome"], row["tool_calls"], row["channel"]) == ("answered", 2, None)
    assert (row["thumbs_down"], row["thumbs_down_reasons"]) == (1, None)
    assert len(rows("select * from db_agent_log.steps where failed")) == 1


def test_what_never_ran_says_so_and_small_talk_is_left_out(store, rows, public):
    for ts, reason in (("1.0", "no question"), ("2.0", None), ("3.0", "I am busy.")):
        run_id = store.claim(Question(Thread("T1", "C1", ts), ts, "UANN", ts))
        if reason:
            store.turn_away(run_id, reason)
    found = rows("select question, outcome, failed from db_agent_log.runs order by 1")
    assert [tuple(row.values()) for row in found] == [
        ("2.0", "running", False),
        ("3.0", "turned_away", False),
    ]


@pytest.mark.parametrize("outcome", Outcome)
def test_every_ending_is_told(ran, rows, public, outcome):
    ran(outcome=outcome)
    (row,) = rows("select outcome, answered, escalated from db_agent_log.runs")
    assert row["outcome"] == outcome
    assert row["answered"] is (outcome in (Outcome.ANSWERED, Outcome.ANSWERED_WITH_CAVEATS))
    assert row["escalated"] is (outcome is Outcome.ESCALATED)


def test_each_column_is_explained_in_the_database_and_in_the_document(store, rows):
    columns = rows(
        "select c.relname as view, a.attname as name, col_description(c.oid, a.attnum) as about,"
        " obj_description(c.oid) as about_view"
        " from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0"
        " where c.relnamespace = 'db_agent_log'::regnamespace order by c.relname, a.attnum"
    )
    assert {column["view"] for column in columns} == {"runs", "steps"}
    assert all(column["about"] and column["about_view"] for column in columns)
    document = DOCUMENT.read_text()
    for column in columns:
        part = document.split(f"## `db_agent_log.{column['view']}`")[1].split("\n## ")[0]
        assert f"| `{column['name']}` | {column['about']} |" in part
