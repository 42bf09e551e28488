"""Figures that a person could work out from the rows: shares, sums, differences, growth, averages.

Only where the words ask for it, and only from what the passage itself names or says: with more
freedom almost any invented number could be worked out from something.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations
from typing import Final

from agent.evidence.cells import Spot, Table
from agent.evidence.columns import Holds
from agent.evidence.direct import AVERAGE, HIGHEST, LOWEST, TOTAL
from agent.evidence.fit import unit_fault
from agent.evidence.ground import Claim, Ground
from agent.evidence.mentions import Form
from agent.evidence.names import Name

UP: Final = re.compile(
    r"\b(?:(?<!make )(?<!makes )(?<!made )(?<!making )up|r[io]ses?|risen|rising|grew|grow(?:s|th|n|ing)?|increas\w*|gain\w*|climb\w*|jump\w*|more|higher|above|ahead|larger|bigger|greater|longer|"
    r"over|surge\w*|improv\w*|added|adding|extra|expan\w*|boost\w*|lead\w*|exceed\w*|outsold|outperform\w*|better|beat\w*|soar\w*|plus|additional)\b|\+",
    re.IGNORECASE,
)
DOWN: Final = re.compile(
    r"\b(?:down|f[ae]ll\w*|drop\w*|declin\w*|decreas\w*|less|fewer|lower|below|behind|shr[aiu]nk\w*|lost|loss|slip\w*|dip\w*|smaller|shorter|"
    r"under|trail\w*|reduc\w*|worse|minus|cheaper|shy|short|slump\w*|sank|slid|plung\w*|contract\w*)\b",
    re.IGNORECASE,
)
_GAP: Final = re.compile(
    r"\b(?:difference|gap|margin|spread|change|swing|apart|delta|var(?:y|ies|ied)|compar\w*|versus|vs|range|distance|year[- ]over[- ]year|yoy|month[- ]over[- ]month|mom)\b",
    re.IGNORECASE,
)
_SUM: Final = re.compile(
    r"\b(?:together|sum|sums|summed|jointly|both|collectively|between them|adds?|adding|cumulative\w*|across|all|whole|entire|company|chain|amount\w*|"
    r"for the year|year to date|quarter|half|first|last|top|leaders|rest|others?|remaining)\b|=",
    re.IGNORECASE,
)
_REST: Final = re.compile(
    r"\b(?:other|others|rest|remaining|remainder|everything else|elsewhere|non|not|never|balance|left)\b",
    re.IGNORECASE,
)
_PER: Final = re.compile(r"\b(?:per|each|an?|every|apiece)\b", re.IGNORECASE)
_TOP: Final = re.compile(
    r"\b(?:top|first|leading|biggest|largest|best|strongest|last|bottom|smallest|weakest|lowest)\b",
    re.IGNORECASE,
)
_MEDIAN: Final = re.compile(r"\bmedian\b", re.IGNORECASE)
_ADDITIVE: Final = (Holds.MONEY, Holds.COUNT, Holds.NUMBER, Holds.TIME)
_MOST: Final = 14
"""Named cells of one column from which pairs are made."""


@dataclass(frozen=True)
class Operand:
    """A number that a figure may be worked out from, and the cell that tells its unit."""

    value: Decimal
    spot: Spot
    text: str


class Workings:
    """The numbers at hand for one claim."""

    def __init__(self, claim: Claim, ground: Ground) -> None:
        self.claim, self.ground = claim, ground
        scene = ground.scenes[claim.scene]
        self.before, self.after = ground.before(claim), ground.after(claim)
        self.sentence = scene.text
        self.cue = f"{self.before[-80:]} # {self.after[:70]}"
        names: tuple[Name, ...] = tuple(
            n for n in scene.names if n.rows_anywhere() or any(h.columns for h in n.hits)
        )
        self.names = names or tuple(n for g in scene.inherited for n in g)
        self.bound = tuple(n for g in claim.groups for n in g)

    def table_of(self, operand: Operand) -> Table:
        return self.ground.tables[operand.spot.table]

    def near(self) -> list[Operand]:
        """Return the cells that other figures of the passage, or of the ones around it, rest on."""
        own = self._of_scene(self.claim.scene)
        if len(own) >= 2:
            return own
        passage = self.ground.passages[self.claim.scene]
        for other in (self.claim.scene - 1, self.claim.scene + 1, self.claim.scene - 2):
            if 0 <= other < len(self.ground.scenes) and not self.ground.passages[other].spans:
                if other > self.claim.scene and self.ground.passages[other].line != passage.line:
                    continue
                own = own + self._of_scene(other)[:4]
            if len(own) >= 2:
                break
        return own

    def _of_scene(self, number: int) -> list[Operand]:
        found = []
        for claim in self.ground.in_scene(number):
            if (
                claim is self.claim
                or claim.is_name
                or not claim.spots
                or claim.mention.hedge.is_bound
            ):
                continue
            spot = claim.spots[0]
            if self.ground.tables[spot.table].meanings[spot.column].holds is Holds.CALENDAR:
                continue
            found.append(Operand(spot.value, spot, claim.mention.text))
        return found

    def rows_of(self, names: Iterable[Name], table: Table) -> list[int]:
        """Return the rows of a result that all kinds of `names` agree on."""
        by_kind: dict[tuple[str, str], frozenset[int]] = {}
        for name in names:
            rows = name.rows(table.number)
            if rows:
                by_kind[name.dimension] = by_kind.get(name.dimension, frozenset()) | rows
        if not by_kind:
            return []
        return sorted(frozenset.intersection(*by_kind.values()))

    def cells(self, table: Table, column: int, rows: Sequence[int]) -> list[Operand]:
        values = table.numbers[column]
        return [
            Operand(
                value,
                Spot(table.number, row, column, value),
                f"{table.name}, row {row + 1}, {table.column_name(column)}",
            )
            for row in rows
            if (value := values[row]) is not None
        ]

    def fits(self, value: Decimal) -> bool:
        return any(r.holds(value) for r in self.claim.mention.ranges)

    def sound(self, operand: Operand) -> bool:
        """Whether a figure worked out of this column could be written as the claim is."""
        table = self.table_of(operand)
        return not unit_fault(self.claim.mention, "", table, operand.spot, self.ground.known)


def derive(claim: Claim, ground: Ground) -> str:
    """Return how a figure follows from the rows, in words; "" where it does not."""
    work = Workings(claim, ground)
    match claim.mention.form:
        case Form.PERCENT | Form.PART:
            ways = (_shares, _growth, _medians)
        case Form.TIMES:
            ways = (_ratios,)
        case Form.POINTS:
            ways = (_differences,)
        case Form.NUMBER | Form.TIME:
            ways = (_sums, _complements, _differences, _averages)
        case _:
            return ""
    return next((source for way in ways for source in way(work)), "")


_CHANGED_BY: Final = re.compile(
    rf"(?:{UP.pattern}|{DOWN.pattern})\s*(?:by|of)?\s*(?:about|around|roughly|nearly|almost|some)?\s*$",
    re.IGNORECASE,
)
_CHANGED: Final = re.compile(
    r"\s*(?:more|less|higher|lower|fewer|up|down|above|below|increase|growth|decline|drop|rise|jump|gain)\b",
    re.IGNORECASE,
)


def _shares(work: Workings) -> Iterator[str]:
    if _CHANGED_BY.search(work.before) or _CHANGED.match(work.after):
        return
    tops = list(_parts_of_whole(work))
    for part in tops:
        for whole in _wholes(work, part):
            if not whole.value or part.value > whole.value or part.value < 0:
                continue
            share = part.value / whole.value * 100
            if work.fits(share):
                yield f"{part.text} of {whole.text}"
            if work.fits(100 - share) and (
                _REST.search(work.sentence) or len(work.table_of(part).rows) == 1
            ):
                yield f"what is left of {whole.text} without {part.text}"
    yield from _share_of_rows(work)
    yield from _percent_sums(work)


def _parts_of_whole(work: Workings) -> Iterator[Operand]:
    """Yield what a share may be of: the named rows, their sum, the first rows, figures said before."""
    for table in work.ground.tables:
        for column in table.measures:
            if table.meanings[column].holds not in _ADDITIVE or table.meanings[column].is_average:
                continue
            yield from _parts_in(work, table, column)
    yield from work.near()[-4:]


_SPANNED: Final = re.compile(r"\b(?:to|through|until|till|between)\b|–|-")


def _row_sets(work: Workings, table: Table) -> Iterator[list[int]]:
    """Yield the rows that the passage names: the figure's own, all, those from one to another."""
    for names in (work.bound, work.names):
        rows = work.rows_of(names, table)
        if rows:
            yield rows
        if len(rows) == 2 and rows[1] - rows[0] > 1 and _SPANNED.search(work.sentence):
            yield list(range(rows[0], rows[1] + 1))
            if any(m.unit == "hour" for m in table.meanings):
                yield list(range(rows[0], rows[1]))  # until 8 pm is until the hour of 8 begins


