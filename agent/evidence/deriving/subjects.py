"""Who is compared to whom: "Sports has 5 more than New" speaks of Sports."""

from __future__ import annotations

import re
from typing import Final

from agent.evidence.deriving.workings import Term, Workings
from agent.evidence.rows.cells import Table
from agent.evidence.rows.pivots import is_older
from agent.evidence.text.mentions import Form

_COMPARES: Final = re.compile(
    r"\W*(?:\w+ ){0,3}?(?:more|less|fewer|higher|lower|larger|smaller|above|below|ahead of|behind|"
    r"better|worse|longer|shorter|over|under|cheaper|pricier|dearer|short of|shy of|down on|up on|"
    r"faster|slower|older|younger)\b",
    re.IGNORECASE,
)
_COMPARED_BY: Final = re.compile(
    r"\b(?:beats?|beating|leads?|led|trails?|trailed|outsold|exceed\w*|outperform\w*|surpass\w*|"
    r"lags?|lagged|outearn\w*|edge[sd]?|tops?|topped|outdid)"
    r"\b.*\bby\s*(?:about |nearly |almost )?$",
    re.IGNORECASE,
)
_AGAINST: Final = re.compile(
    r"\W*(?:\w+ ){0,3}?(?:(?:than|what|as|versus|vs\.?)|(?:above|ahead of|behind|below))"
    r"\s+(?:the |in |for )*",
    re.IGNORECASE,
)
_TIMES: Final = re.compile(
    r"\s*(?:as \w+(?: \w+)? as |the \w+ of |that of |what )?(?:the |in |for )*", re.IGNORECASE
)
_SETS: Final = re.compile(
    r"\b(?:than|ahead|behind|above|below|against|versus|vs|compared|beats?|leads?|led|trail\w*|"
    r"lag\w*|tops?|topped|exceed\w*|outsold|short|clear)\b",
    re.IGNORECASE,
)
_SET_AGAINST: Final = re.compile(
    r"\b(?:than|ahead of|behind|above|below|against|versus|vs\.?|compared (?:to|with))\s+"
    r"(?:[$€£]?\d[\d.,]* )?(?:the |in |for )*(?:[a-z]+ )?$",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(r"[,;:](?!\d)|\b(?:but|while|whereas|though|although)\b", re.IGNORECASE)


def is_comparison(work: Workings) -> bool:
    """Whether a figure compares two things ("8 % less than"), whichever of them came first."""
    before = work.sentence[: work.mention.start]
    return bool(_COMPARES.match(work.after) or _COMPARED_BY.search(before))


def subject_first(work: Workings, one: Term, other: Term) -> int:
    """Return +1 where `one` is the subject of a comparison ("Sports has 5 more than New"), -1
    where `other` is, 0 where that is unclear."""
    if one.table is not other.table or one.row == other.row:
        return 0
    is_of_asked = not work.names and len(work.asked) == 2 and _is_asked(work)
    if not is_comparison(work) and not is_of_asked:
        return 0
    subjects, objects = _sides(work, one.table)
    if len(objects) != 1 or len(subjects) > 1:
        return 0
    if [one.row] == objects and subjects in ([], [other.row]):
        return -1
    return 1 if [other.row] == objects and subjects in ([], [one.row]) else 0


def _sides(work: Workings, table: Table) -> tuple[list[int], list[int]]:
    """Return the rows that a comparison speaks of, and those that it sets them against."""
    start, end = work.mention.start, work.mention.end
    subjects = work.rows_of([n for n in work.names if n.end <= start], table)
    objects = work.rows_of([n for n in work.names if n.start >= end], table)
    if not work.names and len(work.asked) == 2 and _is_asked(work):
        first, second = (work.rows_of([name], table) for name in work.asked)
        is_turned = _SET_AGAINST.search(work.ground.asked.text[: work.asked[0].start])
        return (second, first) if is_turned else (first, second)  # "how far below May is June"
    if not objects and len(subjects) == 2:
        return _of_two(work, table)
    if len(subjects) == 1 and not objects:
        return _of_one(work, table, subjects)
    is_object = objects and _AGAINST.fullmatch(_gap_behind(work))
    return subjects, objects if subjects or is_object else []


def _of_one(work: Workings, table: Table, rows: list[int]) -> tuple[list[int], list[int]]:
    """Return the sides where only one name stands, before the figure.

    "29 more than Janet's 127, so 23 % more" measures by Janet; asked about Barge and Postal,
    "Barge is 2.90 cheaper" sets it against Postal.
    """
    name = next(n for n in work.names if n.rows(table.number))
    if _SET_AGAINST.search(work.sentence[: name.start]):
        return [], rows
    asked = work.rows_of(work.asked, table)
    is_pair = len(work.asked) == 2 == len(asked)
    return rows, [row for row in asked if row not in rows] if is_pair else []


def _is_asked(work: Workings) -> bool:
    """Whether the question sets its first name against its second: "more in May than in April"."""
    one, other = work.asked
    text = work.ground.asked.text[: other.start]
    is_than = re.search(r"\b(?:than|behind|ahead|compare\w*|above|below)\b", text)
    return is_than is not None or one.dimension[0] == "label"


def is_against(work: Workings, one: Term, other: Term) -> bool:
    """Whether a pair has to do with what a figure is compared to: "a third more than Postal"."""
    name = next((n for n in work.names if n.start >= work.mention.end), None)
    against = _TIMES if work.mention.form is Form.TIMES else _AGAINST
    if name is None or not against.fullmatch(_gap_behind(work)):
        return True
    rows = name.rows(one.table.number) if one.table is other.table else frozenset()
    return not rows or one.row == other.row or bool(rows & {one.row, other.row})


def has_object(work: Workings) -> bool:
    """Whether the words behind a figure say what it is compared to: "15.7 % more than Steve"."""
    return _AGAINST.fullmatch(_gap_behind(work)) is not None


def times_of(work: Workings, table: Table) -> frozenset[int]:
    """Return the rows of the name whose multiple a figure is: "three times Basic's"."""
    name = next((n for n in work.names if n.start >= work.mention.end), None)
    is_of = name is not None and _TIMES.fullmatch(_gap_behind(work))
    return name.rows(table.number) if name is not None and is_of else frozenset()


def _gap_behind(work: Workings) -> str:
    """Return the words between the figure and the name behind it; "" where none is."""
    name = next((n for n in work.names if n.start >= work.mention.end), None)
    return work.sentence[work.mention.end : name.start] if name is not None else ""


def _of_two(work: Workings, table: Table) -> tuple[list[int], list[int]]:
    """Return the subject's rows and the other's, where both stand before the figure.

    "Sports leads New by 5" speaks of Sports, "Sports is ahead, though New has 5 more" of New; of
    "7 in 2024 and 8 in 2025 - 1 more" the dates alone tell which is which.
    """
    named = [n for n in work.names if n.end <= work.mention.start and n.rows(table.number)]
    first, last = named[0], named[-1]
    if first.rows(table.number) == last.rows(table.number):
        last = next(n for n in reversed(named) if n.rows(table.number) != first.rows(table.number))
    others = [
        n for n in named if n.end <= last.start and n.rows(table.number) != last.rows(table.number)
    ]
    between = work.sentence[others[-1].end : last.start] if others else ""
    is_new_clause = _CLAUSE.search(between) and not _SET_AGAINST.search(between)
    has_own = re.search(r"\d", between) is not None  # "Portugal has 35 and the UK 42, seven more"
    if (table.is_series or has_own) and not (is_new_clause or _SETS.search(between)):
        return [], []
    subject, other = (last, first) if is_new_clause else (first, last)
    return work.rows_of([subject], table), work.rows_of([other], table)


def is_ordered(one: Term, other: Term) -> bool:
    """Whether two numbers have a before and an after, so that the direction of a change is set."""
    if one.table is not other.table:
        return all(t.table.statement.scope_periods for t in (one, other))
    if one.row == other.row:
        columns = one.column, other.column
        if one.table.is_pivot_pair(*columns) or one.table.is_pivot_pair(*columns[::-1]):
            return True
        names = [one.table.column_name(column) for column in columns]
        return is_older(*names) or is_older(*names[::-1])
    return one.table.is_series
