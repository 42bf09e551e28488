"""Calls that could take a ceiling beyond its limit together take their turn, and all get one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import psycopg
import pytest

from bot.bill import Bill
from bot.ceilings import Ceilings
from bot.store import Payer, Period, Purse, Store

DAY = Ceilings(person_day=Decimal(1))
DEAR = "5"
"""The most that a call costs, in US dollars: more than any ceiling here."""


@pytest.fixture
def calls(store_url: str) -> Iterator[Callable[[], int]]:
    """Counts the calls that are under way or wait."""
    with psycopg.connect(store_url, autocommit=True) as connection:

        def counted() -> int:
            row = connection.execute("select count(*) from db_agent.calls").fetchone()
            assert row is not None
            return int(row[0])

        yield counted


@pytest.fixture
def waiting(
    begin: Callable[..., str], calls: Callable[[], int], eventually: Callable[..., Any]
) -> Iterator[Callable[..., Future[str]]]:
    """Has a run ask for a call that has to wait, and returns once it stands in line."""
    with ThreadPoolExecutor(32) as pool:

        def wait(account: Any, **given: Any) -> Future[str]:
            before = calls()
            told = pool.submit(begin, account, most=DEAR, **given)
            eventually(lambda: calls() == before + 1)
            return told

        yield wait


def test_calls_are_made_at_once_while_there_is_room_for_the_most_they_cost(
    ask: Callable[..., Any], begin: Callable[..., str], calls: Callable[[], int]
) -> None:
    told = [begin(ask(DAY)[1], most="0.33", within_s=0) for _ in range(4)]
    assert told == ["", "", "", ""]
    assert "all that is left of your limit of $1.00 a day" in begin(ask(DAY)[1], within_s=0)
    assert calls() == 4, "who is turned away gives its place back"
    assert begin(ask(DAY, by="UBOB")[1], within_s=0) == "", "others have a day of their own"
    assert begin(ask(DAY, at="2026-01-01 12:00+00")[1], within_s=0) == "", "and other days"


@pytest.mark.parametrize("same_process", [True, False])
def test_calls_that_wait_are_made_in_the_order_in_which_they_came(
    ask: Callable[..., Any],
    begin: Callable[..., str],
    end: Callable[..., None],
    waiting: Callable[..., Future[str]],
    store_url: str,
    open_store: Callable[..., Store],
    same_process: bool,
) -> None:
    bills = [Bill(open_store(store_url), DAY) for _ in range(1 if same_process else 3)]
    one, two, three = (ask(DAY, bill=bills[n % len(bills)])[1] for n in range(3))
    assert begin(one, most=DEAR) == ""
    second = waiting(two)
    third = waiting(three)
    end(one, 10)
    assert second.result(20) == ""
    assert not third.done()
    end(two, 20)
    assert third.result(20) == ""


def test_who_waits_while_a_ceiling_is_met_is_told_which(
    ask: Callable[..., Any],
    begin: Callable[..., str],
    end: Callable[..., None],
    waiting: Callable[..., Future[str]],
    calls: Callable[[], int],
    noon_zone: str,
) -> None:
    all_three = Ceilings(Decimal(9), Decimal(2), Decimal(9))
    _, first = ask(all_three)
    assert begin(first, most=DEAR) == ""
    told = [waiting(ask(all_three, by=f"U{number}")[1]) for number in range(4)]
    end(first, 201)
    words = (
        "The limit of $2.00 a day for this channel is met. "
        f"It begins anew at midnight ({noon_zone})."
    )
    assert [each.result(20) for each in told] == [words] * 4
    assert calls() == 0


def test_who_waits_leaves_when_nobody_waits_for_them_or_too_little_time_is_left(
    ask: Callable[..., Any],
    begin: Callable[..., str],
    waiting: Callable[..., Future[str]],
    calls: Callable[[], int],
) -> None:
    cancelled = threading.Event()
    begin(ask(DAY)[1], most=DEAR)
    gone = waiting(ask(DAY)[1], cancelled=cancelled)
    cancelled.set()
    assert gone.result(20)
    started = time.monotonic()
    assert "Please ask again in a minute" in begin(ask(DAY)[1], within_s=10.3)
    assert time.monotonic() - started >= 0.3
    assert calls() == 1


def test_who_waits_holds_no_connection(
    ask: Callable[..., Any],
    begin: Callable[..., str],
    end: Callable[..., None],
    waiting: Callable[..., Future[str]],
) -> None:
    _, first = ask(DAY)
    begin(first, most=DEAR)
    accounts = [ask(DAY)[1] for _ in range(11)]  # of a store with ten connections
    told = [waiting(account) for account in accounts]
    end(first, 10)
    for account, each in zip(accounts, told, strict=True):
        assert each.result(20) == ""
        end(account, 1)


def test_each_ticket_sees_all_that_were_drawn_before(
    ask: Callable[..., Any], store: Store, store_url: str, open_store: Callable[..., Store]
) -> None:
    runs = [ask(DAY)[0] for _ in range(40)]
    stores = (store, open_store(store_url))
    at = store.asked_at(runs[0])
    purse = Purse(Payer.PERSON, Period(at.replace(year=2000), at.replace(year=2100)), "UANN")

    def draw(number: int) -> tuple[int, Decimal]:
        mine = stores[number % 2]
        ticket = mine.queue_up(runs[number], most_usd=Decimal(1), lasts_s=60)
        return ticket, mine.standings("T1", [purse], ticket=ticket)[purse].ahead

    with ThreadPoolExecutor(8) as pool:
        drawn = sorted(pool.map(draw, range(40)))
    assert [ahead for _, ahead in drawn] == list(range(40))


class Counting(Store):
    """A store that counts what is asked of it."""

    asked = 0

    def _connection(self) -> Any:
        self.asked += 1
        return super()._connection()


def test_without_a_ceiling_a_call_asks_nothing_of_the_record(
    ask: Callable[..., Any],
    begin: Callable[..., str],
    end: Callable[..., None],
    store_url: str,
) -> None:
    counting = Counting(store_url)
    counting.open()
    try:
        _, free = ask(Ceilings(), bill=Bill(counting))
        assert (free.refusal(), begin(free), counting.asked) == ("", "", 0)
        end(free, 10)
        assert (begin(free, 10), counting.asked) == ("", 1)
    finally:
        counting.close()