def _parts_in(work: Workings, table: Table, column: int) -> Iterator[Operand]:
    for rows in _row_sets(work, table):
        if len(rows) < len(table.rows):
            cells = work.cells(table, column, rows)
            yield from cells[:6] if len(cells) <= 6 else ()
            if len(cells) > 1:
                yield _sum_of(
                    cells, f"{table.name}, {len(cells)} rows, {table.column_name(column)}"
                )
    has_flag = any(c.type_name == "boolean" for c in table.result.columns)
    if len(table.rows) == 1 or (has_flag and len(table.rows) <= 3):
        yield from work.cells(table, column, range(len(table.rows)))
    if not work.bound and len(table.rows) > 1:
        yield from _extremes(work, table, column)
    yield from _first_rows(work, table, column)


def _extremes(work: Workings, table: Table, column: int) -> Iterator[Operand]:
    values = [(v, r) for r, v in enumerate(table.numbers[column]) if v is not None]
    if not values:
        return
    if HIGHEST.search(work.sentence):
        yield from work.cells(table, column, [max(values)[1]])
    if LOWEST.search(work.sentence):
        yield from work.cells(table, column, [min(values)[1]])


def _sum_of(cells: Sequence[Operand], text: str) -> Operand:
    return Operand(sum((c.value for c in cells), Decimal(0)), cells[0].spot, text)


