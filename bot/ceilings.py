"""Ceilings in money beyond one question, what is left of each, and how that is said."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final
from zoneinfo import ZoneInfo

from agent.money import require_prices
from agent.prices import dollars
from agent.run import Agent
from bot.settings import BotSettings
from bot.store import Payer, Period

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
    ahead: Decimal = Decimal(0)
    """What the calls that come first, under way or waiting, cost at most."""
    is_over: bool = False
    """The period is: it ended while the question was worked on."""

    @property
    def has_room(self) -> bool:
        """Whether a call may be made: no earlier one can reach the limit."""
        return self.spent + self.ahead < self.limit

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
        which = self._which
        which = f"{which[0].upper()}{which[1:]}"
        if self.is_over:
            return f"{which} was met. It has begun anew since you asked: please ask again."
        return f"{which} is met. It begins anew {self.ends}."

    @property
    def busy(self) -> str:
        """That other questions may take what is left, in words for the person."""
        return (
            f"Other questions that I am working on may take all that is left of {self._which}. "
            "Please ask again in a minute."
        )

    @property
    def _which(self) -> str:
        limit = dollars(self.limit)
        if self.payer is Payer.PERSON:
            return f"your limit of {limit} a day"
        if self.payer is Payer.CHANNEL:
            where = "conversation" if self.is_direct else "channel"
            return f"the limit of {limit} a day for this {where}"
        return f"the limit of {limit} a month for this workspace"
