"""What is old goes: first the rows of results, later whole runs; what they cost stays."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import psycopg
import pytest

from agent.messages import Column, QueryResult, Usage
from bot.housekeeping import Housekeeping
from bot.keep import Keep
from bot.store import (
    ROWS_GONE,
    LogSearch,
    Payer,
    Period,
    Purse,
    Question,
    RunUnknown,
    Share,
    StoreUnavailable,
    Thread,
)
from bot.store.retention import AgedOut, age_out

from ..conftest import eventually

NOW = datetime.now(UTC)
ALWAYS = Period(NOW - timedelta(days=4_000), NOW + timedelta(days=1))
ROWS = QueryResult("select 1 as one", (Column("one", "int4"),), ((1,),))
NONE = QueryResult("select 1 as one where false", (Column("one", "int4"),), ())
FOR_EVER = Keep(0, 0)


@pytest.fixture
def aged(ran, store_url):
    """Has somebody ask something so many days ago; returns the run's id."""

    def run(days: float, **given):
        run_id = ran(**{"results": (ROWS,), **given})
        with psycopg.connect(store_url) as connection:
            for table, key in (("runs", "id"), ("results", "run_id")):
                connection.execute(
                    f"update db_agent.{table} set created_at = %s where {key} = %s",
                    (NOW - timedelta(days=days), run_id),
                )
            connection.execute(
                "update db_agent.conversations set last_at = %s where id ="
                " (select conversation_id from db_agent.runs where id = %s)",
                (NOW - timedelta(days=days), run_id),
            )
        return run_id

    return run


def counted(url: str, table: str) -> int:
    with psycopg.connect(url) as connection:
        (n,) = connection.execute(f"select count(*) from db_agent.{table}").fetchone()
    return n


def test_rows_go_first_and_the_run_says_so(store, aged):
    old, young = aged(31), aged(29)
    assert age_out(store, Keep(30, 365)) == AgedOut(results=1)
    record = store.run(old)
    assert record.rows_gone
    (result,) = record.results
    assert (result.sql, result.columns, result.rows) == (ROWS.sql, ROWS.columns, ())
    assert (result.truncated, result.notes) == (True, (ROWS_GONE,))
    assert record.answer
    assert store.run(young).results == (ROWS,)
    assert age_out(store, Keep(30, 365)) == AgedOut()


def test_a_result_that_never_had_rows_is_not_said_to_have_lost_any(store, aged):
    run_id = aged(31, results=(NONE,))
    assert age_out(store, Keep(30, 365)) == AgedOut()
    assert not store.run(run_id).rows_gone
    assert store.run(run_id).results == (NONE,)


def test_a_follow_up_goes_on_with_what_is_left(store, aged):
    aged(31, ts="1.000")
    age_out(store, Keep(30, 365))
    asked = Question(Thread("T1", "C1", "1.000"), "2.000", "UANN", "and now?")
    (earlier,) = store.exchanges(asked, limit=5, rows=5)
    assert (earlier.answer, earlier.sql) == ("answer to how many films?", (ROWS.sql,))
    assert earlier.results == ()


def test_later_the_whole_run_goes_with_all_that_belongs_to_it(store, store_url, aged, a_transition):
    run_id = aged(366, trail=(a_transition("I looked."),))
    store.vote(run_id, "UBOB", is_good=True, at=NOW)
    escalation = store.escalate(run_id, reason="asked", asked_by="UBOB")
    store.begin_share(run_id)
    kept = aged(364)
    assert age_out(store, Keep(30, 365)) == AgedOut(results=2, runs=1)
    assert store.run(run_id) is None
    assert store.trail(run_id) == ()
    assert store.escalation(escalation.id) is None
    assert store.run(kept) is not None
    for table in ("transitions", "feedback", "escalations", "shares"):
        assert counted(store_url, table) == 0
    assert counted(store_url, "conversations") == 1
    assert [each.run_id for each in store.find_runs(LogSearch("T1", "UANN"))] == [kept]
    with pytest.raises(RunUnknown):
        store.vote(run_id, "UBOB", is_good=True, at=NOW)


def test_what_has_not_ended_is_left(store, store_url, aged):
    run_id = store.claim(Question(Thread("T1", "C1", "1.0"), "1.0", "UANN", "waits"))
    with psycopg.connect(store_url) as connection:
        connection.execute("update db_agent.runs set created_at = now() - interval '2 years'")
    assert age_out(store, Keep(30, 365)).runs == 0
    assert store.run(run_id) is not None