def _first_rows(work: Workings, table: Table, column: int) -> Iterator[Operand]:
    """Yield the sums of the first or last so many rows, where the passage says how many."""
    counts = {
        int(c.mention.value)
        for c in work.ground.in_scene(work.claim.scene)
        if c.mention.form is Form.NUMBER
        and 2 <= c.mention.value <= 50
        and c.mention.value == int(c.mention.value)
    }
    if re.search(r"\b(?:both|two|these|together|combined)\b", work.sentence):
        counts |= {2}
    if re.search(r"\b(?:these|together|combined|shown|listed)\b", work.sentence):
        counts |= {len(table.rows)}
    if not (
        _TOP.search(work.sentence)
        or re.search(r"\b(?:these|together|combined|shown|listed|leaders|those)\b", work.sentence)
    ):
        return
    for count in counts:
        if 2 <= count <= len(table.rows):
            for rows in (range(count), range(len(table.rows) - count, len(table.rows))):
                cells = work.cells(table, column, list(rows))
                if cells:
                    yield _sum_of(cells, f"{table.name}, {count} rows, {table.column_name(column)}")


def _wholes(work: Workings, part: Operand) -> Iterator[Operand]:
    """Yield what a share may be a share of."""
    table = work.table_of(part)
    holds_kind = table.meanings[part.spot.column].holds
    total = table.total(part.spot.column)
    if total is not None and len(table.rows) > 1:
        yield Operand(
            total, part.spot, f"{table.name}, the total of {table.column_name(part.spot.column)}"
        )
    for column in table.measures:
        if column != part.spot.column and table.meanings[column].holds is holds_kind:
            if len(table.rows) == 1 or work.bound or work.names:
                yield from work.cells(table, column, [part.spot.row])
    for other in work.ground.tables:
        if len(other.rows) == 1 and other is not table:
            for column in other.measures:
                if other.meanings[column].holds is holds_kind:
                    yield from work.cells(other, column, [0])
    for near in work.near():
        if (
            work.table_of(near).meanings[near.spot.column].holds is holds_kind
            and near.value != part.value
        ):
            yield near


