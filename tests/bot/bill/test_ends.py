"""However a call ends, its place goes to the next, and what it took is written down."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import psycopg
import pytest

from agent.database.postgres import PostgresDatabase
from agent.errors import ModelUnavailable
from agent.judge import ModelJudge
from agent.messages import AgentResult, Outcome, Turn, Usage
from agent.prices import Price, Prices
from agent.protocols import Trail
from agent.run import Agent
from agent.testing import ScriptedModel, call, text
from bot.ceilings import Ceilings
from bot.trails import Trails

PRICES = Prices({"priced": Price(Decimal(1), Decimal(10), Decimal(1), Decimal(1))})
DAY = Ceilings(person_day=Decimal(1))
TEN_CENTS = Usage(output_tokens=10_000)
LOOK = call("get_schema", table_name="film")
COUNT = call("execute_read_only_sql", query="SELECT count(*) AS films FROM film")
WRONG = call("execute_read_only_sql", query="SELECT no_such_column FROM film")
"""Twice the same error sends a run back to where it was sound."""
ASK_BACK = call("ask_user", question="Which films?", options=["all", "new"])


@dataclass
class Watched:
    """A model that looks who is in line during each of its calls, and may break in one."""

    in_line: Callable[[], list[str]]
    turns: tuple[Turn, ...]
    breaks_with: Exception | None = None
    name: str = "priced"
    seen: list[list[str]] = field(default_factory=list)

    def respond(self, system: Any, messages: Any, tools: Any, *, timeout_s: float) -> Turn:
        self.seen.append(self.in_line())
        if self.breaks_with is not None and len(self.seen) > len(self.turns):
            raise self.breaks_with
        script = ScriptedModel(*self.turns, name=self.name)
        turn = script.respond(system, messages, tools, timeout_s=timeout_s)
        return replace(turn, usage=TEN_CENTS)


@pytest.fixture
def in_line(store_url: str) -> Callable[[], list[str]]:
    """Tells the runs that have a call under way or wait for one."""

    def tell() -> list[str]:
        with psycopg.connect(store_url) as connection:
            rows = connection.execute("select run_id from db_agent.calls order by ticket")
            return [str(run_id) for (run_id,) in rows]

    return tell


@pytest.fixture
def run(database: PostgresDatabase) -> Callable[..., AgentResult]:
    """Has a question of an account answered."""

    def run(account: Any, model: Any, *trails: Trail, judge: Any = None, **given: Any) -> Any:
        judge = None if judge is None else ModelJudge(judge)
        agent = Agent(model, database, None, judge, prices=PRICES)  # type: ignore[arg-type]
        trail = Trails(account, *trails)
        return agent.run("How many films?", trail=trail, budget=account, **given)

    return run


@pytest.fixture
def recorded(store_url: str) -> Callable[[str], Decimal]:
    """Tells what a run has cost by the record."""

    def tell(run_id: str) -> Decimal:
        with psycopg.connect(store_url) as connection:
            sql = "select cost_usd from db_agent.runs where id = %s"
            row = connection.execute(sql, (run_id,)).fetchone()
        assert row is not None
        return Decimal(row[0])

    return tell


@pytest.mark.parametrize(
    ("turns", "breaks_with", "outcome"),
    [
        ((LOOK, COUNT, text("There are 1,000 films.")), None, Outcome.ANSWERED),
        ((LOOK, WRONG, WRONG, COUNT, text("There are 1,000 films.")), None, Outcome.ANSWERED),
        ((LOOK, ASK_BACK), None, Outcome.NEEDS_CLARIFICATION),
        ((LOOK,), ModelUnavailable("Ask again.", detail="529"), Outcome.SYSTEM_FAULT),
        ((LOOK,), RuntimeError("a bug"), Outcome.SYSTEM_FAULT),
        ((replace(text("No."), stop_reason="refusal"),), None, Outcome.FAILED),
    ],
)
def test_a_run_is_in_line_during_its_calls_and_never_after(
    ask: Callable[..., Any],
    run: Callable[..., AgentResult],
    in_line: Callable[[], list[str]],
    recorded: Callable[[str], Decimal],
    turns: tuple[Turn, ...],
    breaks_with: Exception | None,
    outcome: Outcome,
) -> None:
    run_id, account = ask(DAY)
    model = Watched(in_line, turns, breaks_with)
    assert run(account, model).outcome is outcome
    assert model.seen == [[run_id]] * (len(turns) + bool(breaks_with))
    assert in_line() == []
    assert recorded(run_id) == Decimal("0.1") * len(turns)


def test_each_turn_of_the_judge_is_asked_for_and_written_down_as_it_ends(
    ask: Callable[..., Any],
    run: Callable[..., AgentResult],
    in_line: Callable[[], list[str]],
    recorded: Callable[[str], Decimal],
) -> None:
    run_id, account = ask(DAY)
    judge = Watched(lambda: [*in_line(), str(recorded(run_id))], (text("hm"), text("hm")))
    model = Watched(in_line, (LOOK, COUNT, text("There are 1,000 films.")))
    run(account, model, judge=judge)
    assert judge.seen == [[run_id, "0.3"], [run_id, "0.4"]]
    assert in_line() == []
    assert recorded(run_id) == Decimal("0.5")


@dataclass
class Late:
    """A model that answers when it is let, whether somebody waits for it or not."""

    fails: bool
    name: str = "priced"
    asked: threading.Event = field(default_factory=threading.Event)
    let: threading.Event = field(default_factory=threading.Event)

    def respond(self, system: Any, messages: Any, tools: Any, *, timeout_s: float) -> Turn:
        self.asked.set()
        assert self.let.wait(30)
        if self.fails:
            raise ModelUnavailable("Ask again.", detail="529")
        return replace(LOOK, usage=TEN_CENTS)


@pytest.mark.parametrize(("fails", "cost"), [(False, "0.1"), (True, "0")])
def test_a_call_that_a_cancelled_run_left_behind_counts_until_its_reply_and_then_what_it_took(
    ask: Callable[..., Any],
    run: Callable[..., AgentResult],
    store: Any,
    in_line: Callable[[], list[str]],
    recorded: Callable[[str], Decimal],
    eventually: Callable[..., None],
    fails: bool,
    cost: str,
) -> None:
    run_id, account = ask(DAY)
    model, cancelled = Late(fails), threading.Event()
    threading.Thread(target=lambda: (model.asked.wait(30), cancelled.set()), daemon=True).start()
    result = run(account, model, cancelled=cancelled)
    assert (result.outcome, result.cost_usd) == (Outcome.CANCELLED, 0)
    assert in_line() == [run_id]
    model.let.set()
    eventually(lambda: in_line() == [])
    store.finish(run_id, result)
    assert recorded(run_id) == Decimal(cost)


def test_a_judge_that_was_left_behind_counts_though_it_gave_no_verdict(
    ask: Callable[..., Any],
    run: Callable[..., AgentResult],
    in_line: Callable[[], list[str]],
    recorded: Callable[[str], Decimal],
    eventually: Callable[..., None],
) -> None:
    run_id, account = ask(DAY)
    judge, cancelled = Late(fails=False), threading.Event()
    threading.Thread(target=lambda: (judge.asked.wait(30), cancelled.set()), daemon=True).start()
    model = Watched(in_line, (LOOK, COUNT, text("There are 1,000 films.")))
    assert run(account, model, judge=judge, cancelled=cancelled).outcome is Outcome.CANCELLED
    assert in_line() == [run_id]
    judge.let.set()
    eventually(lambda: in_line() == [])
    assert recorded(run_id) == Decimal("0.4")


def test_who_watches_a_run_that_waits_is_told(
    ask: Callable[..., Any],
    begin: Callable[..., str],
    end: Callable[..., None],
    run: Callable[..., AgentResult],
    in_line: Callable[[], list[str]],
    eventually: Callable[..., None],
) -> None:
    _, first = ask(DAY)
    begin(first, most="5")
    _, account = ask(DAY)
    shown = Shown()

    def go_on() -> None:
        eventually(lambda: shown.begun)
        end(first, 10)

    threading.Thread(target=go_on, daemon=True).start()
    run(account, Watched(in_line, (text("I cannot tell."),)), shown)
    waiting = "Waiting for other questions, since a limit in money is near."
    assert shown.begun == [waiting, "Going on with your question."]


@dataclass
class Shown(Trail):
    """A trail that keeps what it was told as it began."""

    begun: list[str] = field(default_factory=list)

    def record(self, transition: Any) -> None:
        pass

    def begin(self, doing: str) -> None:
        self.begun.append(doing)


def test_a_run_that_is_cancelled_while_it_waits_ends_as_cancelled_and_asks_no_model(
    ask: Callable[..., Any],
    begin: Callable[..., str],
    run: Callable[..., AgentResult],
    in_line: Callable[[], list[str]],
    eventually: Callable[..., None],
) -> None:
    first_id, first = ask(DAY)
    begin(first, most="5")
    _, account = ask(DAY)
    model, cancelled = Watched(in_line, (LOOK,)), threading.Event()

    def cancel() -> None:
        eventually(lambda: len(in_line()) == 2)
        cancelled.set()

    threading.Thread(target=cancel, daemon=True).start()
    assert run(account, model, cancelled=cancelled).outcome is Outcome.CANCELLED
    assert (model.seen, in_line()) == ([], [first_id])
