"""The small parts on their own: the pool, the bounds of what is recalled."""

from __future__ import annotations

import threading
import time

import pytest

from agent.messages import AgentResult, Column, Outcome, QueryResult
from bot.conversation import MAX_ANSWER, MAX_CELLS, MAX_EXCHANGES, history_of
from bot.pool import Pool
from bot.store import Question, Thread


@pytest.fixture
def pool():
    pool = Pool("test", workers=2, waiting=1)
    yield pool
    pool.stop()


def test_pool_takes_what_it_can_work_on_and_hold(pool):
    gate = threading.Event()
    assert [pool.submit(gate.wait) for _ in range(4)] == [True, True, True, False]
    gate.set()
    assert pool.drain(5)


def test_pool_that_is_drained_takes_nothing_more(pool):
    assert pool.drain(1)
    assert not pool.submit(lambda: None)


def test_pool_says_when_its_jobs_outlast_the_grace(pool):
    gate = threading.Event()
    pool.submit(gate.wait)
    assert not pool.drain(0.05)
    gate.set()
    assert pool.drain(5)
    assert pool.unfinished == 0


def test_pool_survives_jobs_that_raise(pool, monkeypatch):
    reported = []
    monkeypatch.setattr(threading, "excepthook", lambda args: reported.append(args.exc_value))

    def broken():
        raise RuntimeError("a bug")

    for _ in range(5):
        while not pool.submit(broken):
            time.sleep(0.01)
    done = threading.Event()
    while not pool.submit(done.set):
        time.sleep(0.01)
    assert done.wait(5)
    assert pool.drain(5)
    while len(reported) < 5:
        time.sleep(0.01)
    assert {str(each) for each in reported} == {"a bug"}


def test_history_is_bounded_and_the_newest_keeps_its_rows(store):
    thread = Thread("T1", "C1", "1.000")
    columns = tuple(Column(f"c{number}", "int8") for number in range(30))
    wide = QueryResult("select 1", columns, tuple(tuple(range(30)) for _ in range(40)))
    for number in range(MAX_EXCHANGES + 2):
        run_id = store.claim(Question(thread, f"{number}.000", "U1", "q"))
        store.finish(run_id, answered(f"q{number}", wide))
    history = history_of(store, Question(thread, "99.000", "U1", "now"))
    assert [each.question for each in history] == [f"q{n}" for n in range(2, MAX_EXCHANGES + 2)]
    assert all(len(each.answer) == MAX_ANSWER for each in history)
    assert all(each.sql == ("select 1",) for each in history)
    rows = [len(each.results[0].rows) for each in history]
    assert rows[-1] == 30
    assert rows[0] == 0
    assert sum(rows) * 30 <= MAX_CELLS
    assert all(each.results[0].truncated for each in history)


def answered(question, *results):
    return AgentResult(
        question=question,
        outcome=Outcome.ANSWERED,
        failed=False,
        answer="a" * 5000,
        summary="",
        results=results,
        charts=(),
        warnings=(),
        trail=(),
        model="given",
        hops=1,
        duration_ms=1,
    )
