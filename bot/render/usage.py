"""What questions have taken, as `/ask usage` tells it; pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from agent.prices import dollars
from bot.render.blocks import context, section
from bot.render.card import MAX_TEXT, Card
from bot.render.counting import counted, money
from bot.render.lists import in_sections
from bot.render.people import channel_link, member
from bot.render.reader import ENGLISH, Reader
from bot.render.text import clip, fallback, plain

DIRECT: Final = "direct messages"
GROUPS: Final = "group messages"
"""The name of the sum of all of them."""
GONE: Final = "people whose questions are no longer on record"
NO_LIMIT: Final = "No limit in money is set."


@dataclass(frozen=True)
class Sum:
    """What some questions took together; `name` is the person, channel or model."""

    questions: int
    tokens: int
    cost_usd: Decimal
    unpriced: int = 0
    """How many of the questions have a cost that nobody knows."""
    name: str = ""


@dataclass(frozen=True)
class Left:
    """What is left of a ceiling. `whose` goes on after "left": "for you today"."""

    whose: str
    left: Decimal
    limit: Decimal
    ends: str
    """When it begins anew: "at midnight (Europe/Berlin)"."""


@dataclass(frozen=True)
class Everybody:
    """The whole bill of a month; the shares are the largest first."""

    month: Sum
    people: Sequence[Sum]
    channels: Sequence[Sum]
    """Direct messages are one channel, without a name."""
    models: Sequence[Sum]


def render_usage(
    today: Sum,
    month: Sum,
    left: Sequence[Left],
    everybody: Everybody | None = None,
    reader: Reader = ENGLISH,
) -> Card:
    """Return one's own usage, and for those who may see it everybody's, as `reader` writes."""
    own = ["*Your usage*", f"Today: {_sum(today, reader)}", f"This month: {_sum(month, reader)}"]
    limits = " ".join(_left(each, reader) for each in left)
    blocks = [section("\n".join(own)), context(plain(limits or NO_LIMIT))]
    lines = own
    if everybody is not None:
        lines = ["*Everybody, this month*", _sum(everybody.month, reader)]
        lines += _shares("By person", everybody.people, _person, reader)
        lines += _shares("By channel", everybody.channels, _channel, reader)
        lines += _shares("By model, checking included", everybody.models, _model, reader)
        blocks += in_sections(lines, "line")
        lines = [*own, *lines]
    return Card(blocks, fallback("\n".join(lines), MAX_TEXT))


def _shares(
    title: str, shares: Sequence[Sum], name: Callable[[str], str], reader: Reader
) -> list[str]:
    return [f"*{title}*", *(f"• {name(each.name)}: {_sum(each, reader)}" for each in shares)]


def _sum(one: Sum, reader: Reader) -> str:
    """Return "3 questions · 12,345 tokens · $0.12", and how many more nobody can price."""
    priced = one.questions - one.unpriced
    cost = (
        [money(one.cost_usd, reader) or _limit(Decimal(0), reader)]
        if priced or not one.questions
        else []
    )
    if one.unpriced:
        cost.append(
            f"{counted(one.unpriced, 'question', reader)} of unknown cost"
            if priced
            else "cost unknown"
        )
    questions = counted(one.questions, "question", reader)
    parts = (questions, counted(one.tokens, "token", reader), *cost)
    return " · ".join(parts)


def _left(one: Left, reader: Reader) -> str:
    """Return "$1.88 of $2.00 left for you today; it begins anew at midnight (UTC)."."""
    left = money(one.left, reader) or _limit(Decimal(0), reader)
    return f"{left} of {_limit(one.limit, reader)} left {one.whose}; it begins anew {one.ends}."


def _limit(amount: Decimal, reader: Reader) -> str:
    """Return an amount with all its decimals."""
    figure = dollars(amount).removeprefix("$")
    decimals = len(figure.partition(".")[2])
    return reader.amount(reader.figure(amount, decimals), "$")


def _person(name: str) -> str:
    return member(name) if name else GONE


def _channel(name: str) -> str:
    if name == GROUPS:
        return GROUPS
    return channel_link(name) if name else DIRECT


def _model(name: str) -> str:
    return clip(plain(name), 80)
