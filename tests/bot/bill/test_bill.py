"""Ceilings in money hold over all runs, threads and processes; who meets one is told which."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from itertools import count
from typing import Any

import psycopg
import pytest

from agent.database.postgres import PostgresDatabase
from agent.errors import SettingsInvalid
from agent.messages import Outcome, Turn, Usage
from agent.prices import Price, Prices
from agent.run import Agent
from agent.testing import ScriptedModel, call, text
from bot.bill import Bill
from bot.ceilings import Ceilings, check_prices
from bot.settings import read_settings
from bot.store import Payer, Store, StoreUnavailable
from bot.trails import Trails

PRICES = Prices({"priced": Price(Decimal(1), Decimal(10), Decimal(1), Decimal(1))})
TEN_CENTS = Usage(output_tokens=10_000)
BERLIN = "Europe/Berlin"


def paid(turn: Turn) -> Turn:
    return replace(turn, usage=TEN_CENTS)


TURNS = tuple(
    paid(each)
    for each in (
        call("get_schema", table_name="film"),
        call("execute_read_only_sql", query="SELECT count(*) AS films FROM film"),
        text("There are 1,000 films."),
    )
)


@dataclass
class Slow:
    """A model whose calls take a while, and are counted."""

    turns: tuple[Turn, ...] = TURNS
    takes_s: float = 0.0
    name: str = "priced"
    calls: Iterator[int] = field(default_factory=lambda: count(1))
    called: int = 0

    def respond(self, system: Any, messages: Any, tools: Any, *, timeout_s: float) -> Turn:
        time.sleep(self.takes_s)
        self.called = next(self.calls)
        script = ScriptedModel(*self.turns, name=self.name)
        return script.respond(system, messages, tools, timeout_s=timeout_s)


@pytest.fixture
def agent_with(database: PostgresDatabase) -> Callable[..., Agent]:
    return lambda model: Agent(model, database, None, prices=PRICES)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("ceilings", "other", "words"),
    [
        (Ceilings(person_day=Decimal(2)), {"by": "UBOB"}, "Your limit of $2.00 a day is met."),
        (
            Ceilings(channel_day=Decimal(2)),
            {"channel": "C2"},
            "The limit of $2.00 a day for this channel is met.",
        ),
    ],
)
def test_who_meets_a_ceiling_is_told_which_and_others_are_not_kept(
    ask: Callable[..., Any],
    cents: Callable[..., str],
    ceilings: Ceilings,
    other: dict[str, str],
    words: str,
) -> None:
    _, account = ask(ceilings, zone=BERLIN)
    assert (account.refusal(), cents(account, 199)) == ("", "")
    assert cents(account, 200) == f"{words} It begins anew at midnight (Europe/Berlin)."
    assert ask(ceilings, zone=BERLIN)[1].refusal().startswith(words)
    assert ask(ceilings, zone=BERLIN, **other)[1].refusal() == ""


def test_a_workspace_has_a_month(ask: Callable[..., Any], cents: Callable[..., str]) -> None:
    month = Ceilings(workspace_month=Decimal("0.5"))
    _, account = ask(month, at="2026-11-01 00:30+01", zone=BERLIN)
    assert cents(account, 50) == (
        "The limit of $0.50 a month for this workspace is met. It begins anew on 1 December "
        "(Europe/Berlin)."
    )
    asked = {"by": "UBOB", "channel": "D9", "zone": BERLIN}
    assert ask(month, at="2026-11-30 23:59:59+01", **asked)[1].refusal()
    assert ask(month, at="2026-12-01 00:00:00+01", **asked)[1].refusal() == ""
    assert ask(month, at="2026-10-31 23:59:59+01", **asked)[1].refusal() == ""


@pytest.mark.parametrize(
    ("zone", "spent_at", "inside", "outside"),
    [
        # 25 October 2026 has 25 hours in Berlin, 29 March 2026 has 23.
        (BERLIN, "2026-10-25 00:00+02", "2026-10-25 23:59:59+01", "2026-10-26 00:00+01"),
        (BERLIN, "2026-10-25 23:30+01", "2026-10-25 00:00+02", "2026-10-24 23:59:59+02"),
        (BERLIN, "2026-03-29 00:00+01", "2026-03-29 23:59:59+02", "2026-03-30 00:00+02"),
        (BERLIN, "2026-03-29 23:30+02", "2026-03-29 00:00+01", "2026-03-28 23:59:59+01"),
        # In Beirut there was no midnight on 30 March 2025, and in Havana two on 2 November 2025.
        ("Asia/Beirut", "2025-03-30 01:00+03", "2025-03-30 23:59+03", "2025-03-29 23:59:59+02"),
        ("America/Havana", "2025-11-02 00:30-05", "2025-11-02 00:00-04", "2025-11-01 23:59:59-04"),
        ("UTC", "2026-02-28 12:00+00", "2026-02-28 00:00+00", "2026-03-01 00:00+00"),
    ],
)
def test_a_day_is_one_of_the_bots_time_zone(
    ask: Callable[..., Any],
    cents: Callable[..., str],
    zone: str,
    spent_at: str,
    inside: str,
    outside: str,
) -> None:
    day = Ceilings(person_day=Decimal(1))
    _, account = ask(day, at=spent_at, zone=zone)
    assert cents(account, 100)
    assert ask(day, at=inside, zone=zone)[1].refusal()
    assert ask(day, at=outside, zone=zone)[1].refusal() == ""


@pytest.mark.parametrize("limit", ["0.75", "1.00"])
def test_eight_threads_exceed_a_persons_day_by_one_call_at_most(
    store: Store,
    store_url: str,
    open_store: Callable[..., Store],
    ask: Callable[..., Any],
    agent_with: Callable[..., Agent],
    limit: str,
) -> None:
    threads, ceilings = 8, Ceilings(person_day=Decimal(limit))
    stores = (store, open_store(store_url))  # as two processes have them
    model = Slow(takes_s=0.005)
    agent = agent_with(model)
    begun: list[int] = []
    lock = threading.Lock()

    def one(number: int) -> str:
        run_id, account = ask(ceilings, store=stores[number % 2])
        if account.refusal():
            return "refused"
        with lock:
            begun.append(number)
        result = agent.run("how many?", trail=Trails(account), budget=account)
        stores[number % 2].finish(run_id, result)
        return str(result.outcome)

    with ThreadPoolExecutor(threads) as pool:
        endings = list(pool.map(one, range(threads * 20)))
    with psycopg.connect(store_url) as connection:
        row = connection.execute("select sum(cost_usd) from db_agent.runs").fetchone()
    spent = Decimal(model.called) / 10
    assert row == (spent,), "what was spent is written down, to the cent"
    assert Decimal(limit) <= spent <= Decimal(limit) + Decimal("0.1")
    assert endings.count("refused") == threads * 20 - len(begun)
    assert endings[-1] == "refused"


@pytest.mark.parametrize(
    ("spent_at", "inside", "outside"),
    [
        # In Berlin the clocks go forward in March and back in October.
        ("2026-03-01 00:00+01", "2026-03-31 23:59:59+02", "2026-04-01 00:00+02"),
        ("2026-03-31 23:30+02", "2026-03-01 00:00+01", "2026-02-28 23:59:59+01"),
        ("2026-10-01 00:00+02", "2026-10-31 23:59:59+01", "2026-11-01 00:00+01"),
        ("2026-12-31 23:30+01", "2026-12-01 00:00+01", "2027-01-01 00:00+01"),
    ],
)
def test_a_month_is_one_of_the_bots_time_zone(
    ask: Callable[..., Any], cents: Callable[..., str], spent_at: str, inside: str, outside: str
) -> None:
    month = Ceilings(workspace_month=Decimal(1))
    assert cents(ask(month, at=spent_at, zone=BERLIN)[1], 100)
    assert ask(month, at=inside, zone=BERLIN)[1].refusal()
    assert ask(month, at=outside, zone=BERLIN)[1].refusal() == ""


def test_a_question_that_is_worked_on_at_midnight_is_one_of_the_day_before(
    ask: Callable[..., Any], cents: Callable[..., str]
) -> None:
    day, before, after = Ceilings(Decimal(1)), "2026-10-24 23:59:50+02", "2026-10-25 00:00:30+02"
    asked = {"zone": BERLIN, "now": after}
    _, account = ask(day, at=before, **asked)
    assert cents(account, 99) == ""
    assert ask(day, at=after, **asked)[1].refusal() == ""
    assert cents(account, 100) == (
        "Your limit of $1.00 a day was met. It has begun anew since you asked: please ask again."
    )
    assert ask(day, at=before, zone=BERLIN)[1].refusal().endswith("at midnight (Europe/Berlin).")
    assert ask(day, at=after, **asked)[1].refusal() == ""


def test_what_a_dead_process_spent_still_counts(
    store: Store,
    open_store: Callable[..., Store],
    store_url: str,
    ask: Callable[..., Any],
    cents: Callable[..., str],
    end: Callable[..., None],
) -> None:
    day = Ceilings(person_day=Decimal("0.10"))
    run_id, account = ask(day, store=open_store(store_url))
    end(account, 10)
    store.begin(run_id, "another process")
    assert ask(day)[1].refusal()
    assert cents(account, 12)  # it was not dead after all
    period = Bill(store, day).allotments("T1", "UANN", "C1", datetime.now().astimezone())[0]
    assert (period.payer, period.spent, period.left) == (Payer.PERSON, Decimal("0.12"), Decimal(0))


def test_what_cannot_be_counted_is_not_spent(
    store_url: str,
    open_store: Callable[..., Store],
    ask: Callable[..., Any],
    cents: Callable[..., str],
) -> None:
    away = open_store(store_url, wait_s=0.2)
    _, account = ask(Ceilings(person_day=Decimal(1)), store=away)
    _, free = ask(Ceilings(), store=away)
    away.close()
    assert "cannot see at the moment what has been spent" in account.refusal()
    with pytest.raises(StoreUnavailable, match="ask again in a minute"):
        cents(account, 1)
    assert (free.refusal(), cents(free, 1)) == ("", "")


def test_a_ceiling_is_met_in_the_middle_of_a_run_and_said_on_the_card(
    agent_with: Callable[..., Agent], start_bot: Callable[..., Any], you: Any
) -> None:
    model = Slow()
    start_bot(agent=agent_with(model), max_usd_per_person_day="0.15")
    card = you.card("general", you.ask("general", "how many films?"))
    assert "Your limit of $0.15 a day is met. It begins anew at midnight (UTC)." in str(card)
    assert "This run failed" in str(card)
    assert model.called == 2
    card = you.card("general", you.ask("general", "and how many customers?"))
    assert card["text"] == "Your limit of $0.15 a day is met. It begins anew at midnight (UTC)."
    assert model.called == 2


def test_a_refused_question_is_in_the_log_with_its_reason(
    agent_with: Callable[..., Agent],
    start_bot: Callable[..., Any],
    store_url: str,
    you: Any,
    eventually: Callable[..., None],
) -> None:
    def recorded() -> list[Any]:
        with psycopg.connect(store_url) as connection:
            sql = "select status, outcome, cost_usd from db_agent.runs order by created_at"
            return connection.execute(sql).fetchall()

    start_bot(agent=agent_with(Slow()), max_usd_per_channel_day="0.1")
    you.card("general", you.ask("general", "how many films?"))
    you.card("general", you.ask("general", "and how many customers?"))
    finished = ("finished", str(Outcome.FAILED), Decimal("0.1"))
    eventually(lambda: recorded() == [finished, ("turned_away", None, None)])
    you.command("general", "log")
    told = str(you.told("general", "customers"))
    assert "not answered. The limit of $0.10 a day for this channel is met." in told


def test_a_bot_with_a_ceiling_needs_a_price(agent_with: Callable[..., Agent]) -> None:
    tokens = {"slack_bot_token": "xoxb-1", "slack_app_token": "xapp-1"}
    limited = read_settings(**tokens, max_usd_per_workspace_month="10")
    check_prices(limited, agent_with(Slow()))
    check_prices(read_settings(**tokens), agent_with(Slow(name="groq:any")))
    with pytest.raises(SettingsInvalid, match=r"PER_WORKSPACE_MONTH cannot be kept.*groq:any"):
        check_prices(limited, agent_with(Slow(name="groq:any")))
