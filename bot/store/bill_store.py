"""The bill: what runs have cost, written down as it grows, and its sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

    PERSON = queries.OF_A_PERSON
    CHANNEL = queries.OF_A_CHANNEL
    WORKSPACE = queries.OF_THE_WORKSPACE


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


@dataclass(frozen=True)
class Purse:
    """The money of one payer in one period."""

    payer: Payer
    period: Period
    name: str = ""
    """The person's or the channel's id; "" for the workspace."""


@dataclass(frozen=True)
class Standing:
    """What a purse has paid, in US dollars, and what it may have to."""

    spent: Decimal
    """Runs that failed, were cancelled, or are under way count like all others."""
    ahead: Decimal = Decimal(0)
    """What the calls with an earlier ticket cost at most, those that wait included."""


class BillStore(StoreConnection):
    """What is spent counts for the moment at which its question was asked."""

    def note_spending(
        self,
        run_id: str,
        *,
        model: str,
        usage: Usage,
        cost_usd: Decimal | None,
        ends_call: bool = False,
    ) -> None:
        """Write down what a run has taken so far; less than is written already changes nothing.

        With `ends_call` the run's call is over as soon as that is written, and not before.
        """
        given = {"run_id": run_id, "model": clean(model), "cost_usd": cost_usd, **asdict(usage)}
        with self._connection() as connection:
            connection.execute(queries.NOTE_SPENDING, given)
            if ends_call:
                connection.execute(queries.END_CALL, given)

    def queue_up(self, run_id: str, *, most_usd: Decimal, lasts_s: float) -> int:
        """Announce a call that costs `most_usd` at most, and return its ticket.

        It counts for the calls that are announced later, for `lasts_s` seconds or until it ends.
        """
        given = {"run_id": run_id, "most_usd": most_usd, "lasts_s": lasts_s}
        with self._connection() as connection:
            connection.execute(queries.LOCK_CALLS)
            row = connection.execute(queries.QUEUE_UP, given).fetchone()
        assert row is not None
        return int(row["ticket"])

    def end_call(self, run_id: str) -> None:
        """The run's call is over, or was not made."""
        with self._connection() as connection:
            connection.execute(queries.END_CALL, {"run_id": run_id})

    def asked_at(self, run_id: str) -> datetime:
        """Return when the question of a run was asked. Raises `RunUnknown`."""
        with self._connection() as connection:
            row = connection.execute(queries.ASKED_AT, {"run_id": run_id}).fetchone()
        if row is None:
            raise RunUnknown.of(run_id)
        at: datetime = row["created_at"]
        return at

    def standings(
        self, team: str, purses: Sequence[Purse], *, ticket: int = 0
    ) -> dict[Purse, Standing]:
        """Return how each purse stands for the call that holds `ticket`; 0 is before all calls."""
        found = {}
        with self._connection() as connection:
            for purse in purses:
                given = {"team": team, "name": purse.name, "ticket": ticket}
                given |= {"since": purse.period.since, "until": purse.period.until}
                row = connection.execute(purse.payer.value, given).fetchone()
                assert row is not None
                found[purse] = Standing(**row)
        return found

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
