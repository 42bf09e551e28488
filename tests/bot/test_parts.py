"""The small parts on their own: the pool, the progress, the bounds of what is recalled."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from agent.messages import AgentResult, Column, Outcome, QueryResult, Transition
from agent.state import AgentState, Event, Phase
from bot.conversation import MAX_ANSWER, MAX_CELLS, MAX_EXCHANGES, history_of
from bot.pool import Pool
from bot.progress import Allowance, Progress
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


def step(trigger):
    now = datetime.now(UTC)
    state = AgentState()
    return Transition(now, Phase.THOUGHT, Event.TOOLS_REQUESTED, Phase.ACTION, trigger, state)


def test_progress_is_shown_at_once_and_then_not_too_often():
    shown = []

    def note(steps, plan):
        shown.append((time.monotonic(), list(steps)))

    with Progress(note, Allowance(), every_s=0.3) as trail:
        for number in range(10):
            trail.record(step(f"step {number}"))
            time.sleep(0.1)
    times = [at for at, _ in shown]
    assert 3 <= len(shown) <= 5
    assert all(later - earlier >= 0.29 for earlier, later in pairwise(times))
    assert shown[0][1] == ["step 0"]
    assert shown[-1][1][:4] == ["step 0", "step 1", "step 2", "step 3"]


def test_last_step_is_shown_though_nothing_follows_it():
    shown = []
    with Progress(lambda steps, plan: shown.append(steps[-1]), Allowance(), every_s=0.1) as trail:
        trail.record(step("first"))
        time.sleep(0.05)
        trail.record(step("second"))
        time.sleep(0.3)
        assert shown == ["first", "second"]


def test_nothing_is_shown_after_the_end():
    shown = []
    with Progress(lambda steps, plan: shown.append(steps[-1]), Allowance(), every_s=60) as trail:
        trail.record(step("first"))
        while not shown:
            time.sleep(0.01)
        trail.record(step("second"))
    assert shown == ["first"]


def test_end_waits_for_what_is_being_shown():
    begun, ended = [], []

    def show(steps, plan):
        begun.append(steps)
        time.sleep(0.2)
        ended.append(steps)

    with Progress(show, Allowance()) as trail:
        trail.record(step("first"))
        while not begun:
            time.sleep(0.01)
    assert ended == begun


def test_slow_slack_does_not_hold_the_run_up():
    with Progress(lambda steps, plan: time.sleep(0.5), Allowance()) as trail:
        started = time.monotonic()
        for number in range(50):
            trail.record(step(f"step {number}"))
        assert time.monotonic() - started < 0.2


def test_step_that_only_repeats_the_last_is_shown_once():
    shown = []
    with Progress(lambda steps, plan: shown.append(list(steps)), Allowance(), every_s=0) as trail:
        for trigger in ("same", "same", "", "other"):
            trail.record(step(trigger))
        time.sleep(0.1)
    assert shown[-1] == ["same", "other"]


def test_progress_of_all_runs_together_stays_within_the_allowance():
    shown, allowance = [], Allowance(per_minute=3)
    for run in range(5):
        with Progress(
            lambda steps, plan: shown.append(steps[-1]), allowance, every_s=0.02
        ) as trail:
            trail.record(step(f"run {run}"))
            time.sleep(0.1)
    assert shown == ["run 0", "run 1", "run 2"]


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