def _share_of_rows(work: Workings) -> Iterator[str]:
    """Yield shares of counted rows: "9 of 12 months, 75 %"."""
    counted = [
        c for c in work.ground.in_scene(work.claim.scene)
        if c.source and not c.spots and c.mention.form in (Form.NUMBER, Form.TIME) and c is not work.claim and c.mention.value
    ]  # fmt: skip
    for one, other in combinations(counted, 2):
        low, high = sorted((one.mention.value, other.mention.value))
        if high and work.fits(low / high * 100):
            yield f"{one.mention.text} of {other.mention.text}"


def _medians(work: Workings) -> Iterator[str]:
    """Yield the median that "half of the customers spent less than …" retells."""
    for table in work.ground.tables:
        for column in table.measures:
            if work.claim.mention.value == 50 and "median" in table.meanings[column].words:
                yield f"{table.name}, {table.column_name(column)}"


def _percent_sums(work: Workings) -> Iterator[str]:
    """Yield sums of percentages that the rows hold: "the top three have 36 %"."""
    for table in work.ground.tables:
        for column in table.measures:
            if (
                table.meanings[column].holds is not Holds.PERCENT
                or table.meanings[column].is_change
            ):
                continue
            factor = table.percent_factors[column]
            sums = []
            for names in (work.bound, work.names):
                rows = work.rows_of(names, table)
                if len(rows) > 1:
                    sums.append(
                        _sum_of(
                            work.cells(table, column, rows),
                            f"{table.name}, {len(rows)} rows, {table.column_name(column)}",
                        )
                    )
                cells = work.cells(table, column, rows)
                if cells and _REST.search(work.sentence):
                    yield from (
                        f"what {c.text} leaves"
                        for c in (*cells, _sum_of(cells, "the named rows"))
                        if work.fits(100 - c.value * factor)
                    )
            sums += list(_first_rows(work, table, column))
            for one in sums:
                if work.fits(one.value * factor):
                    yield one.text
                if _REST.search(work.sentence) and work.fits(100 - one.value * factor):
                    yield f"what is left without {one.text}"


def _pairs(work: Workings) -> Iterator[tuple[Operand, Operand]]:
    """Yield pairs of numbers of one kind that the passage compares: the earlier, then the later."""
    near = work.near()
    own = [o for o in near[-6:]]
    yield from _like_pairs(work, own)
    for table in work.ground.tables:
        rows = work.rows_of(work.names, table) or work.rows_of(work.bound, table)
        for column in table.measures:
            yield from _column_pairs(work, table, column, rows[:_MOST], near)
        yield from _pivot_pairs(work, table, rows[:_MOST])
    yield from _single_results(work)


def _like_pairs(work: Workings, operands: Sequence[Operand]) -> Iterator[tuple[Operand, Operand]]:
    for one, other in combinations(operands, 2):
        same = (
            work.table_of(one).meanings[one.spot.column].holds
            is work.table_of(other).meanings[other.spot.column].holds
        )
        if same:
            yield _in_time(work, one, other)


