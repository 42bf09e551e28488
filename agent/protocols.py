"""The seams: what the loop needs of the world, one to three methods each."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Protocol, Self

from agent.database.schema import TableSchema, TableSearch
from agent.messages import (
    AuditNote,
    Case,
    Judgement,
    Message,
    QueryResult,
    ToolSpec,
    Transition,
    Turn,
    Usage,
)


class Model(Protocol):
    """A language model, or something that behaves like one."""

    @property
    def name(self) -> str:
        """What the card calls it, such as "claude-sonnet-5" or "offline"."""

    def respond(
        self,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        *,
        timeout_s: float,
    ) -> Turn:
        """Return the next turn of the conversation.

        `timeout_s` is what is left of the run's wall clock, in seconds. Raises `ModelUnavailable`
        when no turn can be had; malformed tool calls are no exception but part of the turn.
        """


class Database(Protocol):
    """A database that can be read, and only read."""

    def fetch(self, sql: str) -> QueryResult:
        """Run one SELECT behind the guard and in a read-only session.

        Raises `SqlRejected` (the guard), `SqlFailed` (the server) or `DatabaseUnavailable`.
        """

    def fetch_for_file(self, sql: str, *, time_zone: str = "") -> QueryResult:
        """Run one SELECT as `fetch` does, with room for the rows of a file that a person gets."""

    def get_table(self, name: str) -> TableSchema:
        """Return the schema of exactly one table or view.

        Raises `UnknownTable` (with the nearest names) or `DatabaseUnavailable`.
        """

    def find_tables(self, words: str) -> TableSearch:
        """Return the tables that fit `words` best, and how they join; bounded on any database."""

    def tables(self) -> tuple[TableSchema, ...]:
        """Return all that may be read, by name. Raises `DatabaseUnavailable`."""

    def in_zone(self, time_zone: str, *, is_known: bool = False) -> Self | None:
        """Return the same database, which reads and writes points in time in another zone.

        None where the server knows no such zone, or cannot be asked; it is not asked where the zone
        `is_known` to it.
        """

    def ping(self) -> None:
        """Raises `DatabaseUnavailable`, or `SettingsInvalid` for a login that may write."""


class Auditor(Protocol):
    """Looks at the rows of a query before anybody trusts them."""

    def audit(self, result: QueryResult) -> tuple[AuditNote, ...]:
        """Return what is to be known about `result`, the gravest first.

        May ask the database; what cannot be found out in time is left out. Raises
        `DatabaseUnavailable`.
        """


class Judge(Protocol):
    """An independent look at a draft, before it becomes an answer."""

    @property
    def name(self) -> str:
        """Who judges, such as "claude-sonnet-5"."""

    def judge(
        self, case: Case, *, timeout_s: float, max_turns: int, may_go_on: Callable[[Usage], bool]
    ) -> Judgement:
        """Return the verdict within `timeout_s` seconds and `max_turns` model turns, at least one.

        `may_go_on` is asked before each turn but the first, with what the asking took so far: False
        where a ceiling in money is met by then. Raises `NoVerdict` when none can be had.
        """


@dataclass(frozen=True)
class CallAhead:
    """A call of a model that is about to be made."""

    most_usd: Callable[[], Decimal | None]
    """Returns the most that it can cost, in US dollars; None where a price is not known."""
    time_left_s: float
    """In which it is made, if at all, and ends."""
    cancelled: threading.Event
    """Nobody waits for it any more."""
    waits: Callable[[], None] = lambda: None
    """To be told where it has to wait, once."""


class Budget(Protocol):
    """What may still be spent, beyond the ceiling of one question."""

    def begin_call(self, usage: Usage, cost_usd: Decimal | None, call: CallAhead) -> str:
        """Return "" once a call may be made; or which ceiling is met, in words for the person.

        Asked before each call of a model, with what the run has taken so far; `cost_usd` is None
        where a price is not known. May wait for the calls of other runs. The call has ended when
        the next one is begun, and when the trail is told of a transition, unless that is because
        the run was cancelled. Raises a `Fault` where what is spent cannot be counted.
        """

    def end_late_call(self, usage: Usage, cost_usd: Decimal | None) -> None:
        """The call under way when the run was cancelled has ended; so much was taken in all."""


class ChartRenderer(Protocol):
    """Turns a whole Vega-Lite specification into a picture."""

    def render(self, spec: dict[str, object]) -> bytes:
        """Return a PNG. Raises `ChartRejected` when it cannot be drawn in time."""


class Trail(Protocol):
    """Is told of each transition as it happens, and of each tool call as it begins and ends.

    The words of a call are for the person who asked: no figure in them is the model's own. Who
    derives from it and does not care for the calls leaves them out.
    """

    def record(self, transition: Transition) -> None: ...

    def keep(self, number: int, transition: Transition, checkpoint: Mapping[str, Any]) -> None:
        """Keep what it takes to go on after a transition, counted from 1, in another process.

        Told before `record` is. `checkpoint` holds nothing but what JSON has, and what was not in
        the ones before it: all of them, in order, give back the run (`agent.checkpoint.Recorded`).
        It holds rows, and what the model said.
        """
        return

    def keep_part(self, number: int, checkpoint: Mapping[str, Any]) -> None:
        """Keep what the phase that is under way, and will end with `number`, has done so far.

        Told between the calls of a turn that makes several. It takes the place of an earlier one of
        the same number, and `keep` with that number takes its place; it is never needed.
        """
        return

    def begin(self, doing: str) -> None:
        """Take note of what is about to be done, such as "Running a query."."""
        return

    def end(self, done: str, *, ok: bool) -> None:
        """Take note of what came of it, such as "I ran a query: 2 rows in 31 ms."."""
        return
