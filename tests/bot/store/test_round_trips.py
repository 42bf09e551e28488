"""What the store gives back is equal to what it was given."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import psycopg
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.messages import (
    AgentResult,
    AuditNote,
    Calculation,
    Clarification,
    Column,
    Critique,
    Evidence,
    Figure,
    NoteKind,
    Outcome,
    QueryResult,
    Severity,
    Step,
    Transition,
    Usage,
    Verdict,
)
from agent.state import AgentState, Event, Phase
from bot.store import Question, RunRecord, Store, Thread, migrate

FAN_OUT = AuditNote(NoteKind.FAN_OUT, "The join repeats payments.", "Sum before you join.")
ROWS = QueryResult(
    "select name, amount from film",
    (Column("name", "text"), Column("amount", "numeric(5,2)")),
    (("Alien", Decimal("2.990")), (None, Decimal("0"))),
    truncated=True,
    duration_ms=31.25,
    notes=("2 rows were cut.",),
    tables=("film", "payment"),
    audit=(FAN_OUT,),
)
WHOLE = {
    "outcome": Outcome.ESCALATED,
    "answer": "",
    "results": (ROWS,),
    "set_aside": (QueryResult("select 1", (Column("one", "int4"),), ((1,),)),),
    "warnings": ("careful",),
    "plan": ("Look at film.", "Sum the payments."),
    "caveats": ("12 payments have no rental.",),
    "calculations": (Calculation("r1.a[1] / 3", Decimal("0.3333333333333333333333333333")),),
    "evidence": Evidence(
        (Figure("5.3k", "result 1, row 2, revenue"), Figure("a third")), ("5.3k is not EUR.",)
    ),
    "verdict": Verdict(False, "The rows are of 2024.", Severity.MINOR),
    "judge": "claude-sonnet-5",
    "draft": "5.3k films, a third of all.",
    "cost_usd": Decimal("0.012340"),
    "fault_detail": "gate",
    "time_zone": "Asia/Tokyo",
}


def test_a_run_comes_back_whole(store, ran, a_result):
    given = a_result(**WHOLE)
    record = store.run(ran(**WHOLE))
    for field in fields(RunRecord):
        if hasattr(given, field.name) and field.name != "question":
            assert getattr(record, field.name) == getattr(given, field.name), field.name
    assert record.question.text == given.question
    assert str(record.cost_usd) == "0.012340"
    assert record.created_at <= record.finished_at


def test_all_that_a_result_says_is_kept(store, ran):
    """But for the trail, which is read by itself, and pictures, whose rows are kept."""
    kept = {field.name for field in fields(RunRecord)}
    said = {field.name for field in fields(AgentResult)}
    assert said - kept == {"trail", "charts"}


def test_results_that_were_set_aside_do_not_stand_among_the_others(store, ran):
    record = store.run(ran(**WHOLE))
    assert [result.sql for result in record.results] == [ROWS.sql]
    assert [result.sql for result in record.set_aside] == ["select 1"]


_text = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=20)
_texts = st.lists(_text, max_size=3).map(tuple)
_count = st.integers(0, 10**9)
_money = st.none() | st.decimals(0, 1000, allow_nan=False, places=6)
_steps = st.builds(
    Step,
    tool=_text,
    ok=st.booleans(),
    subject=_text,
    error=_text,
    rows=st.none() | _count,
    duration_ms=st.none() | st.floats(0, 1e12),
    tables=_texts,
    notes=_texts,
)
_evidence = st.builds(
    Evidence, st.lists(st.builds(Figure, _text, _text), max_size=3).map(tuple), _texts
)
_verdict = st.builds(Verdict, st.booleans(), _text, st.sampled_from(Severity))
_transitions = st.builds(
    Transition,
    at=st.datetimes(
        datetime(1900, 1, 1),
        datetime(2200, 1, 1),
        timezones=st.sampled_from([UTC, timezone(timedelta(hours=5, minutes=30))]),
    ),
    source=st.sampled_from(Phase),
    event=st.sampled_from(Event),
    target=st.sampled_from(Phase),
    trigger=_text,
    state=st.builds(
        AgentState,
        phase=st.sampled_from(Phase),
        hop_count=_count,
        retry_count=_count,
        error_count=_count,
        backtrack_count=_count,
        model_calls=_count,
        seen_table=st.booleans(),
        seen_rows=st.booleans(),
        failed=st.booleans(),
    ),
    model_output=_text,
    usage=st.builds(Usage, _count, _count, _count, _count),
    cost_usd=_money,
    plan=_texts,
    steps=st.lists(_steps, max_size=2).map(tuple),
    critique=st.none() | st.builds(Critique, _text, _evidence, st.none() | _verdict, _texts),
)


@given(trail=st.lists(_transitions, max_size=4).map(tuple))
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_any_trail_comes_back_equal(store, ran, trail):
    assert store.trail(ran(trail=trail)) == trail


def test_a_trail_that_postgresql_cannot_hold_is_cleaned_not_refused(store, ran, a_transition):
    step = Step("get_schema", False, "fi\x00lm", "no \ud83d table")
    run_id = ran(trail=(a_transition("l\x00ooked", step),))
    (found,) = store.trail(run_id)
    assert found.trigger == "looked"
    assert (found.steps[0].subject, found.steps[0].error) == ("film", "no ? table")


def test_a_run_without_a_trail_or_without_an_id_has_none(store, ran):
    assert store.trail(ran()) == ()
    assert store.trail("00000000-0000-0000-0000-000000000000") == ()
    assert store.trail("why?") == ()


def test_the_last_run_of_a_thread_is_the_newest_that_has_ended(store, ran, a_result):
    thread = Thread("T1", "C1", "1.000")
    assert store.last_run(thread) is None
    ran(ts="1.000")
    for ts in ("2.000", "3.000"):
        store.finish(store.claim(Question(thread, ts, "UANN", ts)), a_result(f"of {ts}"))
    store.claim(Question(thread, "4.000", "UANN", "still running"))
    ran(ts="5.000")
    assert store.last_run(thread).question.text == "of 3.000"


def test_a_reply_goes_on_with_what_was_learnt(store, ran, a_transition):
    steps = (Step("get_schema", True, "payment"), Step("get_schema", False, "pament"))
    asked_back = Clarification("Which year?", ("2024", "2025"))
    ran(
        outcome=Outcome.NEEDS_CLARIFICATION,
        clarification=asked_back,
        trail=(a_transition("I looked.", *steps), a_transition("I asked back.")),
        set_aside=(QueryResult("select 2", (), ()),),
        ts="1.000",
    )
    (found,) = store.exchanges(
        Question(Thread("T1", "C1", "1.000"), "2.000", "UANN", "2024"), limit=5, rows=5
    )
    assert found.clarification == asked_back
    assert found.tables == ("payment", "film")
    assert found.sql == ()


def test_a_question_back_that_was_not_the_ending_is_not_recalled(store, ran):
    ran(clarification=Clarification("Which year?"), ts="1.000")
    (found,) = store.exchanges(
        Question(Thread("T1", "C1", "1.000"), "2.000", "UANN", "and 2024?"), limit=5, rows=5
    )
    assert found.clarification is None


def test_runs_from_before_the_trail_had_details_are_still_read(scratch_database):
    """A store of the first version, upgraded: nothing is lost, and what is new is empty."""
    migrate(scratch_database, "0001")
    run_id = "11111111-1111-1111-1111-111111111111"
    with psycopg.connect(scratch_database) as old:
        old.execute(
            "insert into db_agent.conversations (team_id, channel_id, thread_ts)"
            " values ('T1', 'C1', '1.0')"
        )
        old.execute(
            "insert into db_agent.runs (id, conversation_id, team_id, channel_id, message_ts,"
            " asked_by, question, status, outcome, failed, finished_at)"
            " select %s, id, 'T1', 'C1', '1.0', 'UANN', 'old', 'finished', 'answered', false, now()"
            " from db_agent.conversations",
            [run_id],
        )
        old.execute(
            "insert into db_agent.results values"
            " (%s, 1, 'select 1', '{one}', '{int4}', '[[1]]', false, '{}', 1)",
            [run_id],
        )
        old.execute(
            "insert into db_agent.transitions values (%s, 1, now(), 'thought', 'draft_ready',"
            " 'finish', 'I answered.', '{\"phase\": \"finish\", \"hop_count\": 2}', '')",
            [run_id],
        )
    store = Store(scratch_database)
    store.open()
    try:
        record = store.run(run_id)
        assert (record.question.text, record.verdict, record.plan) == ("old", None, ())
        assert record.results == (
            QueryResult("select 1", (Column("one", "int4"),), ((1,),), duration_ms=1),
        )
        (step,) = store.trail(run_id)
        assert (step.trigger, step.steps, step.state.hop_count) == ("I answered.", (), 2)
        question = Question(record.question.thread, "2.0", "UANN", "and now?")
        assert store.exchanges(question, limit=5, rows=5)[0].tables == ()
    finally:
        store.close()