def _in_time(work: Workings, one: Operand, other: Operand) -> tuple[Operand, Operand]:
    """Return two numbers with the earlier one first, as far as their rows have a date."""
    if (
        one.spot.table == other.spot.table
        and one.spot.row > other.spot.row
        and is_series(work.table_of(one))
    ):
        return other, one
    if (
        one.spot.table == other.spot.table
        and one.spot.row == other.spot.row
        and one.spot.column > other.spot.column
    ):
        return other, one
    return one, other


def is_series(table: Table) -> bool:
    """Whether the rows of a result follow each other in time."""

    def rising(values: list[tuple[int, ...]]) -> bool:
        return len(values) > 1 and all(a < b for a, b in zip(values, values[1:], strict=False))

    for moments in table.moments.values():
        keys = [tuple(m.parts().values()) for m in moments if m is not None]
        if rising(keys):
            return True
    for column, meaning in enumerate(table.meanings):
        if meaning.holds is Holds.CALENDAR and column in table.numbers:
            if rising([(int(v),) for v in table.numbers[column] if v is not None]):
                return True
    return False


def _column_pairs(
    work: Workings, table: Table, column: int, rows: Sequence[int], near: Sequence[Operand]
) -> Iterator[tuple[Operand, Operand]]:
    if len(rows) >= 2:
        for one, other in combinations(work.cells(table, column, rows), 2):
            yield _in_time(work, one, other)
        return
    last = len(table.rows) - 1
    if len(rows) == 1 and last > 0:
        here = rows[0]
        beside = [r for r in (here - 1, here + 1) if 0 <= r <= last]
        if not is_series(table):
            beside.append(0)
        beside += _year_before(work, table, here)
        for other in beside:
            cells = work.cells(table, column, [other, here])
            if len(cells) == 2 and other != here:
                yield _in_time(work, cells[0], cells[1])
        for operand in near:
            if operand.spot.column == column and operand.spot.table == table.number:
                yield from ((_in_time(work, operand, c)) for c in work.cells(table, column, [here]))
        cells = work.cells(table, column, [here])
        mean = _mean(table, column)
        if cells and mean is not None and AVERAGE.search(work.sentence):
            yield Operand(mean, cells[0].spot, "the average"), cells[0]
    elif not rows and last > 0 and not work.names:
        values = [(v, r) for r, v in enumerate(table.numbers[column]) if v is not None]
        ends = {(0, last), (min(values)[1], max(values)[1]), (0, 1)} if values else set()
        for first, second in ends:
            cells = work.cells(table, column, [first, second])
            if len(cells) == 2:
                yield _in_time(work, cells[0], cells[1])


def _year_before(work: Workings, table: Table, row: int) -> list[int]:
    """Return the row of the same month or quarter a year earlier, where the passage speaks of it."""
    if not re.search(
        r"\b(?:year[- ](?:before|earlier|ago|on[- ]year|over[- ]year)|(?:last|previous|prior) year|yoy|same (?:month|quarter|period))\b",
        work.sentence,
        re.I,
    ):
        return []
    found = []
    for moments in table.moments.values():
        here = moments[row]
        wanted = here.parts() | {"year": (here.year or 0) - 1} if here is not None else {}
        found += [r for r, m in enumerate(moments) if m is not None and m.parts() == wanted]
    return found


