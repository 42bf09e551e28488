"""Answers `/ask usage`: one's own bill, and everybody's for those who run the workspace."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from bot.audience import Audience
from bot.bill import Bill
from bot.ceilings import Allotment
from bot.people import reader_known
from bot.periods import day_of, month_of
from bot.render import Card, render_notice
from bot.render.usage import Everybody, Left, Sum, render_usage
from bot.store import Payer, Period, Share, Spending, StoreUnavailable

log = logging.getLogger(__name__)

LISTED: Final = 10


@dataclass(frozen=True)
class UsageInquiry:
    """Looks at the bill for the eyes of the one who asks."""

    bill: Bill
    audience: Audience
    team: str

    def told(self, user: str, channel: str) -> Card:
        """Return what a member's questions have taken; an administrator sees everybody's too."""
        now, zone, store = datetime.now(UTC), self.bill.time_zone, self.bill.store
        month, sees_all = month_of(now, zone), self.audience.is_admin(user)
        try:
            return render_usage(
                _sum(store.spending(self.team, day_of(now, zone), user)),
                _sum(store.spending(self.team, month, user)),
                [
                    _left(each)
                    for each in self.bill.allotments(self.team, user, channel, now)
                    # What is left of a common ceiling would tell what others have spent.
                    if sees_all or each.payer is Payer.PERSON or not each.left
                ],
                self._everybody(month) if sees_all else None,
                reader_known(self.audience.members, user),
            )
        except StoreUnavailable as fault:
            log.error("the bill could not be looked at: %s", fault.detail)
            return render_notice(f"{fault} Please try again in a moment.")

    def _everybody(self, month: Period) -> Everybody:
        def by(share: Share) -> list[Sum]:
            return _sums(self.bill.store.shares(self.team, month, share, LISTED))

        in_all = _sum(self.bill.store.spending(self.team, month))
        return Everybody(in_all, by(Share.PERSON), by(Share.CHANNEL), by(Share.MODEL))


def _left(one: Allotment) -> Left:
    whose = {
        Payer.PERSON: "for you today",
        Payer.CHANNEL: f"for this {'conversation' if one.is_direct else 'channel'} today",
        Payer.WORKSPACE: "for the workspace this month",
    }[one.payer]
    return Left(whose, one.left, one.limit, one.ends)


def _sum(one: Spending) -> Sum:
    return Sum(one.questions, one.tokens, one.cost_usd, one.unpriced, one.name)


def _sums(shares: Iterable[Spending]) -> list[Sum]:
    return [_sum(each) for each in shares]
