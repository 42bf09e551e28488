"""Growth, differences and ratios of two numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations
from typing import Final

from agent.evidence.deriving.bases import base_values
from agent.evidence.deriving.left_out import says_part
from agent.evidence.deriving.pairs import pairs
from agent.evidence.deriving.steps import in_step
from agent.evidence.deriving.subjects import is_ordered, subject_first
from agent.evidence.deriving.workings import ADDITIVE, GAP_ROW, Term, Workings
from agent.evidence.rows.meanings import Holds
from agent.evidence.text.mentions import Form
from agent.evidence.tracing.direct import says_down
from agent.evidence.words import DOWN, GAP, UP

Worked = tuple[str, Term | None]
"""How a figure follows, in words; and the number, where more may follow from it."""

_AGAIN: Final = re.compile(r"\s*(?:as \w+ )?again (?:as|what)\b", re.IGNORECASE)
_LEVEL: Final = re.compile(
    r"\b(?:to|from|at|shares?(?: of)?)\s*(?:about |around |just |only )?$", re.IGNORECASE
)
"""What stands before a level, which is no change: "rose to 38"."""
_LASTS: Final = re.compile(
    r"\b(?:long\w*|short\w*|fast\w*|slow\w*|quick\w*|time|duration|length|ms|hours?|minutes?|"
    r"seconds?|days?|weeks?|months?|years?)\b",
    re.IGNORECASE,
)
_LOSS: Final = re.compile(
    r"\b(?:los[est]+|loss(?:es)?|exceed\w*|deficit|negative)\b", re.IGNORECASE
)
_OF_WHOLE: Final = re.compile(
    r"\s*of (?:the (?!growth|increase|decline)|all|our|its|total|every)\b", re.IGNORECASE
)
_ASKED: Final = re.compile(
    r"\b(?:how (?:far|much|many)\b.*\b(?:more|less|fewer|behind|ahead|above|below|better|worse|"
    r"than|bigger|smaller|cheaper|dearer|pricier|longer|shorter|grow|grew|change\w*)|increase\w*|decrease\w*|"
    r"rise|decline\w*|"
    r"los[est]+|sav\w+|beats?|outs\w+|leads?|trails?|exceeds?|short|gain\w*|f[ae]ll|drop\w*|r[io]se|changes|compar\w*|difference|gap|vs|versus|against|changed?|develop\w*|growth|grow\w*|margin|yoy|mom)\b",
    re.IGNORECASE,
)


def direction_of(work: Workings) -> int:
    """Return +1 where the words say more, -1 where they say less, 0 where they do not say."""
    if work.mention.sign:
        return work.mention.sign
    if _AGAIN.match(work.after):
        return 1
    before = re.split(r"[;(]", work.before)[-1][-45:]
    close = f"{before} # {re.split(r'[;,.()]', work.after)[0][:40]}"
    up, down = list(UP.finditer(close)), list(DOWN.finditer(close))
    if not up and not down:
        return bool(UP.search(work.words)) - bool(DOWN.search(work.words))
    if not up or not down:
        return 1 if up else -1
    middle = close.index("#")
    nearest = min([*up, *down], key=lambda m: min(abs(m.end() - middle), abs(m.start() - middle)))
    return 1 if nearest in up else -1


def growth(work: Workings) -> Iterator[Worked]:
    """Yield rates of growth between two numbers that the passage compares."""
    direction, is_told = direction_of(work), GAP.search(work.cue) is not None
    near = work.before[-20:]
    is_moved = UP.search(near) or DOWN.search(near)  # "lost a tenth of its revenue"
    is_share = not is_moved and _OF_WHOLE.match(work.ground.rest(work.claim)) is not None
    if (
        is_share
        or _LEVEL.search(work.before)
        or not (direction or is_told or _asks(work) or work.mention.in_brackets)
    ):
        return
    base = base_values(work)
    for first, second in in_step(work, pairs(work)):
        subject = subject_first(work, first, second)
        ordered = not subject and is_ordered(first, second)
        for old, new in ((first, second), (second, first)):
            is_turned = (ordered and old is second) or subject == (1 if old is first else -1)
            if not old.value or is_turned or (base and old.value not in base):
                continue
            rate = (new.value - old.value) / abs(old.value) * 100
            if direction * rate < 0 or (rate < 0 and not direction and not is_told):
                continue
            if work.fits(rate) or (rate < 0 and not work.mention.sign and work.fits(-rate)):
                yield f"{new.text} against {old.text}", None


def differences(work: Workings) -> Iterator[Worked]:
    """Yield differences of two numbers that the passage compares."""
    direction = direction_of(work)
    if _LEVEL.search(work.before):
        return
    is_told = direction or GAP.search(work.words)
    if not (is_told or _asks(work) or _is_long(work)):
        return
    for first, second in in_step(work, pairs(work)):
        is_points = work.mention.form is Form.POINTS
        if not is_points and not work.suits(first.table, first.column):
            continue
        factor = first.table.percent_factors[first.column] if is_points else Decimal(1)
        change = (second.value - first.value) * factor
        subject = subject_first(work, first, second)
        ordered = not subject and is_ordered(first, second)
        if (ordered or subject) and direction * change * (-subject or 1) < 0:
            continue
        wanted = change if work.mention.sign and ordered else abs(change)
        wanted = wanted if ordered or work.mention.sign >= 0 else -wanted
        is_bare = work.mention.form is Form.NUMBER and work.mention.digits < 3
        if is_bare and first.meaning.holds is Holds.TIME and not _LASTS.search(_words(work)):
            continue
        if not first.value or not second.value:
            continue  # that is the other number itself, told of the wrong row
        if first.row == second.row and (
            _is_untold_loss(work, first, change)
            or _is_of_part(work, first, second)
            or (not is_told and _are_unlike(first, second))
        ):
            continue
        if work.fits(wanted) if is_points else work.fits_in(wanted, first.table, first.column):
            made = Term(abs(change), second.table, second.column, GAP_ROW, work.mention.text)
            yield f"{second.text} less {first.text}", None if is_points else made
    yield from _of_shown(work)


def _asks(work: Workings) -> bool:
    """Whether the question asks for a difference, so that an answer need not name it."""
    return _ASKED.search(work.ground.asked.text) is not None


def _is_long(work: Workings) -> bool:
    """Whether a figure has so many digits that it cannot be a difference by chance."""
    is_bound = any(n.has_rows for n in work.bound)
    return work.mention.digits >= (5 if is_bound else 4)


def _words(work: Workings) -> str:
    return f"{work.sentence} {work.ground.asked.text}"


def _are_unlike(one: Term, other: Term) -> bool:
    """Whether two columns count different things: customers and rentals."""
    first, second = one.meaning, other.meaning
    is_count = first.holds is Holds.COUNT and bool(first.nouns and second.nouns)
    return is_count and not first.nouns & second.nouns


def _is_untold_loss(work: Workings, first: Term, change: Decimal) -> bool:
    """Whether a row has a difference as a loss of its own, and the words do not say so."""
    table, row = first.table, first.row
    own = [
        table.numbers[c][row] for c in table.measures if table.meanings[c].is_change and row >= 0
    ]
    losses = [value for value in own if value is not None and value < 0]
    is_told = says_down(work.claim, work.ground) or _LOSS.search(work.ground.asked.text)
    return -abs(change) in losses and not is_told


def _is_of_part(work: Workings, one: Term, other: Term) -> bool:
    """Whether the words say of what two counts leave what only the lower of them is: "late"."""
    whole, part = (one, other) if one.value > other.value else (other, one)
    is_lone = one.table is other.table and len(one.table.rows) == 1
    is_count = is_lone and one.meaning.holds is Holds.COUNT and other.meaning.holds is Holds.COUNT
    return is_count and says_part(work, one.table, whole.column, part.column)


def _of_shown(work: Workings) -> Iterator[Worked]:
    """Yield the differences of two figures as they are written beside: "41 %, 11 pp over 30 %"."""
    form = Form.PERCENT if work.mention.form is Form.POINTS else work.mention.form
    line = work.ground.scene_of(work.claim).passage.line
    shown = [
        claim
        for number in range(max(0, work.claim.scene - 1), work.claim.scene + 2)
        if number < len(work.ground.scenes) and work.ground.scenes[number].passage.line == line
        for claim in work.ground.in_scene(number)
        if claim.source and claim.mention.form is form and not claim.mention.hedge.is_bound
        if claim.worked is None or claim.worked.row != GAP_ROW
        if claim.mention.currency == work.mention.currency or form is Form.PERCENT
    ]
    for first, second in combinations(shown, 2):
        one, other = first.mention, second.mention
        is_exact = abs(one.value - other.value) == abs(work.mention.value)
        are_cells = first.spots and second.spots  # pairs of cells are judged by their direction
        if are_cells and work.fits(abs(first.spots[0].value - second.spots[0].value)):
            continue
        if one.digits > 1 and is_exact:
            yield f"{one.text} less {other.text}", None


def point_differences(work: Workings) -> Iterator[Worked]:
    """Yield the differences of two shares, in percentage points, that the rows imply."""
    direction = direction_of(work)
    for first, second in in_step(work, pairs(work)):
        wholes = [t.table.total(t.column) for t in (first, second)]
        kinds = {m.holds for m in first.table.meanings}
        if kinds & {Holds.PERCENT, Holds.RATIO} or not (work.names or work.asked):
            continue  # the rows have percentages of their own
        if first.table is not second.table or not all(wholes) or first.row < 0 or second.row < 0:
            continue
        if first.meaning.holds not in ADDITIVE or first.meaning.is_change:
            continue
        one, other = first.value / (wholes[0] or 1) * 100, second.value / (wholes[1] or 1) * 100
        subject = subject_first(work, first, second)
        if subject and direction * (other - one) * -subject < 0:
            continue
        if work.fits(abs(other - one)):
            yield f"the shares of {second.text} and {first.text}", None


def year_spans(work: Workings) -> Iterator[Worked]:
    """Yield the years between two columns of years: "a span of 92 years"."""
    for table in work.tables:
        years = [
            c
            for c in table.numbers
            if table.meanings[c].holds is Holds.CALENDAR and table.meanings[c].unit == "year"
        ]
        for one, other in combinations(years, 2) if len(table.rows) == 1 else ():
            first, last = table.numbers[one][0], table.numbers[other][0]
            if first is not None and last is not None and work.fits(abs(last - first)):
                yield (
                    f"{table.name}, {table.column_name(other)} less {table.column_name(one)}",
                    None,
                )