def _pivot_pairs(
    work: Workings, table: Table, rows: Sequence[int]
) -> Iterator[tuple[Operand, Operand]]:
    chosen = rows or (range(1) if len(table.rows) == 1 else ())
    for row in list(chosen)[:4]:
        for one, other in combinations(table.measures, 2):
            if table.meanings[one].holds is table.meanings[other].holds:
                cells = [*work.cells(table, one, [row]), *work.cells(table, other, [row])]
                if len(cells) == 2:
                    yield cells[0], cells[1]
    if (
        not rows
        and len(table.rows) > 1
        and (TOTAL.search(work.sentence) or _SUM.search(work.sentence))
    ):
        for one, other in combinations(table.measures, 2):
            totals = table.total(one), table.total(other)
            if table.meanings[one].holds is table.meanings[other].holds and None not in totals:
                spot = Spot(table.number, 0, one, Decimal(0))
                yield tuple(Operand(t, spot, "the totals") for t in totals if t is not None)  # type: ignore[misc]


def _single_results(work: Workings) -> Iterator[tuple[Operand, Operand]]:
    """Yield pairs of results that hold one number each: this year's and last year's."""
    singles = [
        operand
        for table in work.ground.tables
        if len(table.rows) == 1
        for column in table.measures[:3]
        for operand in work.cells(table, column, [0])
    ]
    for one, other in combinations(singles[:8], 2):
        kinds = [work.table_of(o).meanings[o.spot.column].holds for o in (one, other)]
        if kinds[0] is kinds[1] and one.spot.table != other.spot.table:
            starts = [work.table_of(o).statement.scope_periods for o in (one, other)]
            if all(starts) and (starts[0][0][0] or starts[0][0][1]) > (
                starts[1][0][0] or starts[1][0][1]
            ):  # type: ignore[operator]
                one, other = other, one
            yield one, other


def _direction(work: Workings) -> int:
    """Return +1 where the words say more, -1 where they say less, 0 where they do not say."""
    mention = work.claim.mention
    if mention.sign:
        return mention.sign
    if re.search(r"\bby (?:about |around |nearly |almost |roughly )?$", work.before) and not (
        UP.search(work.before) or DOWN.search(work.before)
    ):
        rising, falling = bool(UP.search(work.sentence)), bool(DOWN.search(work.sentence))
        if rising != falling:
            return 1 if rising else -1
    close = (
        f"{re.split(r'[;(]', work.before)[-1][-45:]} # {re.split(r'[;,.()]', work.after)[0][:40]}"
    )
    up, down = list(UP.finditer(close)), list(DOWN.finditer(close))
    if bool(up) == bool(down):
        if not up:
            return 0
        middle = close.index("#")
        nearest = min(
            [*up, *down], key=lambda m: min(abs(m.end() - middle), abs(m.start() - middle))
        )
        return 1 if nearest in up else -1
    return 1 if up else -1


def _is_ordered(work: Workings, one: Operand, other: Operand) -> bool:
    """Whether two numbers have a before and an after, so that the direction of a change is set."""
    if one.spot.table != other.spot.table:
        return True
    if one.spot.row == other.spot.row:
        return one.spot.column != other.spot.column
    return is_series(work.table_of(one))


def _growth(work: Workings) -> Iterator[str]:
    direction = _direction(work)
    if not direction and not _GAP.search(work.cue) and not work.claim.mention.in_brackets:
        return
    for first, second in _pairs(work):
        for old, new in ((first, second), (second, first)):
            if not old.value:
                continue
            growth = (new.value - old.value) / abs(old.value) * 100
            turned = (old, new) == (second, first)
            if turned and _is_ordered(work, first, second) and direction:
                continue
            signed = work.claim.mention.sign
            if direction * growth < 0 or (
                signed == 0 and direction == 0 and growth < 0 and not _GAP.search(work.cue)
            ):
                continue
            if work.fits(growth) or (signed == 0 and growth < 0 and work.fits(-growth)):
                yield f"{new.text} against {old.text}"


def _complements(work: Workings) -> Iterator[str]:
    """Yield what is left of a whole where the passage names the whole and the other part."""
    for one, other in combinations(work._of_scene(work.claim.scene), 2):
        if (
            one.spot.table == other.spot.table
            and one.spot.row == other.spot.row
            and work.sound(one)
        ):
            if work.fits(abs(one.value - other.value)) and work.claim.mention.digits > 1:
                yield f"what {one.text} and {other.text} leave"


