"""What the crowd does: a series of questions, the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from .answering import WITH_CHART

PEOPLE = 12
OPEN = ("data", "general", "helpdesk")
CLOSED = "finance-private"
"""Where the bot is no member: a command is answered in private."""


class Kind(StrEnum):
    """How a question is asked."""

    MENTION = "mention"
    DIRECT = "direct message"
    COMMAND = "command"
    WHISPER = "command in private"
    FOLLOW_UP = "follow-up"


class Then(StrEnum):
    """What the person does right afterwards."""

    NOTHING = ""
    EDIT = "edit"
    DELETE = "delete"
    CLICK = "click"
    """On the card of an earlier question of theirs."""


WEIGHTS: Mapping[Kind, int] = {
    Kind.MENTION: 45,
    Kind.DIRECT: 25,
    Kind.COMMAND: 10,
    Kind.WHISPER: 4,
    Kind.FOLLOW_UP: 16,
}
RATES: Mapping[str, float] = {
    **{"rate_limit": 0.04, "server_error": 0.03, "server_error_taken": 0.015, "reset": 0.03},
    **{"reset_taken": 0.02, "slow": 0.01, "slow_taken": 0.01},
    **{"duplicate_event": 0.05, "redelivery": 0.05},
    **{"cut_frame": 0.001, "drop_socket": 0.001, "refresh": 0.001},
    **{"late_file": 0.3, "refused_file": 0.1, "stream_expiry": 0.2},
}


@dataclass(frozen=True)
class Deed:
    """A question: who asks it, how, where, and what they do then."""

    number: int
    kind: Kind
    person: int
    channel: str
    with_chart: bool
    then: Then
    after: int | None = None
    """The question in whose thread a follow-up is asked."""

    @property
    def words(self) -> str:
        """The question as it was first asked."""
        return f"how many films, q{self.number}{' ' + WITH_CHART if self.with_chart else ''}?"

    @property
    def last_words(self) -> str:
        """The question as it stands at the end."""
        return self.words.replace("how many", "how few") if self.then is Then.EDIT else self.words


def deeds(seed: int, count: int) -> list[Deed]:
    """Return a series of `count` questions."""
    dice = random.Random(seed)
    series = [_deed(dice, number) for number in range(count)]
    roots: dict[int, list[int]] = {person: [] for person in range(PEOPLE)}
    for place, deed in enumerate(series):
        if deed.kind is Kind.FOLLOW_UP:
            series[place] = _following(dice, deed, series, roots[deed.person])
        elif deed.kind in (Kind.MENTION, Kind.DIRECT) and deed.then is not Then.DELETE:
            roots[deed.person].append(deed.number)
    return series


def _deed(dice: random.Random, number: int) -> Deed:
    kind = dice.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    then = dice.choices(list(Then), [78, 8, 2, 12])[0]
    can_be_changed = kind in (Kind.MENTION, Kind.DIRECT)
    if not can_be_changed and then in (Then.EDIT, Then.DELETE):
        then = Then.NOTHING
    channel = CLOSED if kind is Kind.WHISPER else dice.choice(OPEN)
    return Deed(number, kind, dice.randrange(PEOPLE), channel, dice.random() < 0.08, then)


def _following(
    dice: random.Random, deed: Deed, series: Sequence[Deed], roots: Sequence[int]
) -> Deed:
    if not roots:
        return replace(deed, kind=Kind.MENTION)
    root = series[dice.choice(roots)]
    return replace(deed, after=root.number, channel=root.channel)