def test_a_conversation_that_goes_on_is_still_ours(store, aged):
    aged(400, ts="1.000")
    thread = Thread("T1", "C1", "1.000")
    store.claim(Question(thread, "2.000", "UBOB", "and now?"))
    assert age_out(store, Keep(30, 365)).runs == 1
    assert store.engaged(thread)


def test_for_ever_is_for_ever(store, aged):
    run_id = aged(3_000)
    assert age_out(store, FOR_EVER) == AgedOut()
    assert store.run(run_id).results == (ROWS,)


def test_sums_stay_as_they_were_but_for_who_it_was(store, aged):
    """Each in its quarter of an hour, so that the days of every zone add up as before."""
    taken = {"usage": Usage(100, 20, 3, 4), "cost_usd": Decimal("0.02")}
    aged(400, **taken)
    aged(400, by="UBOB", **taken)
    aged(400, channel="D7", cost_usd=None)
    aged(400, model="", cost_usd=None)
    aged(1, by="UBOB", model="other")
    purses = [Purse(Payer.WORKSPACE, ALWAYS), Purse(Payer.CHANNEL, ALWAYS, "C1")]
    before = store.standings("T1", purses)
    everything = store.spending("T1", ALWAYS)
    shares = {by: store.shares("T1", ALWAYS, by, 9) for by in (Share.CHANNEL, Share.MODEL)}
    days = [Period(NOW - timedelta(days=401), NOW - timedelta(days=399, hours=12))]
    assert age_out(store, Keep(30, 365), batch=2).runs == 4
    assert everything.questions == 4
    assert store.spending("T1", ALWAYS) == everything
    assert store.standings("T1", purses) == before
    for by, found in shares.items():
        assert store.shares("T1", ALWAYS, by, 9) == found
    assert store.spending("T1", days[0]).questions == 3
    people = {each.name: each.questions for each in store.shares("T1", ALWAYS, Share.PERSON, 9)}
    assert people == {"": 3, "UBOB": 1}
    assert store.spending("T2", ALWAYS).questions == 0


def test_sums_name_nobody(store, store_url, aged):
    aged(400, by="UANN", channel="D7", text="a word of mine")
    age_out(store, Keep(30, 365))
    with psycopg.connect(store_url) as connection:
        (row,) = connection.execute("select spent::text from db_agent.spent").fetchone()
    for secret in ("UANN", "D7", "word"):
        assert secret not in row


def test_only_one_process_at_a_time_does_it(store, store_url, aged):
    run_id = aged(400)
    with psycopg.connect(store_url) as other:
        other.execute("select pg_advisory_xact_lock(x'616765696e67'::bigint)")
        assert age_out(store, Keep(30, 365)) == AgedOut()
        assert store.run(run_id) is not None
    assert age_out(store, Keep(30, 365)).runs == 1


def test_what_there_is_no_time_for_waits_for_the_next_time(store, aged):
    for _ in range(5):
        aged(400)
    assert age_out(store, Keep(0, 365), within_s=0.0, batch=2) == AgedOut(runs=2, is_over=False)
    assert age_out(store, Keep(0, 365), batch=2) == AgedOut(runs=3)


def test_who_asks_meanwhile_is_answered(store, store_url, aged, ran):
    for _ in range(30):
        aged(400)
    over, asked = threading.Event(), []

    def ask():
        while not over.is_set():
            asked.append(ran())

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        eventually(lambda: asked)
        assert age_out(store, Keep(30, 365), batch=3).runs == 30
    finally:
        over.set()
        thread.join()
    assert counted(store_url, "runs") == len(asked)


def test_housekeeping_looks_in_its_own_good_time_and_counts_in_the_log(store, aged, caplog):
    clock = iter((0.0, 0.0, 1.0, 2.0, 3_700.0, 3_700.0))
    keeps = Housekeeping(store, Keep(30, 365), clock=lambda: next(clock))
    with caplog.at_level("INFO", "bot.housekeeping"):
        aged(400)
        keeps.look()
        later = aged(400)
        keeps.look()
        assert store.run(later) is not None
        keeps.look()
        assert store.run(later) is None
    assert caplog.messages == ["aged out: the rows of 1 result, 1 run"] * 2


def test_housekeeping_bears_a_store_that_is_away(store, aged, caplog):
    keeps = Housekeeping(store, Keep(30, 365))
    store.close()
    keeps.look()
    assert "nothing ages out now" in caplog.text
    with pytest.raises(StoreUnavailable):
        age_out(store, Keep(30, 365))