def _differences(work: Workings) -> Iterator[str]:
    direction = _direction(work)
    if not direction and not _GAP.search(work.cue):
        return
    for first, second in _pairs(work):
        factor = work.table_of(first).percent_factors.get(first.spot.column, Decimal(1))
        if work.claim.mention.form is not Form.POINTS:
            factor = Decimal(1)
            if not work.sound(first):
                continue
        change = (second.value - first.value) * factor
        if (
            direction
            and _is_ordered(work, first, second)
            and first.spot.row != second.spot.row
            and direction * change < 0
        ):
            continue
        wanted = change if work.claim.mention.sign else abs(change)
        if work.fits(wanted) or (
            work.claim.mention.sign and not _is_ordered(work, first, second) and work.fits(-wanted)
        ):
            yield f"{second.text} less {first.text}"


def _ratios(work: Workings) -> Iterator[str]:
    for first, second in _pairs(work):
        for top, bottom in ((second, first), (first, second)):
            if bottom.value > 0 and work.fits(top.value / bottom.value):
                if (
                    top is first
                    and _is_ordered(work, first, second)
                    and UP.search(work.cue)
                    and first.value < second.value
                ):
                    continue
                yield f"{top.text} over {bottom.text}"


def _sums(work: Workings) -> Iterator[str]:
    is_rough = work.claim.mention.digits < 3 and work.claim.mention.value < 100
    if (
        is_rough
        and not (TOTAL.search(work.sentence) or _SUM.search(work.sentence))
        and not work.names
    ):
        return
    if (
        (HIGHEST.search(work.before) or LOWEST.search(work.before))
        and not work.names
        and not TOTAL.search(work.sentence)
        and not _SUM.search(work.cue)
    ):
        return
    for table in work.ground.tables:
        for column in table.measures:
            meaning = table.meanings[column]
            if meaning.holds not in _ADDITIVE or meaning.is_average:
                continue
            for made in _column_sums(work, table, column):
                if work.fits(made.value) and work.sound(made):
                    yield f"{made.text}, added up"


def _column_sums(work: Workings, table: Table, column: int) -> Iterator[Operand]:
    bound = work.rows_of(work.bound, table)
    rows = bound if len(bound) > 1 else work.rows_of(work.names, table)
    spot = Spot(table.number, 0, column, Decimal(0))
    total = table.total(column)
    is_scoped = bool(bound)
    name = f"{table.name}, {table.column_name(column)}"
    says_total = TOTAL.search(work.before[-30:]) or re.search(
        r"\bof (?:the |all |our |a |its )*(?:\w+'s? )?$", work.before
    )
    if total is not None and len(table.rows) > 1 and (not is_scoped or says_total):
        yield Operand(total, spot, f"{name}, all rows")
    for some in _row_sets(work, table):
        cells = work.cells(table, column, some)
        if len(cells) > 1:
            yield _sum_of(cells, f"{table.name}, {len(some)} rows, {table.column_name(column)}")
    counts = {
        int(c.mention.value)
        for c in work.ground.in_scene(work.claim.scene)
        if c.source and c.mention.form is Form.NUMBER and 0 < c.mention.value < len(table.rows)
    }
    for count in counts if not rows and total is not None and _REST.search(work.sentence) else ():
        first = sum(
            (c.value for c in work.cells(table, column, range(len(table.rows) - count))), Decimal(0)
        )
        yield Operand((total or 0) - first, spot, f"{name}, the last {count} rows")
    if rows and total is not None and _REST.search(work.sentence):
        named = sum((c.value for c in work.cells(table, column, rows)), Decimal(0))
        yield Operand(total - named, spot, f"{name}, the other rows")
    yield from _first_rows(work, table, column)
    if TOTAL.search(work.sentence):
        near = [o for o in work.near() if o.spot.table == table.number and o.spot.column == column]
        if len(near) > 1:
            yield _sum_of(near, "the figures beside it")


