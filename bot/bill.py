"""The bill of a workspace, and the account of each run under way.

Calls of a model stand in one line, over all threads and processes, each with the most that it can
cost. One is made once what is spent and the most that all earlier ones can cost stay below each
ceiling: so only one call can take a ceiling beyond its limit, the last that was made.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final

from agent.messages import Transition, Usage
from agent.money import UNCOUNTED
from agent.protocols import CallAhead, Trail
from agent.state import Event
from bot.ceilings import Allotment, Ceilings
from bot.periods import day_of, month_of
from bot.store import Payer, Purse, Question, Store, StoreUnavailable

log = logging.getLogger(__name__)

NOT_NOW: Final = (
    "There is a limit in money, and I cannot see at the moment what has been spent. Please ask "
    "again in a minute."
)
LEAST_CALL_S: Final = 10.0
"""A call is not waited for any longer where less time would be left to make it."""
FIRST_LOOK_S: Final = 0.1
LAST_LOOK_S: Final = 0.5
"""How often one that waits looks for the calls of other processes: ever less, from one to other."""
GRACE_S: Final = 15.0
"""What a process has, beyond the time of a call, to write down what it took; then it is dead."""


def _now() -> datetime:
    return datetime.now(UTC)


class CallsEnded:
    """Wakes the threads that wait for a call of this process to end."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.count = 0
        """How many have ended so far."""

    def add(self) -> None:
        """One more has ended."""
        with self._changed:
            self.count += 1
            self._changed.notify_all()

    def wait_beyond(self, count: int, timeout_s: float) -> None:
        """Wait until more than `count` have ended, for `timeout_s` seconds at most."""
        with self._changed:
            self._changed.wait_for(lambda: self.count > count, timeout_s)


@dataclass(frozen=True)
class Bill:
    """What may be spent, and what has been; safe to share between threads and processes."""

    store: Store
    ceilings: Ceilings = field(default_factory=Ceilings)
    time_zone: str = "UTC"
    now: Callable[[], datetime] = _now
    grace_s: float = GRACE_S
    ended: CallsEnded = field(default_factory=CallsEnded, compare=False)

    def allotments(
        self, team: str, person: str, channel: str, at: datetime, *, ticket: int = 0
    ) -> list[Allotment]:
        """Return each ceiling that is set, as it stands for a question of that moment.

        With the `ticket` of a call, what may be taken before its turn is told too. Raises
        `StoreUnavailable`.
        """
        day, month = day_of(at, self.time_zone), month_of(at, self.time_zone)
        ceilings = (
            (Purse(Payer.PERSON, day, person), self.ceilings.person_day),
            (Purse(Payer.CHANNEL, day, channel), self.ceilings.channel_day),
            (Purse(Payer.WORKSPACE, month), self.ceilings.workspace_month),
        )
        limits = {purse: limit for purse, limit in ceilings if limit is not None}
        if not limits:
            return []
        standings, now = self.store.standings(team, tuple(limits), ticket=ticket), self.now()
        return [
            Allotment(
                purse.payer,
                limits[purse],
                standing.spent,
                purse.period,
                self.time_zone,
                channel.startswith("D"),
                standing.ahead,
                purse.period.until <= now,
            )
            for purse, standing in standings.items()
        ]

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
        self._in_line = False
        """The record holds a call of ours, under way or waiting."""
        self._asked_at: datetime | None = None

    def refusal(self) -> str:
        """Return why the question may not be begun; "" where it may."""
        if not self._is_limited:
            return ""
        try:
            return _refusal(self._allotments())
        except StoreUnavailable as fault:
            log.error("run %s is not begun: %s", self._run_id, fault.detail)
            return NOT_NOW

    def begin_call(self, usage: Usage, cost_usd: Decimal | None, call: CallAhead) -> str:
        """Return "" once the call may be made; or which ceiling is met, and when it ends.

        Waits, without a connection, while earlier calls could reach a ceiling. Raises
        `StoreUnavailable` where there is a ceiling and nobody can count.
        """
        if not self._is_limited:
            self._write_down(usage, cost_usd)
            return ""
        most_usd = call.most_usd()
        if cost_usd is None or most_usd is None:
            return UNCOUNTED
        try:
            self._note(usage, cost_usd)
            return self._when_its_turn_comes(most_usd, call)
        except StoreUnavailable as fault:
            raise StoreUnavailable(NOT_NOW, detail=fault.detail) from fault

    def record(self, transition: Transition) -> None:
        """Write down what the run has taken by now: its call has ended.

        A cancelled run may have left its call behind. Where the record is away, `begin_call` writes
        it down: that is not waited for at each step.
        """
        self._write_down(
            transition.usage,
            transition.cost_usd,
            ends_call=transition.event is not Event.CANCELLED,
        )

    def end_late_call(self, usage: Usage, cost_usd: Decimal | None) -> None:
        """Write down what the run has taken with the call that it had left behind."""
        self._write_down(usage, cost_usd)

    @property
    def _is_limited(self) -> bool:
        return self._bill.ceilings != Ceilings()

    def _when_its_turn_comes(self, most_usd: Decimal, call: CallAhead) -> str:
        self._require_record()
        bill, give_up_at = self._bill, time.monotonic() + call.time_left_s - LEAST_CALL_S
        lasts_s, look_s = call.time_left_s + bill.grace_s, FIRST_LOOK_S
        ticket = bill.store.queue_up(self._run_id, most_usd=most_usd, lasts_s=lasts_s)
        self._in_line = True
        while True:
            ended, allotments = bill.ended.count, self._allotments(ticket)
            crowded = [each for each in allotments if not each.has_room]
            if not crowded:
                return ""
            reason = _refusal(allotments)
            if call.cancelled.is_set() or time.monotonic() >= give_up_at:
                reason = reason or crowded[0].busy
            if reason:
                bill.store.end_call(self._run_id)
                self._has_ended()
                return reason
            if look_s == FIRST_LOOK_S:
                call.waits()
            bill.ended.wait_beyond(ended, look_s)
            look_s = min(2 * look_s, LAST_LOOK_S)

    def _allotments(self, ticket: int = 0) -> list[Allotment]:
        self._require_record()
        question, where = self._question, self._question.thread
        at = self._asked_at = self._asked_at or self._bill.store.asked_at(self._run_id)
        return self._bill.allotments(
            where.team, question.asked_by, where.channel, at, ticket=ticket
        )

    def _require_record(self) -> None:
        if not self._recorded:
            raise StoreUnavailable(NOT_NOW, detail="store: the run is not recorded")

    def _write_down(
        self, usage: Usage, cost_usd: Decimal | None, *, ends_call: bool = True
    ) -> None:
        if self._is_away:
            return
        try:
            self._note(usage, cost_usd, ends_call=ends_call)
        except StoreUnavailable as fault:
            self._is_away = True
            log.warning("what run %s took is not written down: %s", self._run_id, fault.detail)

    def _note(self, usage: Usage, cost_usd: Decimal | None, *, ends_call: bool = True) -> None:
        ends_call = ends_call and self._in_line
        if not self._recorded or (usage == self._noted and not ends_call):
            return
        self._bill.store.note_spending(
            self._run_id,
            model=self._model,
            usage=usage,
            cost_usd=cost_usd,
            ends_call=ends_call,
        )
        self._noted, self._is_away = usage, False
        if ends_call:
            self._has_ended()

    def _has_ended(self) -> None:
        self._in_line = False
        self._bill.ended.add()


def _refusal(allotments: list[Allotment]) -> str:
    """Return the words of the first ceiling that is met; "" for none."""
    return next((each.refusal for each in allotments if not each.left), "")
