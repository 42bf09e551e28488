"""Processes that work at one run, one after the other, and have nothing but what was kept of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from agent.charts.renderer import ProcessRenderer
from agent.checkpoint import Recorded
from agent.database.postgres import PostgresDatabase
from agent.messages import AgentResult, QueryResult, Transition, Turn
from agent.protocols import Trail
from agent.run import Agent
from agent.testing import ScriptedModel, call

LOOK = call("get_schema", table_name="film")
LOOK_ELSEWHERE = call("get_schema", table_name="rental")
COUNT = call("execute_read_only_sql", query="SELECT count(*) AS films FROM film")
BY_RATING = call(
    "execute_read_only_sql",
    query="SELECT rating, count(*) AS films, avg(length) AS long FROM film GROUP BY 1 ORDER BY 1",
)
NOTHING = call("execute_read_only_sql", query="SELECT title FROM film WHERE title = 'None such'")
WRONG = call("execute_read_only_sql", query="SELECT no_such_column FROM film")
UNTOLD = "\u0000 \ud83d"
"""Characters that no text of PostgreSQL holds: a model may say them all the same."""


class Killed(BaseException):
    """The process is gone."""


class Kept(Trail):
    """What a store has of a run. A process ends once it has kept so many transitions."""

    def __init__(
        self,
        through: Callable[[Any], Any],
        before: Sequence[Recorded] = (),
        *,
        die_at: int = 0,
        die_in: int = 0,
    ) -> None:
        """`die_in` is the part of a phase after which the process ends."""
        self._through, self._die_at, self._die_in = through, die_at, die_in
        self.rows = [each for each in before if each.transition is not None]
        self.part: tuple[int, Any] | None = None
        self.parts = 0
        self.told: list[Transition] = []
        self.words: list[str] = []

    def record(self, transition: Transition) -> None:
        self.told.append(transition)

    def begin(self, doing: str) -> None:
        self.words.append(doing)

    def keep(self, number: int, transition: Transition, checkpoint: Mapping[str, Any]) -> None:
        assert number == len(self.rows) + 1
        self.rows.append(Recorded(transition, self._through(checkpoint)))
        self.part = None
        if number == self._die_at:
            raise Killed

    def keep_part(self, number: int, checkpoint: Mapping[str, Any]) -> None:
        assert number == len(self.rows) + 1
        self.part, self.parts = (number, self._through(checkpoint)), self.parts + 1
        if self.parts == self._die_in:
            raise Killed

    @property
    def recorded(self) -> list[Recorded]:
        return [*self.rows, *([Recorded(None, self.part[1])] if self.part else [])]


class OnlyNext(ScriptedModel):
    """A model that does not know any more what it has said already."""

    def __init__(self, *turns: Turn, said: int = 0) -> None:
        super().__init__(*turns)
        self._said = said
        self.systems: list[str] = []
        self.heard: list[Any] = []

    def respond(self, system: str, messages: Any, tools: Any, *, timeout_s: float) -> Turn:
        self.systems.append(system)
        self.heard.append(tuple(messages))
        turn = super().respond(system, messages, tools, timeout_s=timeout_s)
        due = self._turns[self._said :] or self._turns[-1:]  # past its end it keeps to its answer
        assert any(turn is each for each in due), "asked once more"
        return turn


class Watched:
    """The real database, that keeps what it was asked; each query takes seven milliseconds."""

    def __init__(self, database: PostgresDatabase, log: list[str]) -> None:
        self._database, self.log = database, log

    def __getattr__(self, name: str) -> Any:
        return getattr(self._database, name)

    def in_zone(self, time_zone: str, *, is_known: bool = False) -> Watched | None:
        inner = self._database.in_zone(time_zone, is_known=is_known)
        return None if inner is None else Watched(inner, self.log)

    def fetch(self, sql: str) -> QueryResult:
        self.log.append(sql)
        return replace(self._database.fetch(sql), duration_ms=7.0)


@dataclass
class Desk:
    """Makes processes, and carries from one to the next what was kept."""

    database: PostgresDatabase
    renderer: ProcessRenderer
    through: Callable[[Any], Any]
    judge: Any = None
    fetched: list[str] = field(default_factory=list)

    def agent(self, model: Any, **more: Any) -> Agent:
        """A process that has just begun."""
        given: dict[str, Any] = {"clock": lambda: 0.0, "judge": self.judge, **more}
        return Agent(model, Watched(self.database, self.fetched), self.renderer, **given)

    def whole(self, turns: Sequence[Turn], **asked: Any) -> tuple[AgentResult, Kept]:
        """A run that nothing cuts off."""
        kept = Kept(self.through)
        return self.agent(OnlyNext(*turns)).run("how many?", trail=kept, **asked), kept

    def go_on(
        self, turns: Sequence[Turn], recorded: Sequence[Recorded], **limits: int
    ) -> tuple[AgentResult | None, Kept]:
        """A run taken up by another process; no result where that one is killed too."""
        model = OnlyNext(*turns, said=said_in(recorded))
        kept = Kept(self.through, recorded, **limits)
        try:
            return self.agent(model).run("another text", trail=kept, resume=recorded), kept
        except Killed:
            return None, kept

    def relay(self, turns: Sequence[Turn], **asked: Any) -> tuple[AgentResult, Kept, int]:
        """A run in which each process is killed after one transition; how many there were."""
        kept = Kept(self.through, die_at=1)
        try:
            result: AgentResult | None = self.agent(OnlyNext(*turns)).run(
                "how many?", trail=kept, **asked
            )
        except Killed:
            result = None
        processes = 1
        while result is None:
            result, kept = self.go_on(turns, kept.recorded, die_at=len(kept.rows) + 1)
            processes += 1
        return result, kept, processes


def said_in(recorded: Sequence[Recorded]) -> int:
    """How many turns of the model were recorded."""
    sources = [each.transition.source for each in recorded if each.transition]
    return sum(source in ("planning", "thought") for source in sources)


AT = datetime(2026, 7, 31, tzinfo=UTC)


def timeless(result: AgentResult) -> AgentResult:
    """A result without the moments in which things happened to be done."""
    return replace(result, trail=tuple(replace(each, at=AT) for each in result.trail))


def cancelled() -> threading.Event:
    """The wish that a run ends."""
    event = threading.Event()
    event.set()
    return event
