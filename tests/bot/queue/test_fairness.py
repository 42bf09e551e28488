"""Who stands where in the line: nobody waits for all that another one asked."""

from __future__ import annotations

import pytest

from bot.queue import Workers
from tests.bot.conftest import eventually

FRONT = """
select id from db_agent.procrastinate_jobs where status = 'todo' order by priority desc, id limit 1
"""


@pytest.fixture
def order(line):
    """Has one worker answer all that is in the line; returns the order in which it did."""

    def answer() -> list[str]:
        answered: list[str] = []
        workers = Workers(line.url, answered.append, concurrency=1)
        workers.start()
        eventually(lambda: not line.jobs(), within=40)
        workers.stop()
        return answered

    return answer


def ask(line, *run_ids: str, **given: str) -> None:
    """Each in a thread of its own."""
    for run_id in run_ids:
        line.put(run_id, thread=run_id, **given)


def test_who_asks_once_is_answered_soon_though_another_asked_much(line, order):
    ask(line, *(f"much-{number}" for number in range(10)), person="U1")
    ask(line, "once", person="U2")
    answered = order()
    assert answered.index("once") <= 2
    assert [each for each in answered if each != "once"] == [f"much-{n}" for n in range(10)]


def test_one_question_elsewhere_does_not_wait_for_a_whole_channel(line, order):
    for number in range(10):
        ask(line, f"here-{number}", person=f"U{number}", channel="C1")
    ask(line, "elsewhere", person="UX", channel="C2")
    assert order().index("elsewhere") <= 2


def test_newcomers_do_not_keep_one_waiting_who_asked_much(line, order):
    ask(line, *(f"much-{number}" for number in range(4)), person="U1")
    line.do("update db_agent.procrastinate_jobs set status = 'doing' where id = 1")
    for number in range(40):
        ask(line, f"new-{number}", person=f"V{number}", channel=f"D{number}")
        (front,) = line.do(FRONT)[0]
        line.do("delete from db_agent.procrastinate_jobs where status = 'doing'")
        line.do("update db_agent.procrastinate_jobs set status = 'doing' where id = %s", [front])
    waiting = line.do("select args ->> 'run_id' from db_agent.procrastinate_jobs")
    assert not [run_id for (run_id,) in waiting if run_id.startswith("much")]


def test_follow_ups_stay_in_order_whoever_asks_them(line, order):
    ask(line, *(f"much-{number}" for number in range(5)), person="U1")
    line.put("first", thread="t", person="U1")
    line.put("second", thread="t", person="U2")
    line.put("third", thread="t", person="U3")
    answered = order()
    assert [each for each in answered if "much" not in each] == ["first", "second", "third"]


def test_line_that_was_empty_begins_anew_and_names_nobody(line, order):
    ask(line, "one", person="UALICE")
    assert "UALICE" not in str(line.do("select args from db_agent.procrastinate_jobs"))
    assert order() == ["one"]
    ask(line, "two", person="UALICE")
    assert line.do("select priority from db_agent.procrastinate_jobs") == [(-4,)]
