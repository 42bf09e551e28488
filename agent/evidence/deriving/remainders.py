"""What is left of a whole: "580 are active, the other 20 have left", "142 of the 234 are newer"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations, permutations
from typing import Final

from agent.evidence.deriving.changes import Worked
from agent.evidence.deriving.left_out import says_part
from agent.evidence.deriving.workings import GAP_ROW, Term, Workings
from agent.evidence.rows.meanings import Holds
from agent.evidence.text.mentions import Form

_PART_OF: Final = re.compile(
    r"\s*(?:out )?of (?:the |all |our )*|\s*of (?:them|these|those|whom|which)\b.*", re.IGNORECASE
)
_REST: Final = re.compile(
    r"\b(?:others?|remaining|rest|remainder|leav(?:es|ing)|left)\b[^,;.]{0,20}$", re.IGNORECASE
)
_REST_BEHIND: Final = re.compile(
    r" (?:(?:[\w-]+ ){0,2}?(?:are|is|were|was|do|did|have|has|had)(?:n't| not\b| no\b| never\b)|"
    r"(?:[\w-]+ )?(?:others?|remain\w*|left|without)\b|not\b)",
    re.IGNORECASE,
)


def complements(work: Workings) -> Iterator[Worked]:
    """Yield what is left of a whole where the line names the whole and the other part."""
    says_rest = _REST.search(work.before[-45:]) or _REST_BEHIND.match(work.after)
    if says_rest or (work.mention.digits > 1 and _PART_OF.fullmatch(work.after)):
        yield from _rest_of_row(work)
    if work.mention.digits < 2 and not says_rest:
        return
    for one, other in combinations(work.of_line, 2):
        is_whole = _are_of_one_row(one, other) or (says_rest and _are_alone(one, other))
        is_left = is_whole and work.fits(abs(one.value - other.value))
        whole, part = (one, other) if one.value > other.value else (other, one)
        is_said = one.table is other.table and says_part(work, one.table, whole.column, part.column)
        if is_left and not is_said and work.suits(one.table, one.column):
            yield f"what {one.text} and {other.text} leave", None


def _are_of_one_row(one: Term, other: Term) -> bool:
    return one.table is other.table and one.row == other.row != GAP_ROW


def _are_alone(one: Term, other: Term) -> bool:
    """Whether two counts are all that their results hold: 600 customers, and 575 who rented."""
    kinds = {one.meaning.holds, other.meaning.holds}
    return kinds == {Holds.COUNT} and all(len(t.table.rows) == 1 for t in (one, other))


def _rest_of_row(work: Workings) -> Iterator[Worked]:
    """Yield what another count of a row leaves of the whole: "142 of the 234 are newer"."""
    for table in work.tables if work.claim.mention.form is Form.NUMBER else ():
        counts = [c for c in table.measures if table.meanings[c].holds is Holds.COUNT]
        for whole, part in permutations(counts if len(table.rows) == 1 else (), 2):
            left = (table.numbers[whole][0] or 0) - (table.numbers[part][0] or 0)
            if left > 0 and work.fits(Decimal(left)) and not says_part(work, table, whole, part):
                name = f"{table.name}, {table.column_name(whole)}"
                yield f"{name} less {table.column_name(part)}", None
