"""Ceilings in money hold over all runs, threads and processes; who meets one is told which."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal
from itertools import count
from typing import Any

import psycopg
import pytest

from agent.database.postgres import PostgresDatabase
from agent.errors import SettingsInvalid
from agent.messages import Outcome, Transition, Turn, Usage
from agent.prices import Price, Prices
from agent.protocols import CallAhead
from agent.run import Agent
from agent.state import AgentState, Event, Phase
from agent.testing import ScriptedModel, call, text
from bot.bill import Bill, Trails
from bot.ceilings import Ceilings, check_prices
from bot.settings import read_settings
from bot.store import Payer, Question, Store, StoreUnavailable, Thread

PRICES = Prices({"priced": Price(Decimal(1), Decimal(1), Decimal(1), Decimal(1))})
TEN_CENTS = Usage(input_tokens=100_000)
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


@pytest.fixture(scope="module")
def database(demo_database_url: str) -> Iterator[PostgresDatabase]:
    database = PostgresDatabase(demo_database_url)
    yield database
    database.close()


@pytest.fixture
def agent_with(database: PostgresDatabase) -> Callable[..., Agent]:
    return lambda model: Agent(model, database, None, prices=PRICES)  # type: ignore[arg-type]


@pytest.fixture
def ask(store: Store, store_url: str) -> Callable[..., tuple[str, Any]]:
    """Has somebody ask something, and opens the account of the run."""
    numbers = count(1)

    def claim(
        ceilings: Ceilings, *, by: str = "UANN", channel: str = "C1", at: str = "", **given: Any
    ) -> tuple[str, Any]:
        ts = f"{next(numbers)}.000"
        question = Question(Thread("T1", channel, ts), ts, by, "how many?")
        run_id = store.claim(question)
        assert run_id is not None
        if at:
            with psycopg.connect(store_url) as connection:
                sql = "update db_agent.runs set created_at = %s where id = %s"
                connection.execute(sql, (at, run_id))
        bill = Bill(given.get("store", store), ceilings, given.get("zone", "UTC"))
        return run_id, bill.account(run_id, question, model="priced", recorded=True)

    return claim


def a_step(usage: Usage, cost_usd: Decimal) -> Transition:
    asked, target = Event.TOOLS_REQUESTED, Phase.ACTION
    at, state = datetime.now(UTC), AgentState()
    return Transition(at, Phase.THOUGHT, asked, target, "", state, usage=usage, cost_usd=cost_usd)


def ahead(most: str = "0.01", within_s: float = 60.0) -> CallAhead:
    return CallAhead(lambda: Decimal(most), within_s, threading.Event())


def cents(account: Any, amount: int) -> str:
    """Ask for a call after so many cents were spent, and make it: it is free."""
    usage, cost_usd = Usage(input_tokens=amount), Decimal(amount) / 100
    told = account.begin_call(usage, cost_usd, ahead())
    account.record(a_step(usage, cost_usd))
    return str(told)


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
    ask: Callable[..., Any], ceilings: Ceilings, other: dict[str, str], words: str
) -> None:
    _, account = ask(ceilings, zone=BERLIN)
    assert (account.refusal(), cents(account, 199)) == ("", "")
    assert cents(account, 200) == f"{words} It begins anew at midnight (Europe/Berlin)."
    assert ask(ceilings, zone=BERLIN)[1].refusal().startswith(words)
    assert ask(ceilings, zone=BERLIN, **other)[1].refusal() == ""


def test_a_workspace_has_a_month(ask: Callable[..., Any]) -> None:
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
    ask: Callable[..., Any], zone: str, spent_at: str, inside: str, outside: str
) -> None:
    day = Ceilings(person_day=Decimal(1))
    _, account = ask(day, at=spent_at, zone=zone)
    assert cents(account, 100)
    assert ask(day, at=inside, zone=zone)[1].refusal()
    assert ask(day, at=outside, zone=zone)[1].refusal() == ""


@pytest.mark.parametrize("limit", ["0.75", "1.00"])
def test_eight_threads_exceed_a_persons_day_by_their_calls_under_way_at_most(
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
    assert Decimal(limit) <= spent <= Decimal(limit) + threads * Decimal("0.1")
    assert endings.count("refused") == threads * 20 - len(begun)
    assert endings[-1] == "refused"


def test_what_a_dead_process_spent_still_counts(
    store: Store, open_store: Callable[..., Store], store_url: str, ask: Callable[..., Any]
) -> None:
    day = Ceilings(person_day=Decimal("0.10"))
    _, account = ask(day, store=open_store(store_url))
    account.record(a_step(Usage(input_tokens=10), Decimal("0.10")))
    store.take_cut_off(unseen_s=-1)
    assert ask(day)[1].refusal()
    assert cents(account, 12)  # it was not dead after all
    period = Bill(store, day).allotments("T1", "UANN", "C1", datetime.now().astimezone())[0]
    assert (period.payer, period.spent, period.left) == (Payer.PERSON, Decimal("0.12"), Decimal(0))


def test_what_cannot_be_counted_is_not_spent(
    store_url: str, open_store: Callable[..., Store], ask: Callable[..., Any]
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
    agent_with: Callable[..., Agent], start_bot: Callable[..., Any], store_url: str, you: Any
) -> None:
    start_bot(agent=agent_with(Slow()), max_usd_per_channel_day="0.1")
    you.card("general", you.ask("general", "how many films?"))
    you.card("general", you.ask("general", "and how many customers?"))
    you.command("general", "log")
    told = str(you.told("general", "customers"))
    assert "not answered. The limit of $0.10 a day for this channel is met." in told
    with psycopg.connect(store_url) as connection:
        rows = connection.execute(
            "select status, outcome, cost_usd from db_agent.runs order by created_at"
        ).fetchall()
    assert rows == [
        ("finished", str(Outcome.FAILED), Decimal("0.1")),
        ("turned_away", None, None),
    ]


def test_a_bot_with_a_ceiling_needs_a_price(agent_with: Callable[..., Agent]) -> None:
    tokens = {"slack_bot_token": "xoxb-1", "slack_app_token": "xapp-1"}
    limited = read_settings(**tokens, max_usd_per_workspace_month="10")
    check_prices(limited, agent_with(Slow()))
    check_prices(read_settings(**tokens), agent_with(Slow(name="groq:any")))
    with pytest.raises(SettingsInvalid, match=r"PER_WORKSPACE_MONTH cannot be kept.*groq:any"):
        check_prices(limited, agent_with(Slow(name="groq:any")))