def _mean(table: Table, column: int) -> Decimal | None:
    values = [v for v in table.numbers[column] if v is not None]
    return sum(values, Decimal(0)) / len(values) if values else None


def _averages(work: Workings) -> Iterator[str]:
    near = f"{work.before[-30:]} {work.after[:30]}"
    says_per = _PER.search(near) or re.search(r"\bper\b", work.sentence)
    if not AVERAGE.search(work.sentence) and not says_per:
        return
    for table in work.ground.tables:
        rows = work.rows_of(work.bound, table) or work.rows_of(work.names, table)
        for column in table.measures:
            probe = Operand(Decimal(0), Spot(table.number, 0, column, Decimal(0)), "")
            if not work.sound(probe):
                continue
            if AVERAGE.search(work.sentence) or re.search(r"\b(?:per|a|each|every)\b", work.cue):
                yield from _means(work, table, column, rows)
            yield from _rates(work, table, column, rows)


def _means(work: Workings, table: Table, column: int, rows: Sequence[int]) -> Iterator[str]:
    name = f"{table.name}, {table.column_name(column)}"
    chosen = [rows] if len(rows) > 1 else [] if rows else [range(len(table.rows))]
    for some in chosen:
        values = sorted(c.value for c in work.cells(table, column, list(some)))
        if len(values) < 2:
            continue
        if work.fits(sum(values, Decimal(0)) / len(values)):
            yield f"{name}, the average of {len(values)} rows"
        middle = (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2
        if _MEDIAN.search(work.sentence) and work.fits(middle):
            yield f"{name}, the median of {len(values)} rows"


def _per_time(work: Workings, table: Table, column: int) -> Iterator[str]:
    """Yield a number over the length of the period that its query asks for: 33 rentals a day."""
    match = re.search(r"\b(?:a|per|each|every) (day|week|month|year)\b", work.after[:40])
    top = table.numbers[column][0]
    for low, high in table.statement.scope_periods:
        if match is None or top is None or low is None or high is None:
            continue
        days = Decimal((high - low).days + 1)
        months = Decimal((high.year - low.year) * 12 + high.month - low.month + 1)
        spans = {"day": days, "week": days / 7, "month": months, "year": months / 12}
        if work.fits(top / spans[match[1]]):
            yield f"{table.name}, {table.column_name(column)} per {match[1]}"


def _rates(work: Workings, table: Table, column: int, rows: Sequence[int]) -> Iterator[str]:
    """Yield one column over another in the same row, or total over total: revenue per rental."""
    single = len(table.rows) == 1
    for other in table.measures:
        if other == column or table.meanings[other].holds is not Holds.COUNT:
            continue
        for row in rows[:6] if rows else ([0] if single else []):
            top, bottom = table.numbers[column][row], table.numbers[other][row]
            if top is not None and bottom and work.fits(top / bottom):
                yield f"{table.name}, row {row + 1}, {table.column_name(column)} per {table.column_name(other)}"
        totals = table.total(column), table.total(other)
        if not rows and totals[0] is not None and totals[1] and work.fits(totals[0] / totals[1]):
            yield f"{table.name}, {table.column_name(column)} per {table.column_name(other)}"
    if single:
        yield from _per_time(work, table, column)
    if single and table.meanings[column].holds in _ADDITIVE:
        for near in work.ground.tables:
            if near is not table and len(near.rows) == 1:
                for other in near.measures:
                    bottom = near.numbers[other][0]
                    top = table.numbers[column][0]
                    if (
                        near.meanings[other].holds is Holds.COUNT
                        and top is not None
                        and bottom
                        and work.fits(top / bottom)
                    ):
                        yield f"{table.name}, {table.column_name(column)} per {near.column_name(other)}"
