"""Lists of rows in words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from agent.models.offline.frame import Frame, Order
from agent.models.offline.saying import (
    NAMED,
    as_float,
    in_money,
    is_cut,
    is_limited,
    plural,
    say_amount,
    say_cell,
    singular,
)
from agent.models.offline.scoping import say_scope, say_tie
from agent.models.offline.tool_texts import Ran

_FIRST_NAMES = ("first_name", "firstname")
_LAST_NAMES = ("last_name", "lastname", "surname")


def say_listing(frame: Frame, ran: Ran) -> str:
    noun = frame.subject_words
    if frame.distinct and frame.shown:
        column = frame.shown[0].column.strip('"').replace("_", " ")
        values = [str(row[0]) for row in ran.rows if row[0] is not None]
        if len(values) == 1:
            return f"{column.capitalize()}{say_scope(frame)}: {values[0]}."
        shown = ", ".join(values[:12]) + (" and more" if len(values) > 12 else "")
        there = "Here" if is_limited(frame, ran) else "There"
        amount = say_amount(ran.count, f"different {column}", ran)
        return f"{there} are {amount}{say_scope(frame)}: {shown}."
    head = ran.rows[:NAMED]
    found = [_name(row, ran) for row in head]
    if len(found) > 1 and len(set(found)) == 1:  # what all have in common names none of them
        found = [""] * len(found)
    names = [name or _numbered(row, noun) for name, row in zip(found, head, strict=True)]
    if frame.superlative and frame.order and frame.order[0].spot is not None:
        return _ranked_list(frame, ran, names)
    if ran.count == 1:
        details = ", ".join(
            f"{c.replace('_', ' ')} {say_cell(v)}"
            for c, v in zip(ran.columns, ran.rows[0], strict=True)
            if v is not None
        )
        return f"{_the_one(frame, ran)}: {details[:400]}."
    amount = f"{say_amount(ran.count, noun, ran).capitalize()}{say_scope(frame)}"
    if is_limited(frame, ran):
        amount = f"Here are {amount}"
    if not any(found):  # three numbers of rows tell nobody anything
        return f"{amount}."
    return f"{amount}: {', '.join(names)}{_and_more(frame, ran)}."


def _the_one(frame: Frame, ran: Ran) -> str:
    """Return what the only row is: the one that was named by its number, or one of its kind."""
    noun = singular(frame.subject_words)
    for test in frame.tests:
        if not test.spot.path and test.op == "=" and test.words == f"{noun} is {test.values[0]}":
            rest = replace(frame, tests=tuple(t for t in frame.tests if t is not test))
            return f"{noun.capitalize()} {test.values[0]}{say_scope(rest)}"
    one = "Here is one" if is_limited(frame, ran) else "One"
    return f"{one} {noun}{say_scope(frame)}"


def _ranked_list(frame: Frame, ran: Ran, names: Sequence[str]) -> str:
    spot = frame.order[0].spot
    assert spot is not None
    label = spot.column.strip('"')
    index = next(
        (n for n, c in enumerate(ran.columns) if c == label or c.endswith(f"_{label}")), None
    )
    values = [_measure(row[index], frame.order[0]) for row in ran.rows] if index is not None else []
    said = label.replace("_", " ")
    word = _extreme(said, frame.order[0].desc)
    if frame.partition:
        what = f"{word.capitalize()} {said} for each {frame.dimensions[0].words}{say_scope(frame)}"
        return f"{what}: {say_amount(ran.count, frame.subject_words, ran)}."
    if not values:
        return f"By {said}: {', '.join(names)}."
    first = values[0]
    tied = sum(value == first for value in values)
    if frame.limit == 1 and ran.count > 1:
        return (
            f"{say_amount(ran.count, frame.subject_words, ran).capitalize()} tie for the {word} "
            f"{said}{say_scope(frame)}, {first}: "
            f"{', '.join(names)}{' and others' if ran.count > NAMED else ''}."
        )
    unit = f" {plural(frame.order[0].unit)}" if frame.order[0].unit else ""
    unit = "" if said.endswith(unit.strip()) else unit
    adjective = _ADJECTIVES.get(said.split()[-1], ("", ""))[not frame.order[0].desc]
    if frame.limit == 1 and adjective:
        what = f"{singular(frame.subject_words)}{say_scope(frame)}"
        return f"The {adjective} {what} is {names[0]}: {first}{unit}."
    if frame.limit == 1:
        name = names[0][:1].upper() + names[0][1:]
        return f"{name} has the {word} {said}{say_scope(frame)}: {first}{unit}."
    pairs = [f"{n} ({v})" for n, v in zip(names, values, strict=False)]
    whole = ran.count == len(values) and not (frame.exact and tied == ran.count)
    tie = f" {tied} share the first place." if 1 < tied < 60 and whole else ""
    return (
        f"By {said}{say_scope(frame)}, {_in_order(word, frame, ran)}: "
        f"{', '.join(pairs)}{_and_more(frame, ran)}.{tie}{say_tie(frame, ran)}"
    )


_ADJECTIVES: Final = {
    "length": ("longest", "shortest"),
    "duration": ("longest", "shortest"),
    "price": ("most expensive", "cheapest"),
    "milliseconds": ("longest", "shortest"),
    "minutes": ("longest", "shortest"),
    "height": ("tallest", "lowest"),
    "weight": ("heaviest", "lightest"),
    "age": ("oldest", "youngest"),
    "size": ("largest", "smallest"),
    "amount": ("largest", "smallest"),
    "population": ("most populous", "least populous"),
}
"""What has the highest and the lowest value of a column, by the last word of its name."""


def _measure(cell: Any, order: Order) -> str:
    value = as_float(cell)
    if value is None:
        return say_cell(cell)
    return in_money(value, order.currency) if order.currency else say_cell(cell)


def _in_order(word: str, frame: Frame, ran: Ran) -> str:
    """Say how rows are ranked; a limit that was reached says how many were asked for."""
    return f"the {frame.limit} {word}" if is_limited(frame, ran) else f"{word} first"


def _and_more(frame: Frame, ran: Ran) -> str:
    """Say how many rows the text does not name; whether the table shows them is not known here."""
    if ran.count <= NAMED:
        return ""
    is_whole = not is_cut(ran) and not is_limited(frame, ran)
    return f" and {ran.count - NAMED:,} more" if is_whole else " and more"


def _extreme(said: str, desc: bool) -> str:
    """Return "latest" for dates, "highest" for all else."""
    dated = said.endswith(("date", "time", " at", " on"))
    if dated:
        return "latest" if desc else "earliest"
    return "highest" if desc else "lowest"


def _name(row: Sequence[Any], ran: Ran) -> str:
    """Return what a row is called: its person's name, or its first words; "" where it has none."""
    texts = [(c, v) for c, v in zip(ran.columns, row, strict=True) if v is not None]
    names = [str(v) for c, v in texts if c in _FIRST_NAMES] + [
        str(v) for c, v in texts if c in _LAST_NAMES
    ]
    if len(names) >= 2:
        return " ".join(names[:2])
    return next((str(v) for c, v in texts if not c.endswith("id") and _is_wordy(v)), "")


def _numbered(row: Sequence[Any], noun: str) -> str:
    """Return a row's number, or what else stands first in it."""
    first = next((cell for cell in row if cell is not None), None)
    return "one without a value" if first is None else f"{singular(noun)} {say_cell(first)}"


def _is_wordy(value: Any) -> bool:
    return isinstance(value, str) and not re.fullmatch(r"[\d.:+\- ]+", value)
