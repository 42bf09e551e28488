"""Sums of rows: all of them, those that the passage names, the first so many, the others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from agent.evidence.deriving.changes import Worked
from agent.evidence.deriving.subsets import runs, signed, subsets
from agent.evidence.deriving.workings import ADDITIVE, Term, Workings
from agent.evidence.rows.cells import Table
from agent.evidence.text.mentions import Form
from agent.evidence.text.nouns import concept
from agent.evidence.words import DOWN, HIGHEST, LOWEST, REST, TOGETHER, TOTAL

_OF_THEM: Final = re.compile(
    r"\b(?:of|von|sur|among|all) (?:the |all |our |den |these |a |its )*"
    r"(?:(?:\w+(?:'s?|ly)|annual|full[- ]year|total|overall|whole|entire|grand) )*$",
    re.IGNORECASE,
)

_ADDS_UP: Final = re.compile(
    r"\b(?:account(?:s|ed)? for|make(?:s)? up|made up|contribut\w+|amount\w*|bring\w*|brought|"
    r"come to|came to|deliver\w*|generat\w*|cover\w*|hold|have|had)\b[^,;]{0,25}$",
    re.IGNORECASE,
)

_JOINS: Final = re.compile(r"\b(?:together with|along with|combined with|plus)\b", re.IGNORECASE)

_OTHERS: Final = re.compile(
    r"\b(?:others?|rest|remaining|remainder|else|elsewhere|non|not|outside|left)\b", re.IGNORECASE
)


def sums(work: Workings) -> Iterator[Worked]:
    """Yield the sums that a figure may be."""
    for table, column in work.columns(*ADDITIVE):
        if table.meanings[column].is_average or not _asks(work, table, column):
            continue
        for term in _of_column(work, table, column):
            is_loss = term.value < 0 and not work.mention.sign and DOWN.search(work.sentence)
            value = -term.value if is_loss else term.value
            if work.fits_in(value, table, column) and work.suits(table, column):
                yield f"{term.text}, added up", term


def _says_sum(work: Workings) -> bool:
    said = work.sentence[: work.mention.start]
    return bool(_ADDS_UP.search(work.before) or _JOINS.search(said))


def _asks(work: Workings, table: Table, column: int) -> bool:
    """Whether the words let a figure be a sum; a small one needs words that say so."""
    says_sum = TOTAL.search(work.sentence) or TOGETHER.search(work.cue) or _says_sum(work)
    is_extreme = HIGHEST.search(work.before) or LOWEST.search(work.before)
    if is_extreme and not work.names and not says_sum:
        return False
    is_small = work.mention.digits < 3 and work.mention.value < 100
    if not is_small or says_sum or TOGETHER.search(work.sentence) or work.names:
        return True
    said = work.sentence[work.mention.end :][:40].lower()
    named = set(table.meanings[column].words) & set(re.findall(r"[a-z]+", said))
    asked = {concept(w) for w in re.findall(r"[^\W\d_]+", work.ground.asked.text)}
    answers = work.mention.start == 0 and bool(set(table.meanings[column].words) & asked)
    return bool(named) or answers or _OF_THEM.search(work.before) is not None


def _of_column(work: Workings, table: Table, column: int) -> Iterator[Term]:
    total = work.total(table, column)
    is_bound = bool(work.rows_of(work.bound, table))
    if total is not None and (not is_bound or _OF_THEM.search(work.before)):
        yield total
    says_sum = TOTAL.search(work.cue) or TOGETHER.search(work.cue) or _says_sum(work)
    said = subsets(work, table, only_bound=not says_sum)
    unsaid = signed(table, column) if work.mention.digits > 2 else ()
    for rows in (*said, *unsaid, *runs(work, table, column)):
        is_own = not says_sum and is_bound and any(not table.numbers[column][r] for r in rows)
        term = work.sum_of(table, column, rows) if len(rows) > 1 and not is_own else None
        if term is not None:
            yield term
    if total is not None and _OTHERS.search(work.sentence):
        yield from _rest(work, table, column, total)
    if total is not None and REST.search(work.ground.asked.text):  # "How many are not in English?"
        asked = work.rows_of(work.ground.asked_names, table)
        if asked and work.mention.digits > 1:
            value = total.value - table.sum_of(column, asked)
            yield Term(value, table, column, -1, f"{table.name}, the other rows")
    beside = [t for t in work.near if t.table is table and t.column == column]
    if TOTAL.search(work.sentence) and len(beside) > 1:
        value = sum((term.value for term in beside), Decimal(0))
        yield Term(value, table, column, -1, "the figures beside it")


def _rest(work: Workings, table: Table, column: int, total: Term) -> Iterator[Term]:
    """Yield what the named rows leave, or the last so many rows: "the remaining 13"."""
    name = f"{table.name}, the other rows, {table.column_name(column)}"
    rows = work.rows_of(work.names, table) or _named_before(work, table)
    named = work.sum_of(table, column, rows) if rows else None
    if named is not None:
        yield Term(total.value - named.value, table, column, -1, name)
        return
    for claim in work.ground.in_scene(work.claim.scene):
        count = claim.mention.value
        if claim.source and claim.mention.form is Form.NUMBER and 0 < count < len(table.rows):
            last = work.sum_of(table, column, range(len(table.rows) - int(count), len(table.rows)))
            if last is not None:
                yield Term(last.value, table, column, -1, name)


def _named_before(work: Workings, table: Table) -> list[int]:
    """Return the rows that the last passage of the line names: "English has 447; the rest …"."""
    scenes, number = work.ground.scenes, work.claim.scene
    if not number or scenes[number - 1].passage.line != scenes[number].passage.line:
        return []
    return work.rows_of(scenes[number - 1].pointing, table)
