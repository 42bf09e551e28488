"""Runs with an account, and calls of a model that somebody else makes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from itertools import count
from typing import Any

import psycopg
import pytest

from agent.database.postgres import PostgresDatabase
from agent.messages import Transition, Usage
from agent.protocols import CallAhead
from agent.state import AgentState, Event, Phase
from bot.bill import Bill
from bot.ceilings import Ceilings
from bot.store import Question, Store, Thread


@pytest.fixture(scope="module")
def database(demo_database_url: str) -> Iterator[PostgresDatabase]:
    database = PostgresDatabase(demo_database_url)
    yield database
    database.close()


@pytest.fixture
def noon_zone() -> str:
    """A time zone where no day and no month ends within the next hours."""
    return f"Etc/GMT{datetime.now(UTC).hour - 12:+d}"  # the sign is the other way round there


@pytest.fixture
def ask(store: Store, store_url: str, noon_zone: str) -> Callable[..., tuple[str, Any]]:
    """Has somebody ask something, and opens the account of the run."""
    numbers = count(1)

    def claim(
        ceilings: Ceilings, *, by: str = "UANN", channel: str = "C1", at: str = "", **given: Any
    ) -> tuple[str, Any]:
        ts = f"{next(numbers)}.000"
        question = Question(Thread("T1", channel, ts), ts, by, "how many?")
        run_id = store.claim(question)
        assert run_id is not None
        now = datetime.fromisoformat(given.get("now") or at) if at else datetime.now(UTC)
        if at:
            with psycopg.connect(store_url) as connection:
                sql = "update db_agent.runs set created_at = %s where id = %s"
                connection.execute(sql, (at, run_id))
        zone = given.get("zone", "UTC" if at else noon_zone)
        bill = given.get("bill") or Bill(given.get("store", store), ceilings, zone, now=lambda: now)
        return run_id, bill.account(run_id, question, model="priced", recorded=True)

    return claim


@pytest.fixture
def eventually() -> Callable[..., None]:
    """Waits until something is so."""

    def wait(question: Callable[[], Any], within: float = 20.0) -> None:
        deadline = time.monotonic() + within
        while not question():
            assert time.monotonic() < deadline, "it never happened"
            time.sleep(0.01)

    return wait


@pytest.fixture
def begin() -> Callable[..., str]:
    """Asks whether a run that has spent so many cents may make a call."""

    def begin(account: Any, cents: int = 0, *, most: str = "0.01", **given: Any) -> str:
        within_s, cancelled = given.get("within_s", 60.0), given.get("cancelled", threading.Event())
        ahead = CallAhead(lambda: Decimal(most), within_s, cancelled)
        return str(account.begin_call(Usage(input_tokens=cents), Decimal(cents) / 100, ahead))

    return begin


@pytest.fixture
def end() -> Callable[..., None]:
    """Ends the call of a run that has spent so many cents with it."""

    def end(account: Any, cents: int = 0, *, event: Event = Event.TOOLS_REQUESTED) -> None:
        usage, cost_usd = Usage(input_tokens=cents), Decimal(cents) / 100
        at, target, state = datetime.now(UTC), Phase.ACTION, AgentState()
        account.record(
            Transition(at, Phase.THOUGHT, event, target, "", state, usage=usage, cost_usd=cost_usd)
        )

    return end


@pytest.fixture
def cents(begin: Callable[..., str], end: Callable[..., None]) -> Callable[..., str]:
    """Asks for a call once a run has spent so many cents, and makes it: it is free."""

    def ask_for_one(account: Any, amount: int) -> str:
        told = begin(account, amount)
        end(account, amount)
        return told

    return ask_for_one
