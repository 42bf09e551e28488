"""Ceilings in money beyond one question, and the account of each run under way.

A ceiling is asked for before each call of a model, and what a call took is written down before the
next one is asked for, so it is exceeded by the calls that are under way when it is met, at most.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Final
from zoneinfo import ZoneInfo

from agent.messages import Transition, Usage
from agent.money import UNCOUNTED, require_prices
from agent.prices import dollars
from agent.protocols import Trail
from agent.run import Agent
from bot.periods import day_of, month_of
from bot.settings import BotSettings
from bot.store import Payer, Period, Question, Store, StoreUnavailable

log = logging.getLogger(__name__)

NOT_NOW: Final = (
    "There is a limit in money, and I cannot see at the moment what has been spent. Please ask "
    "again in a minute."
)
# Not strftime: its names follow the process's locale.
_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)


@dataclass(frozen=True)
class Ceilings:
    """In US dollars; None where there is none."""

    person_day: Decimal | None = None
    channel_day: Decimal | None = None
    workspace_month: Decimal | None = None

    @classmethod
    def of(cls, settings: BotSettings) -> Ceilings:
        """Return those that are set."""
        return cls(
            settings.max_usd_per_person_day,
            settings.max_usd_per_channel_day,
            settings.max_usd_per_workspace_month,
        )


def ceilings_set(settings: BotSettings, per_question: Decimal | None = None) -> list[str]:
    """Return the names of those settings of ceilings in money that are set."""
    ceilings = {
        "DB_AGENT_MAX_USD_PER_QUESTION": per_question,
        "DB_AGENT_MAX_USD_PER_PERSON_DAY": settings.max_usd_per_person_day,
        "DB_AGENT_MAX_USD_PER_CHANNEL_DAY": settings.max_usd_per_channel_day,
        "DB_AGENT_MAX_USD_PER_WORKSPACE_MONTH": settings.max_usd_per_workspace_month,
    }
    return [name for name, amount in ceilings.items() if amount is not None]


def check_prices(settings: BotSettings, agent: Agent) -> None:
    """Raise `SettingsInvalid` where a ceiling is set that cannot be kept for want of a price."""
    require_prices(agent.prices, agent.model_names, ceilings_set(settings))


@dataclass(frozen=True)
class Allotment:
    """One ceiling, as it stands."""

    payer: Payer
    limit: Decimal
    spent: Decimal
    period: Period
    time_zone: str
    is_direct: bool = False

    @property
    def left(self) -> Decimal:
        return max(Decimal(0), self.limit - self.spent)

    @property
    def ends(self) -> str:
        """When it begins anew: "at midnight (Europe/Berlin)", "on 1 December (Europe/Berlin)"."""
        if self.payer is not Payer.WORKSPACE:
            return f"at midnight ({self.time_zone})"
        first = self.period.until.astimezone(ZoneInfo(self.time_zone))
        return f"on 1 {_MONTHS[first.month - 1]} ({self.time_zone})"

    @property
    def refusal(self) -> str:
        """That it is met, in words for the person."""
        limit = dollars(self.limit)
        which = {
            Payer.PERSON: f"Your limit of {limit} a day",
            Payer.CHANNEL: f"The limit of {limit} a day for this "
            + ("conversation" if self.is_direct else "channel"),
            Payer.WORKSPACE: f"The limit of {limit} a month for this workspace",
        }[self.payer]
        return f"{which} is met. It begins anew {self.ends}."


@dataclass(frozen=True)
class Bill:
    """What may be spent, and what has been; safe to share between threads and processes."""

    store: Store
    ceilings: Ceilings = field(default_factory=Ceilings)
    time_zone: str = "UTC"

    def allotments(self, team: str, person: str, channel: str, at: datetime) -> Iterator[Allotment]:
        """Yield each ceiling that is set, as it stands at a moment. Raises `StoreUnavailable`."""
        day, month = day_of(at, self.time_zone), month_of(at, self.time_zone)
        for payer, limit, period, name in (
            (Payer.PERSON, self.ceilings.person_day, day, person),
            (Payer.CHANNEL, self.ceilings.channel_day, day, channel),
            (Payer.WORKSPACE, self.ceilings.workspace_month, month, ""),
        ):
            if limit is not None:
                spent = self.store.spent(team, period, payer, name)
                is_direct = channel.startswith("D")
                yield Allotment(payer, limit, spent, period, self.time_zone, is_direct)

    def account(self, run_id: str, question: Question, *, model: str, recorded: bool) -> Account:
        """Return the account of a run; `recorded`: the store knows of it."""
        return Account(self, run_id, question, model, recorded)


class Account(Trail):
    """What one run takes: a trail that writes it down, and a budget that says when to stop."""

    def __init__(
        self, bill: Bill, run_id: str, question: Question, model: str, recorded: bool
    ) -> None:
        self._bill = bill
        self._run_id = run_id
        self._question = question
        self._model = model
        self._recorded = recorded
        self._noted = Usage()
        self._is_away = False
        self._asked_at: datetime | None = None

    def refusal(self) -> str:
        """Return why the question may not be begun; "" where it may."""
        try:
            return self._met()
        except StoreUnavailable as fault:
            log.error("run %s is not begun: %s", self._run_id, fault.detail)
            return str(fault)

    def met(self, usage: Usage, cost_usd: Decimal | None) -> str:
        """Return which ceiling is met and when it ends; "" while a model may be called.

        Raises `StoreUnavailable` where there is a ceiling and nobody can count.
        """
        if not self._is_limited:
            return ""
        if cost_usd is None:
            return UNCOUNTED
        try:
            self._note(usage, cost_usd)
        except StoreUnavailable as fault:
            raise StoreUnavailable(NOT_NOW, detail=fault.detail) from fault
        return self._met()

    def record(self, transition: Transition) -> None:
        """Write down what the run has taken by now; where that fails, `met` does it.

        A record that is away is not waited for at each step.
        """
        if self._is_away:
            return
        try:
            self._note(transition.usage, transition.cost_usd)
        except StoreUnavailable as fault:
            self._is_away = True
            log.warning("what run %s took is not written down: %s", self._run_id, fault.detail)

    @property
    def _is_limited(self) -> bool:
        return self._bill.ceilings != Ceilings()

    def _met(self) -> str:
        if not self._is_limited:
            return ""
        if not self._recorded:
            raise StoreUnavailable(NOT_NOW, detail="store: the run is not recorded")
        question, where = self._question, self._question.thread
        try:
            at = self._asked_at = self._asked_at or self._bill.store.asked_at(self._run_id)
            each = self._bill.allotments(where.team, question.asked_by, where.channel, at)
            return next((one.refusal for one in each if not one.left), "")
        except StoreUnavailable as fault:
            raise StoreUnavailable(NOT_NOW, detail=fault.detail) from fault

    def _note(self, usage: Usage, cost_usd: Decimal | None) -> None:
        if usage == self._noted or not self._recorded:
            return
        self._bill.store.note_spending(
            self._run_id, model=self._model, usage=usage, cost_usd=cost_usd
        )
        self._noted = usage


class Trails(Trail):
    """Several trails, told one after the other."""

    def __init__(self, *trails: Trail) -> None:
        self._trails = trails

    def record(self, transition: Transition) -> None:
        """Tell each of them."""
        for trail in self._trails:
            trail.record(transition)

    def begin(self, doing: str) -> None:
        """Tell each of them."""
        for trail in self._trails:
            trail.begin(doing)

    def end(self, done: str, *, ok: bool) -> None:
        """Tell each of them."""
        for trail in self._trails:
            trail.end(done, ok=ok)
