"""The store: claimed once, kept whole, given back as it was."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import psycopg
import pytest

import bot.store
from agent.errors import SettingsInvalid
from agent.messages import AgentResult, Column, Outcome, QueryResult, Transition, Usage
from agent.state import AgentState, Event, Phase
from bot.store import Question, Store, Thread, migrate

THREAD = Thread("T1", "C1", "1.000")
VERSIONS = Path(bot.store.__file__).parent / "migrations" / "versions"


def question(ts="1.000", thread=THREAD, text="how many films?"):
    return Question(thread, ts, "U1", text)


def rows(*values, sql="select 1", truncated=False):
    return QueryResult(
        sql, (Column("value", "text"),), tuple((value,) for value in values), truncated
    )


def result(text="how many films?", *, outcome=Outcome.ANSWERED, results=(), trail=(), **more):
    failed = outcome in (Outcome.FAILED, Outcome.SYSTEM_FAULT)
    return AgentResult(
        question=text,
        outcome=outcome,
        failed=failed,
        answer="" if failed else f"answer to {text}",
        summary=f"summary of {text}",
        results=tuple(results),
        charts=(),
        warnings=("careful",),
        trail=tuple(trail),
        model="given",
        hops=3,
        duration_ms=1234,
        tables=("film",),
        usage=Usage(1, 2, 3, 4),
        **more,
    )


def test_question_is_claimed_once(store):
    assert store.claim(question()) is not None
    assert store.claim(question()) is None
    assert store.claim(question("2.000")) is not None
    assert store.claim(question(thread=Thread("T1", "C2", "1.000"))) is not None
    assert store.claim(question(thread=Thread("T2", "C1", "1.000"))) is not None


def test_question_is_claimed_once_by_many_at_the_same_time(store, store_url, open_store):
    stores = [store, open_store(store_url)]
    start = threading.Barrier(8)

    def claim(number):
        start.wait()
        return stores[number % 2].claim(question())

    with ThreadPoolExecutor(8) as threads:
        claims = list(threads.map(claim, range(8)))
    assert len([each for each in claims if each]) == 1


@pytest.mark.parametrize(
    "cell",
    [
        None,
        True,
        False,
        0,
        -7,
        2**70,
        1.5,
        0.1,
        1e20,
        1e-7,
        float("inf"),
        Decimal("5314.210"),
        Decimal("1E+30"),
        "",
        "text",
        "🎬 עברית",
        '{"decimal": "1"}',
        "1",
    ],
    ids=repr,
)
def test_cells_come_back_with_their_types(store, cell):
    run_id = store.claim(question())
    store.finish(run_id, result(results=[rows(cell)]))
    ((value,),) = store.run(run_id).results[0].rows
    assert type(value) is type(cell)
    assert str(value) == str(cell)


def test_not_a_number_comes_back(store):
    run_id = store.claim(question())
    store.finish(run_id, result(results=[rows(float("nan"))]))
    assert str(store.run(run_id).results[0].rows[0][0]) == "nan"


def test_text_that_postgresql_cannot_hold_is_cleaned_not_refused(store):
    run_id = store.claim(question(text="a\x00b \ud83d 🎬"))
    store.finish(run_id, result("a\x00b \ud83d", results=[rows("x\x00y\udc00")]))
    record = store.run(run_id)
    assert record.question.text == "ab ?"
    assert record.results[0].rows == (("xy?",),)


def test_long_result_keeps_its_first_rows_and_says_so(store):
    run_id = store.claim(question())
    many, wide = rows(*range(1500)), rows(*("x" * 100_000 for _ in range(20)))
    store.finish(run_id, result(results=[many, wide, rows(1)]))
    kept = store.run(run_id).results
    assert len(kept[0].rows) == 1000
    assert 5 <= len(kept[1].rows) <= 10
    assert [each.truncated for each in kept] == [True, True, False]


def test_run_is_finished_once(store):
    run_id = store.claim(question())
    assert store.finish(run_id, result(results=[rows(1)]))
    assert not store.finish(run_id, result("another", results=[rows(2)]))
    record = store.run(run_id)
    assert record.question.text == "how many films?"
    assert record.results[0].rows == ((1,),)


def test_run_remembers_its_card_and_its_ending(store):
    run_id = store.claim(question())
    store.place_card(run_id, "9.000")
    assert store.run(run_id).outcome is None
    store.finish(run_id, result())
    record = store.run(run_id)
    assert record.card_ts == "9.000"
    assert record.outcome is Outcome.ANSWERED
    assert record.question == question()


def test_trail_is_kept_in_order_with_its_counters(store, store_url):
    at = datetime(2026, 11, 30, tzinfo=UTC)
    state = AgentState(hop_count=1)
    steps = [
        Transition(at, Phase.THOUGHT, Event.TOOLS_REQUESTED, Phase.ACTION, "first", state, "said"),
        Transition(at, Phase.ACTION, Event.TOOLS_DONE, Phase.OBSERVATION, "second", state),
    ]
    run_id = store.claim(question())
    store.finish(run_id, result(trail=steps))
    with psycopg.connect(store_url) as connection:
        found = connection.execute(
            "select at, event, trigger, model_output, state ->> 'hop_count' "
            "from db_agent.transitions where run_id = %s order by number",
            [run_id],
        ).fetchall()
    assert found == [
        (at, "tools_requested", "first", "said", "1"),
        (at, "tools_done", "second", "", "1"),
    ]


def test_exchanges_are_the_newest_of_the_thread_oldest_first(store):
    for number in range(4):
        asked = question(f"{number}.000", text=f"q{number}")
        store.finish(store.claim(asked), result(f"q{number}", results=[rows(*range(5))]))
    other = question("8.000", thread=Thread("T1", "C1", "8.000"))
    store.finish(store.claim(other), result("elsewhere"))
    now = question("9.000")
    store.claim(now)
    found = store.exchanges(now, limit=3, rows=2)
    assert [each.question for each in found] == ["q1", "q2", "q3"]
    assert found[-1].answer == "answer to q3"
    assert found[-1].sql == ("select 1",)
    assert found[-1].results[0].rows == ((0,), (1,))
    assert found[-1].results[0].truncated


def test_exchanges_leave_out_what_says_nothing(store):
    endings = {
        "1": Outcome.SYSTEM_FAULT,
        "2": Outcome.CANCELLED,
        "3": Outcome.NEEDS_CLARIFICATION,
        "4": Outcome.FAILED,
    }
    for ts, outcome in endings.items():
        store.finish(store.claim(question(ts, text=ts)), result(ts, outcome=outcome))
    store.turn_away(store.claim(question("5", text="5")), "busy")
    store.claim(question("6", text="still running"))
    found = store.exchanges(question("7"), limit=9, rows=9)
    assert [(each.question, each.answer) for each in found] == [
        ("3", "answer to 3"),
        ("4", "summary of 4"),
    ]


def test_thread_is_ours_once_somebody_asked_in_it(store):
    assert not store.engaged(THREAD)
    store.claim(question())
    assert store.engaged(THREAD)
    assert not store.engaged(Thread("T1", "C1", "2.000"))
    assert not store.engaged(Thread("T2", "C1", "1.000"))


def test_run_of_no_such_id_is_none(store):
    assert store.run("00000000-0000-0000-0000-000000000000") is None
    assert store.run("'; drop schema db_agent cascade; --") is None


def test_a_run_has_one_holder_and_what_was_written_by_the_one_before_changes_nothing(store):
    run_id = store.claim(question("1"))
    first = store.begin(run_id, "first")
    assert (first.hold.attempt, first.failures, first.question) == (1, 0, question("1"))
    assert set(store.renew([run_id], "first")) == {run_id}
    second = store.begin(run_id, "second")
    assert (second.hold.attempt, second.failures) == (2, 1)
    assert store.renew([run_id], "first") == {}
    assert not store.finish(run_id, result(), hold=first.hold)
    assert store.finish(run_id, result(), hold=second.hold)
    assert store.begin(run_id, "third").has_ended
    assert not store.note_shown(run_id, second.hold, card_ts="9.0")


def test_transitions_are_kept_as_they_happen_and_given_to_who_goes_on(store):
    run_id = store.claim(question("1"))
    hold = store.begin(run_id, "first").hold
    step = Transition(
        datetime.now(UTC), Phase.THOUGHT, Event.TOOLS_REQUESTED, Phase.ACTION, "go", AgentState()
    )
    trail = (step, replace(step, trigger="and on"))
    odd = {"text": "NUL \x00, half \ud800", "number": 1e20}
    for number, each in enumerate(trail, 1):
        assert store.keep(run_id, hold, number, each, odd)
    assert store.keep_part(run_id, hold, {"part": 1})
    begun = store.begin(run_id, "second")
    assert [each.transition for each in begun.kept] == [*trail, None]
    assert begun.kept[0].checkpoint == odd
    assert not store.keep(run_id, hold, len(trail) + 1, trail[0], {})
    assert store.finish(run_id, result(), hold=begun.hold)
    assert store.note_shown(run_id, begun.hold, card_ts="9.0")
    assert store.trail(run_id) == trail
    assert store.begin(run_id, "third") is None


def test_processes_that_start_together_migrate_once(scratch_database):
    stores = [Store(scratch_database) for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(Store.open, stores))
    for each in stores:
        each.close()
    with psycopg.connect(scratch_database) as connection:
        versions = connection.execute("select version_num from db_agent.schema_version").fetchall()
    newest = max(path.name[1:5] for path in VERSIONS.glob("v*.py"))
    assert versions == [(newest,)]


def test_migration_of_an_up_to_date_store_changes_nothing(store, store_url):
    run_id = store.claim(question())
    migrate(store_url)
    assert store.run(run_id) is not None


def test_a_store_of_a_newer_version_is_left_alone_and_says_so(scratch_database):
    migrate(scratch_database)
    with psycopg.connect(scratch_database) as connection:
        connection.execute("update db_agent.schema_version set version_num = '9999'")
    with pytest.raises(SettingsInvalid, match="newer version of this bot"):
        migrate(scratch_database)


def test_store_keeps_to_its_own_schema(scratch_database):
    migrate(scratch_database)
    with psycopg.connect(scratch_database) as connection:
        found = connection.execute(
            "select distinct schemaname from pg_tables "
            "where schemaname not in ('pg_catalog', 'information_schema')"
        ).fetchall()
    assert found == [("db_agent",)]
