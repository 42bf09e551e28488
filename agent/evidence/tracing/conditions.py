"""How many rows meet a condition that words name: "rose in 9 of 12 months", "over $5,000"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from agent.evidence.ground import Ground
from agent.evidence.rows.cells import Table
from agent.evidence.rows.dates import dated_rows, matches
from agent.evidence.rows.names import Name
from agent.evidence.text.nouns import concept
from agent.evidence.tracing.bounds import SAME, Rows, any_of, rows_at_bounds, rows_where
from agent.evidence.tracing.clauses import Clause
from agent.evidence.words import AVERAGE

_NONE: Final = re.compile(
    r"\b(?:no|without|zero|none|not a single|unknown|missing|null|blank|empty|never|unrated|"
    r"unspecified|nothing)\b|\b(?:do|did|does|have|has|had)(?:n't| not)\b",
    re.IGNORECASE,
)
_ANY: Final = re.compile(
    r"\b(?:any|at least one|(?:have|has) (?!no\b|been\b|never\b|not\b)[a-z]+)\b", re.IGNORECASE
)
_BEATS_AVERAGE: Final = re.compile(
    r"\b(?P<side>above|over|beat\w*|exceed\w*|topp\w*|tops|better than|higher than|more than|"
    r"outperform\w*|surpass\w*|ahead of|below|under|less than|worse than|lower than|"
    r"(?:fell |fall |came |come )?short of|miss(?:ed|es)?|trail\w*|behind)[ -]+"
    r"(?:the |this |its |our |their |an? )*(?:[\w-]+ ){0,3}?(?P<what>average|mean|that|it)\b",
    re.IGNORECASE,
)
_BELOW: Final = re.compile(r"below|under|less|worse|lower|short|miss|trail|behind", re.IGNORECASE)
_MORE_THAN: Final = re.compile(
    r"\b(?:more|higher|larger|better) (?!than)[\w ]+ than (?:in |the )", re.IGNORECASE
)
_LESS_THAN: Final = re.compile(
    r"\b(?:fewer|less|lower|smaller|worse) (?!than)[\w ]+ than (?:in |the )", re.IGNORECASE
)
_WITH_ANY: Final = re.compile(r"\bwith (?:any |at least one |some )?[a-z]+\b(?! \d)", re.IGNORECASE)
_GREW: Final = re.compile(
    r"\b(?:grew|grow(?:s|n|ing|th)?|r[io]ses?|rising|increas\w*|gain\w*|climb\w*|improv\w*|"
    r"expand\w*|(?:went|gone|goe?s?|were|are|is|was) up|up (?:by|on|from)|positive|profitable|"
    r"made (?:money|a profit)|in profit|"
    r"in the black|upturns?)\b",
    re.IGNORECASE,
)
_SHRANK: Final = re.compile(
    r"\b(?:declin\w*|f[ae]ll(?:s|en|ing)?|drop\w*|decreas\w*|shr[aiu]nk\w*|lost|"
    r"los(?:e|es|ing)|slip\w*|dip\w*|(?:went|gone|goe?s?|were|are|is|was) down|"
    r"down (?:by|on|from)|negative|in the red|contract(?:ed|ing)|worse)\b",
    re.IGNORECASE,
)


_OVER_PLAN: Final = re.compile(
    r"\b(?:(?P<over>over|above|beyond|exceed\w*|beat|past)|under|below|within|short of)\s+"
    r"(?:the |their |its )?(?:budgets?|plans?|targets?|forecasts?|quotas?|goals?)\b|"
    r"\b(?P<spent>overspen[td]|overr[au]n)\b|\bunderspen[td]\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Met:
    """The sets of rows that words may mean, and whether they must mean one of them."""

    rows: frozenset[Rows]
    is_sure: bool

    @property
    def counts(self) -> frozenset[int]:
        return frozenset(len(rows) for rows in self.rows)


_ANY_COLUMN: Final = frozenset({"total", "avg", "average", "number", "count", "sum"})
NOTHING: Final = Met(frozenset(), is_sure=False)
"""Words without a condition."""


def meeting(clause: Clause, ground: Ground, table: Table, context: str = "") -> Met:
    """Return the rows that meet the conditions of a clause; `context`: the words around it."""
    meant = _columns_meant(clause.text, table) or _columns_meant(context, table)
    return _meeting(clause, ground, table, context, meant or table.measures)


def _columns_meant(text: str, table: Table) -> tuple[int, ...]:
    """Return the columns that words name: the delays in "the delay was above the average"."""
    said = {concept(word) for word in re.findall(r"[^\W\d_]+", text)} - _ANY_COLUMN
    return tuple(c for c in table.measures if table.meanings[c].words & said)


def _meeting(
    clause: Clause, ground: Ground, table: Table, context: str, columns: Sequence[int]
) -> Met:
    sure = frozenset(
        rows
        for column in columns
        for rows in (
            *rows_at_bounds(clause, ground, table, column),
            *_at_average(clause, table, column, context),
        )
        if rows
    )
    if sure and _WITH_ANY.search(clause.text):  # "three of the languages with films have under 100"
        some = [frozenset(r for r in rows if table.numbers[c][r]) for rows in sure for c in columns]
        sure |= frozenset(some)
    if sure:
        return Met(sure, is_sure=True)
    moved = frozenset(rows for c in columns for rows in _moved(clause.text, table, c) if rows)
    if moved:
        return Met(moved | frozenset(_named(clause.names, table)), is_sure=True)
    return Met(frozenset(_loosely(clause, table)), is_sure=False)


def _loosely(clause: Clause, table: Table) -> Iterator[Rows]:
    for column in table.measures:
        if SAME.search(clause.text):
            yield from _shared(table, column)
    if _NONE.search(clause.text):
        yield from _without(table)
    if _ANY.search(clause.behind):
        for column in table.measures:
            yield from any_of(i for i, v in enumerate(table.numbers[column]) if v)
    yield from _named(clause.names, table)


def _named(names: Iterable[Name], table: Table) -> Iterator[Rows]:
    """Yield the rows of each name: "five are rated PG-13", "two joined in November"."""
    for name in names:
        yield from any_of(name.rows(table.number))
        if name.moment is not None:  # "five registered since 2023" may mean that year alone
            parts = name.moment.parts()
            dated = (rows for known, rows in dated_rows(table) if matches(parts, known))
            yield from any_of(row for rows in dated for row in rows)


def _at_average(clause: Clause, table: Table, column: int, context: str) -> Iterator[Rows]:
    """Yield the rows on the named side of the average: "four months beat the average"."""
    values = table.values(column)
    for match in _BEATS_AVERAGE.finditer(clause.text):
        says_it = match["what"].lower() in ("that", "it")
        if len(values) < 2 or (says_it and not AVERAGE.search(context)):
            continue
        mean = sum(values, Decimal(0)) / len(values)
        is_below = _BELOW.match(match["side"].split()[-1]) or "short" in match["side"]
        low, high = (None, mean) if is_below else (mean, None)
        yield rows_where(table, column, low, high)


def _moved(text: str, table: Table, column: int) -> Iterator[Rows]:
    """Yield the rows that went up, or down: by a column of changes, in time, between columns."""
    sign = _direction(text)
    if not sign:
        return
    numbers = table.numbers[column]
    if table.meanings[column].is_change or (min(table.values(column)) < 0 < len(numbers)):
        yield frozenset(row for row, v in enumerate(numbers) if v is not None and v * sign > 0)
    elif table.is_series:
        yield _stepped([None, *numbers[:-1]], numbers, sign)
    for other in table.measures:
        if other > column and table.meanings[other].holds is table.meanings[column].holds:
            yield _stepped(numbers, table.numbers[other], sign)


def _direction(text: str) -> int:
    """Return +1 where words say that something rose or is over plan, -1 for the contrary."""
    plan = _OVER_PLAN.search(text)
    if plan:
        return 1 if plan["over"] or plan["spent"] else -1
    up = _GREW.search(text) or _MORE_THAN.search(text)
    down = _SHRANK.search(text) or _LESS_THAN.search(text)
    if not up and not down:
        return 0
    return 1 if up and (not down or up.start() < down.start()) else -1


def _stepped(old: Sequence[Decimal | None], new: Sequence[Decimal | None], sign: int) -> Rows:
    """Return the rows whose second number is higher than the first, or lower."""
    both = enumerate(zip(old, new, strict=True))
    return frozenset(
        row for row, (a, b) in both if a is not None and b is not None and (b - a) * sign > 0
    )


def _shared(table: Table, column: int) -> Iterator[Rows]:
    """Yield the rows that have the same number."""
    numbers = table.numbers[column]
    for value in set(table.values(column)):
        rows = frozenset(row for row, v in enumerate(numbers) if v == value)
        yield from [rows] if len(rows) > 1 else []


def _without(table: Table) -> Iterator[Rows]:
    """Yield the rows that have nothing: a zero, or no value at all."""
    for column in range(len(table.result.columns)):
        yield from any_of(i for i, row in enumerate(table.rows) if row[column] is None)
    for column in table.measures:
        yield from any_of(i for i, v in enumerate(table.numbers[column]) if v == 0)
