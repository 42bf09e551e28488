"""The bill: what runs have cost, written down as it grows, and its sums."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal
from enum import Enum
from typing import Any, LiteralString

from agent.messages import Usage
from bot.store import bill_queries as queries
from bot.store.cells import clean
from bot.store.connection import StoreConnection
from bot.store.errors import RunUnknown


class Payer(Enum):
    """Whose money is counted together."""

    PERSON = queries.SPENT_BY_PERSON
    CHANNEL = queries.SPENT_IN_CHANNEL
    WORKSPACE = queries.SPENT_BY_ALL


class Share(Enum):
    """By what a sum is taken apart."""

    PERSON = queries.BY_PERSON
    CHANNEL = queries.BY_CHANNEL
    """Direct messages are one channel, without a name."""
    MODEL = queries.BY_MODEL


@dataclass(frozen=True)
class Spending:
    """What some questions took together."""

    name: str = ""
    """The person, channel or model; "" for all."""
    questions: int = 0
    tokens: int = 0
    cost_usd: Decimal = Decimal(0)
    unpriced: int = 0
    """How many of the questions have a cost that nobody knows."""


@dataclass(frozen=True)
class Period:
    """From a moment up to, not including, another."""

    since: datetime
    until: datetime


class BillStore(StoreConnection):
    """What is spent counts for the moment at which its question was asked."""

    def note_spending(
        self, run_id: str, *, model: str, usage: Usage, cost_usd: Decimal | None
    ) -> None:
        """Write down what a run has taken so far; less than is written already changes nothing."""
        given = {"run_id": run_id, "model": clean(model), "cost_usd": cost_usd, **asdict(usage)}
        with self._connection() as connection:
            connection.execute(queries.NOTE_SPENDING, given)

    def asked_at(self, run_id: str) -> datetime:
        """Return when the question of a run was asked. Raises `RunUnknown`."""
        with self._connection() as connection:
            row = connection.execute(queries.ASKED_AT, {"run_id": run_id}).fetchone()
        if row is None:
            raise RunUnknown.of(run_id)
        at: datetime = row["created_at"]
        return at

    def spent(self, team: str, period: Period, payer: Payer, name: str = "") -> Decimal:
        """Return what a person, a channel (`name` is its id) or the workspace has spent, in USD.

        Runs that failed, were cancelled, or are under way count like all others.
        """
        row = self._rows(payer.value, team, period, name=name)[0]
        return Decimal(row["spent"])

    def spending(self, team: str, period: Period, person: str | None = None) -> Spending:
        """Return what a person's questions took, or everybody's."""
        query = queries.OF_ALL if person is None else queries.OF_PERSON
        return Spending(**self._rows(query, team, period, name=person)[0])

    def shares(self, team: str, period: Period, by: Share, limit: int) -> tuple[Spending, ...]:
        """Return what was spent by each person, channel or model, the largest first."""
        return tuple(Spending(**row) for row in self._rows(by.value, team, period, limit=limit))

    def _rows(
        self, query: LiteralString, team: str, period: Period, **more: Any
    ) -> list[Mapping[str, Any]]:
        given = {"team": team, "since": period.since, "until": period.until, **more}
        with self._connection() as connection:
            return list(connection.execute(query, given).fetchall())
