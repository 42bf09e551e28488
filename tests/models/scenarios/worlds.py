"""What a run may meet beside its model: its database, its judge, its limits, what was said before.

Each world is made anew for a run. The database is real; in some worlds something comes between.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from agent.database.postgres import PostgresDatabase
from agent.errors import ChartRejected, DatabaseUnavailable, NoVerdict, SqlFailed
from agent.messages import Case, Exchange, QueryResult, Severity, Usage, Verdict
from agent.protocols import CallAhead, ChartRenderer
from agent.testing import ScriptedJudge

AWAY = "The database cannot be reached."
NO_ROOM = "There is no room for it."
CEILING = "Your limit of $1.00 a day is met. It begins anew at midnight (UTC)."


@dataclass
class Parts:
    """What all runs share."""

    database: PostgresDatabase
    narrow: PostgresDatabase
    """The same, but a query reads a hundred rows at most."""
    renderer: ChartRenderer
    earlier: Callable[[str], Exchange]
    """What is on record of a question of the same thread."""


@dataclass
class World:
    """The agent's parts and what its run is given, for one run."""

    database: Any
    renderer: Any
    judge: Any = None
    clock: Any = None
    history: Sequence[Exchange] = ()
    cancelled: threading.Event = field(default_factory=threading.Event)
    budget: Any = None


class Between:
    """Stands before the database: what happens when it is looked at, and when it is asked."""

    def __init__(
        self,
        database: Any,
        *,
        looked: Callable[[], object] = lambda: None,
        asked: Callable[[int], object] = lambda number: None,
    ) -> None:
        self._database, self._looked, self._asked = database, looked, asked
        self._number = 0
        self.ping = database.ping

    def get_table(self, name: str) -> Any:
        self._looked()
        return self._database.get_table(name)

    def find_tables(self, words: str) -> Any:
        self._looked()
        return self._database.find_tables(words)

    def fetch(self, sql: str) -> QueryResult:
        self._number += 1
        self._asked(self._number)
        result: QueryResult = self._database.fetch(sql)
        return result


@dataclass
class Clock:
    """Stands still until it is moved."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now

    def leap(self) -> None:
        self.now += 1_000


@dataclass
class MetAfter:
    """A ceiling that lets so many calls of a model pass."""

    calls: int

    def begin_call(self, usage: Usage, cost_usd: Decimal | None, call: CallAhead) -> str:
        self.calls -= 1
        return "" if self.calls >= 0 else CEILING

    def end_late_call(self, usage: Usage, cost_usd: Decimal | None) -> None:
        """Nothing is counted here."""


class Draws:
    """A renderer that fails."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def render(self, spec: dict[str, object]) -> bytes:
        raise self._error


def _raises(error: Exception, *, first: int = 1, last: int = 1) -> Callable[[int], None]:
    def act(number: int) -> None:
        if first <= number <= last:
            raise error

    return act


def _judge(*refusals: str, always: bool = False) -> ScriptedJudge:
    left = list(refusals)

    def think(case: Case) -> Verdict:
        if not left:
            return Verdict(valid=True, reason="It is what the rows say.")
        reason = left[0] if always else left.pop(0)
        return Verdict(valid=False, reason=reason, severity=Severity.MINOR)

    return ScriptedJudge(think, name="the judge")


def _no_judge(case: Case) -> Verdict:
    raise NoVerdict("Nobody is there.", Usage(), 1)


def _cancelled_at_the_first_look(parts: Parts) -> World:
    world = World(None, parts.renderer)
    world.database = Between(parts.database, looked=world.cancelled.set)
    return world


def _cancelled_before(parts: Parts) -> World:
    world = World(parts.database, parts.renderer)
    world.cancelled.set()
    return world


def _out_of_time(parts: Parts) -> World:
    clock = Clock()
    return World(Between(parts.database, looked=clock.leap), parts.renderer, clock=clock)


def _database(database: Callable[[Parts], Any]) -> Callable[[Parts], World]:
    return lambda parts: World(database(parts), parts.renderer)


def _failing(error: Exception, **when: int) -> Callable[[Parts], World]:
    return _database(lambda parts: Between(parts.database, asked=_raises(error, **when)))


def _away() -> Any:
    raise DatabaseUnavailable(AWAY)


def _given(**given: Callable[[Parts], Any]) -> Callable[[Parts], World]:
    def make(parts: Parts) -> World:
        made = {name: value(parts) for name, value in given.items()}
        return World(**{"database": parts.database, "renderer": parts.renderer, **made})

    return make


SLOW = SqlFailed("57014", "The query took longer than 5 s and was stopped.")
LOCKED = SqlFailed("55P03", "canceling statement due to lock timeout")
REFUSED = "It does not say as of when."

WORLDS: dict[str, Callable[[Parts], World]] = {
    "as ever": _given(),
    "few rows are read": _database(lambda parts: parts.narrow),
    "the database is out of reach": _database(lambda parts: Between(parts.database, looked=_away)),
    "the database goes away": _failing(DatabaseUnavailable(AWAY), last=99),
    "the first query takes too long": _failing(SLOW),
    "a table is locked at first": _failing(LOCKED),
    "cancelled before it begins": _cancelled_before,
    "cancelled at the first look": _cancelled_at_the_first_look,
    "time runs out": _out_of_time,
    "the ceiling is met": _given(budget=lambda parts: MetAfter(0)),
    "the ceiling is met after two calls": _given(budget=lambda parts: MetAfter(2)),
    "the ceiling is met after three calls": _given(budget=lambda parts: MetAfter(3)),
    "the judge agrees": _given(judge=lambda parts: _judge()),
    "the judge refuses once": _given(judge=lambda parts: _judge(REFUSED)),
    "the judge refuses all": _given(judge=lambda parts: _judge(REFUSED, always=True)),
    "no judge is there": _given(judge=lambda parts: ScriptedJudge(_no_judge, "the judge")),
    "no chart can be drawn": _given(renderer=lambda parts: Draws(ChartRejected(NO_ROOM))),
    "drawing breaks": _given(renderer=lambda parts: Draws(RuntimeError("a bug"))),
    "after films by rating": _given(history=lambda parts: [parts.earlier("films by rating")]),
    "after a question back": _given(history=lambda parts: [parts.earlier("best customers")]),
}
