"""Answers `/ask usage`: one's own bill, and everybody's for those who run the workspace."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final

from bot.audience import Audience
from bot.bill import Bill
from bot.ceilings import Allotment
from bot.people import reader_known
from bot.periods import day_of, month_of
from bot.render import Card, render_notice
from bot.render.usage import GROUPS, Everybody, Left, Sum, render_usage
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
        channels = self._groups_as_one(by(Share.CHANNEL))
        return Everybody(in_all, by(Share.PERSON), channels, by(Share.MODEL))

    def _groups_as_one(self, channels: Sequence[Sum]) -> list[Sum]:
        """Return the channels, with all messages of groups, which have no name, as one of them."""
        groups = [each for each in channels if each.name and self.audience.is_group(each.name)]
        if not groups:
            return list(channels)
        in_all = Sum(
            sum(each.questions for each in groups),
            sum(each.tokens for each in groups),
            sum((each.cost_usd for each in groups), Decimal(0)),
            sum(each.unpriced for each in groups),
            GROUPS,
        )
        return [
            in_all if each is groups[0] else each for each in channels if each not in groups[1:]
        ]


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
