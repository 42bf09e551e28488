"""Whether a row stands first or last among the rows, or among those that a text speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import pairwise, permutations
from typing import Final

from agent.evidence.rows.cells import Table
from agent.evidence.rows.meanings import Holds
from agent.evidence.rows.names import Name

_FINER: Final = ("decade", "year", "half", "quarter", "month", "week", "day", "hour", "minute")
_MOST_MEASURES: Final = 5
_CHANGED: Final = re.compile(
    r"\b(?:(?P<up>added|adds|gained|gains|grew|grows|rose|rises|improved|increased|climbed|"
    r"put on)|(?P<down>lost|loses|fell|falls|dropped|declined|shrank|decreased|shed|slipped))"
    r"(?: by)?(?: the)? $",
    re.IGNORECASE,
)
_TAKEN: Final = re.compile(r"add|gain|put|lo[st]|shed", re.IGNORECASE)
"""What may be a number by itself: "gained the most customers"."""


def is_scope(name: Name, table: Table) -> bool:
    """Whether a date is coarser than those of the rows: a year, where each row is a day."""
    if name.moment is None:
        return False
    own = _finest(name.moment.parts())
    rows = [m for moments in table.moments.values() for m in moments if m is not None]
    calendar = [m.unit for m in table.meanings if m.holds is Holds.CALENDAR]
    known = [_finest(m.parts()) for m in rows[:1]] + [_finest({unit: 1}) for unit in calendar]
    is_firsts = all(m.day == 1 for m in rows)
    is_quarters = is_firsts and len(rows) > 2 and all((m.month or 0) % 3 == 1 for m in rows)
    finest = max(known, default=-1)
    if is_firsts and finest == _FINER.index("day"):
        finest = _FINER.index("quarter" if is_quarters else "month")
    return own < finest


def _finest(parts: Iterable[str] | dict[str, int]) -> int:
    return max((_FINER.index(part) for part in parts if part in _FINER), default=-1)


def rows_of_year(table: Table, year: int) -> list[int]:
    """Return the rows of a result that lie in a year."""
    found = {
        row
        for moments in table.moments.values()
        for row, moment in enumerate(moments)
        if moment is not None and moment.year == year
    }
    for column in table.numbers:
        if table.meanings[column].unit == "year" and table.meanings[column].holds is Holds.CALENDAR:
            found |= {row for row, v in enumerate(table.numbers[column]) if v == year}
    return sorted(found)


def is_end(
    table: Table, row: int, columns: Iterable[int], rows: Sequence[int], *, low: bool
) -> bool:
    """Whether a row has the least, or the greatest, number of some rows in any of the columns."""
    return any(
        _is_end([table.numbers[column][r] for r in rows], table.numbers[column][row], low)
        for column in columns
    )


def _is_end(values: Sequence[Decimal | None], own: Decimal | None, low: bool) -> bool:
    known = [v for v in values if v is not None]
    return bool(known) and own == (min(known) if low else max(known))


def is_step_end(table: Table, row: int, *, up: bool, low: bool) -> bool | None:
    """Whether a row has the least, or the greatest, of the rises (`up`) or of the falls.

    None where nothing tells of changes.
    """
    rows = range(len(table.rows))
    changes = [c for c in table.measures if table.meanings[c].is_change]
    steps = [[table.numbers[c][r] for r in rows] for c in changes]
    steps += list(_steps(table)) + list(_pivot_steps(table))
    if not steps:
        return None
    own = [[v if v and (v > 0) == up else None for v in step] for step in steps]
    return any(_is_end(step, step[row], low if up else not low) for step in own)


def has_changed_most(table: Table, row: int, match: re.Match[str]) -> bool | None:
    """See to "New added the most": whether a row has the end of the changes, shown or not.

    None where the words before the superlative tell of no change, or may tell of a number.
    """
    verb = _CHANGED.search(match.string[: match.start()])
    if verb is None:
        return None
    is_up, low = verb["up"] is not None, match["low"] is not None
    found = is_step_end(table, row, up=is_up, low=low)
    is_told = any(table.meanings[c].is_change for c in table.measures) or any(_pivot_steps(table))
    return found or (None if _TAKEN.match(verb[0]) and not is_told else found)


def _steps(table: Table) -> Iterator[list[Decimal | None]]:
    """Yield how a series moves from row to row, in its unit and as a share."""
    for column in table.measures if table.is_series else ():
        values = table.numbers[column]
        for share in (False, True):
            yield [None, *(_moved(a, b, share) for a, b in pairwise(values))]


def _pivot_steps(table: Table) -> Iterator[list[Decimal | None]]:
    for one, other in permutations(table.measures[:_MOST_MEASURES], 2):
        if table.is_pivot_pair(one, other):
            pairs = list(zip(table.numbers[one], table.numbers[other], strict=True))
            for share in (False, True):
                yield [_moved(a, b, share) for a, b in pairs]


def _moved(before: Decimal | None, after: Decimal | None, share: bool) -> Decimal | None:
    if before is None or after is None or (share and not before):
        return None
    return (after - before) / before if share else after - before


def ratio_end(table: Table, row: int, *, low: bool) -> bool:
    """Whether a row has the least, or the greatest, number of one measure for each of another."""
    for top, bottom in permutations(table.measures[:_MOST_MEASURES], 2):
        pairs = zip(table.numbers[top], table.numbers[bottom], strict=True)
        ratios = [a / b if a is not None and b else None for a, b in pairs]
        if ratios[row] is not None and _is_end(ratios, ratios[row], low):
            return True
    return False
