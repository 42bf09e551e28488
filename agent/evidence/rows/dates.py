"""The dates of rows and columns, and which of them a date in a text means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from sqlglot import exp

from agent.evidence.rows.cells import Table
from agent.evidence.rows.meanings import Holds
from agent.evidence.text.moment_patterns import MONTH_NUMBERS
from agent.evidence.text.moments import Moment, moment_of
from agent.evidence.text.nouns import name_words


def dated_rows(table: Table) -> Iterator[tuple[int, dict[str, int]]]:
    """Yield rows with the parts of the dates that they are about, not those of an aggregate."""
    for column, moments in table.moments.items():
        if not _is_aggregate(table, column):
            for row, moment in enumerate(moments):
                if moment is not None:
                    yield row, moment.all_parts()
    calendar = [c for c in table.numbers if table.meanings[c].holds is Holds.CALENDAR]
    for row in range(len(table.rows) if calendar else 0):
        values = ((table.meanings[c].unit, table.numbers[c][row]) for c in calendar)
        parts = {unit: int(value) for unit, value in values if value is not None}
        yield row, moment_of(0, 0, "", parts).all_parts()


def _is_aggregate(table: Table, column: int) -> bool:
    outputs = table.statement.outputs
    return column < len(outputs) and outputs[column].find(exp.AggFunc) is not None


def matches(wanted: dict[str, int], known: dict[str, int]) -> bool:
    """Whether a row's date is the one that a text names.

    A year that the rows do not have is let pass, and so are 0 minutes and the first of a month.
    """
    if set(wanted) == {"year"} and "year" not in known:
        return False
    is_midnight = wanted.get("hour") == 0 and wanted.get("minute") == 0
    for name, value in wanted.items():
        silent = (name == "minute" and value == 0) or (name == "day" and value == 1)
        silent = silent or (name == "hour" and is_midnight)
        if name in known:
            if known[name] != value:
                return False
        elif name != "year" and not silent:
            return False
    return True


def lies_in(moment: Moment, table: Table) -> bool:
    """Whether a year or a month is the period by which all rows of a result are chosen."""
    for low, high in table.statement.scope_periods:
        if low is None or high is None or moment.year is None or moment.day is not None:
            continue
        same_year = low.year == high.year == moment.year
        if same_year and moment.month in (None, low.month) and moment.month in (None, high.month):
            return True
    return False


def pivots_of(table: Table) -> dict[str, frozenset[int]]:
    """Return the dates by which columns of one kind differ: the years of revenue_2024 and _2025."""
    kin: dict[tuple[str, ...], list[tuple[str, int]]] = {}
    for column in table.measures:
        name = name_words(table.column_name(column))
        kind = table.meanings[column].holds.name
        for position, word in enumerate(_joined(name)):
            rest = (*name[:position], *name[position + 1 :], kind)
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


def names_pivot(token: str, moment: Moment) -> bool:
    """Whether a word of a column's name is the date that a text names."""
    if token.isdigit():
        return moment.year == int(token) and not (moment.month or moment.quarter)
    if token in MONTH_NUMBERS:
        return moment.month == MONTH_NUMBERS[token] and moment.day is None
    return (moment.quarter if token[0] == "q" else moment.half) == int(token[1:])


def is_pivot_pair(table: Table, earlier: int, later: int) -> bool:
    """Whether two columns hold the same for two times, the first of them the earlier one."""
    order = {}
    for word, columns in pivots_of(table).items():
        value = MONTH_NUMBERS.get(word) or int(re.sub(r"\D", "", word))
        order.update(dict.fromkeys(columns, value))
    return earlier in order and later in order and order[earlier] < order[later]


def is_series(table: Table) -> bool:
    """Whether the rows of a result follow each other in time."""
    for moments in table.moments.values():
        keys = [tuple(m.parts().values()) for m in moments if m is not None]
        if _is_rising(keys):
            return True
    calendar = [c for c in table.numbers if table.meanings[c].holds is Holds.CALENDAR]
    return any(
        _is_rising([(int(v),) for v in table.numbers[column] if v is not None])
        for column in calendar
    )


def _is_rising(keys: list[tuple[int, ...]]) -> bool:
    return len(keys) > 1 and all(a < b for a, b in pairwise(keys))
