"""Numbers and nouns as people write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any, Final

import inflection

from agent.models.offline.frame import Figure, Frame
from agent.models.offline.tool_texts import Ran

NAMED = 3
"""Rows that the text names; the table shows the rest."""


def name_group(cells: Sequence[Any], frame: Frame) -> str:
    named = []
    for cell, dimension in zip(cells, frame.dimensions, strict=False):
        named.append(
            _period_name(cell, dimension.grain)
            if dimension.grain
            else ("no value" if cell is None else say_cell(cell))
        )
    return " / ".join(named)


def _period_name(cell: Any, grain: str) -> str:
    if cell is None:
        return "no date"
    if grain in ("month", "quarter", "week") and re.fullmatch(r"\d{4}-\d\d-\d\d", str(cell)):
        day = date.fromisoformat(str(cell))
        if grain == "month":
            return f"{day:%B %Y}"
        return (
            f"Q{(day.month - 1) // 3 + 1} {day.year}"
            if grain == "quarter"
            else f"the week of {cell}"
        )
    if grain == "hour":
        return f"{int(cell):02d}:00"
    if grain == "monthofyear":
        return f"{date(2000, int(cell), 1):%B}"
    return str(cell)


def is_cut(ran: Ran) -> bool:
    """Whether a result has more rows than were read."""
    return any(
        re.match(r"only the first \S+ (?:rows )?(?:are here|were read)", note, re.IGNORECASE)
        for note in ran.notes
    )


def is_limited(frame: Frame, ran: Ran) -> bool:
    """Whether the query's own limit may have left rows out: their number is not how many exist."""
    return frame.limit is not None and (frame.partition > 0 or ran.count >= frame.limit)


def say_amount(count: int, noun: str, ran: Ran) -> str:
    text = f"{count:,}" if count != 1 else "1"
    said = singular(noun) if count == 1 else plural(noun)
    return f"{'at least ' if is_cut(ran) else ''}{text} {said}"


def number(cell: Any, figure: Figure | None) -> str:
    """Return a figure as people write it: thousands apart, money with two decimals."""
    value = as_float(cell)
    if value is None:
        return "none" if cell is None else say_cell(cell)
    if figure is not None and figure.money:
        return in_money(value, figure.currency)
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.2f}" if abs(value) >= 0.1 else f"{value:.4g}"


def in_money(value: float, sign: str) -> str:
    """Return an amount with its currency's sign in front: $2.99, -$2.99, 2.99 without a sign."""
    return f"{'-' if value < 0 else ''}{sign}{abs(value):,.2f}"


def as_float(cell: Any) -> float | None:
    if isinstance(cell, bool) or cell is None:
        return None
    try:
        return float(cell)
    except (TypeError, ValueError):
        return None


def say_cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _MIDNIGHT.sub(r"\1", str(value))


_MIDNIGHT: Final = re.compile(r"^(\d{4}-\d\d-\d\d) 00:00:00(?:[+-]\d\d(?::\d\d)?)?$")
"""A day that is kept as a time."""


def join_names(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def plural(noun: str) -> str:
    """Return the plural of a noun that may be one already."""
    head, _, last = noun.rpartition(" ")
    if not last or not last[-1].isalpha():
        return noun
    many = last if last in ("staff", "data") else inflection.pluralize(last)
    return f"{head} {many}".strip()


def singular(noun: str) -> str:
    """Return the singular of a noun that may be one already: a table may be called `orders`."""
    head, _, last = noun.rpartition(" ")
    return f"{head} {inflection.singularize(last)}".strip()
