"""Columns that hold the same for different times: revenue_2024 and revenue_2025, sep and oct."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from agent.evidence.text.moment_patterns import MONTH_NUMBERS
from agent.evidence.text.moments import Moment
from agent.evidence.text.nouns import name_words, words

_OLD = words("old previous prev prior before last initial original former")
_NEW = words("new current now after this latest")


def find_pivots(columns: Iterable[tuple[int, str, str]]) -> dict[str, frozenset[int]]:
    """Return the dates by which columns of one kind differ, with the columns of each.

    `columns`: number, name and kind of each column.
    """
    kin: dict[tuple[str, ...], list[tuple[str, int]]] = {}
    for column, name, kind in columns:
        said = name_words(name)
        for position, word in enumerate(_joined(said)):
            rest = (*said[:position], *said[position + 1 :], kind)
            kin.setdefault(rest, []).append((word, column))
    found: dict[str, set[int]] = {}
    for members in kin.values():
        if len({word for word, _ in members}) > 1:
            for word, column in members:
                if word.isdigit() or word in MONTH_NUMBERS or re.fullmatch(r"[qh][1-4]", word):
                    found.setdefault(word, set()).add(column)
    return {word: frozenset(columns) for word, columns in found.items()}


def _joined(name: tuple[str, ...]) -> Iterator[str]:
    """Yield the words of a name, with "q", "1" as "q1"."""
    for position, word in enumerate(name):
        before = name[position - 1] if position else ""
        is_part = word.isdigit() and len(word) == 1 and before in ("q", "h")
        yield before + word if is_part else word


def is_older(one: str, other: str) -> bool:
    """Whether a column's name says that it holds what another held before: old_price, price."""
    first, second = set(name_words(one)), set(name_words(other))
    return bool(first - second) and first - second <= _OLD and second - first <= _NEW


def pivot_order(token: str) -> int:
    """Return where a date in a column's name stands among its like."""
    return MONTH_NUMBERS.get(token) or int(re.sub(r"\D", "", token))


def names_pivot(token: str, moment: Moment) -> bool:
    """Whether a word of a column's name is the date that a text names."""
    if token.isdigit():
        return moment.year == int(token) and not (moment.month or moment.quarter)
    if token in MONTH_NUMBERS:
        return moment.month == MONTH_NUMBERS[token] and moment.day is None
    return (moment.quarter if token[0] == "q" else moment.half) == int(token[1:])
