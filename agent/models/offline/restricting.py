"""The conditions of a draft, put into its frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agent.models.offline.dating import date_place, named_date
from agent.models.offline.draft import Asked, Compare
from agent.models.offline.figures import column_figure, count_figure
from agent.models.offline.frame import Figure, Frame, GroupTest, Presence, Spot, Test, Unclear
from agent.models.offline.mentioning import mentioned_presences, mentioned_tests
from agent.models.offline.money import money_figure
from agent.models.offline.number_filters import OPS
from agent.models.offline.places import Places
from agent.models.offline.probes import LATEST, quote
from agent.models.offline.saying import plural, singular
from agent.models.offline.ways import plain, reaches_down
from agent.models.offline.work import Work


@dataclass
class _Rows:
    """The conditions found so far: of the whole, of a share's part, of what must not be there."""

    tests: list[Test] = field(default_factory=list)
    part: list[Test] = field(default_factory=list)
    inside: list[Test] = field(default_factory=list)
    presences: list[Presence] = field(default_factory=list)
    group_tests: list[GroupTest] = field(default_factory=list)
    having: list[tuple[int, str, float, float | None]] = field(default_factory=list)


def with_conditions(work: Work, frame: Frame) -> Frame:
    """Return the frame with every condition of the draft in it.

    Raises `Unclear` for a condition that cannot be settled.
    """
    rows = _Rows()
    _add_values(work, rows)
    _add_comparisons(work, frame, rows)
    _add_periods(work, frame, rows)
    _add_missing(work, rows)
    told = mentioned_tests(work, (*rows.tests, *rows.part))
    (rows.part if work.draft.share and not rows.part else rows.tests).extend(told)
    said = (*rows.tests, *rows.part)
    rows.presences += mentioned_presences(work, frame, said, rows.presences)
    return replace(
        frame,
        latest=_latest(work, rows),
        tests=tuple(rows.tests),
        presences=tuple(rows.presences),
        part=tuple(rows.part),
        group_tests=tuple(rows.group_tests),
        having=tuple(rows.having),
        period=", ".join(p.label for p in work.draft.periods),
        share=_share(work, frame, rows.part),
    )


def _add_values(work: Work, rows: _Rows) -> None:
    for number, (cond, test) in enumerate(work.filters.value_tests()):
        if cond.inside:
            rows.inside.append(replace(test, negated=False))
        elif work.draft.share and number >= work.draft.base_values:
            rows.part.append(test)
        else:
            rows.tests.append(test)
    rows.tests += [work.filters.number_test(row) for row in work.draft.row_numbers]
    rows.tests += [work.filters.like_test(like) for like in work.draft.likes]


def _add_comparisons(work: Work, frame: Frame, rows: _Rows) -> None:
    for compare in work.draft.compares:
        if compare.measure is None and compare.behind and (total := _total_of(work, compare)):
            compare = replace(compare, measure=total)
        bare = compare.noun is None and not compare.concept and not compare.unit
        after_grouping = bare and bool(frame.figures and frame.dimensions)
        if compare.measure is None and not after_grouping:
            test = work.filters.compare_test(compare)
            (rows.part if work.draft.share else rows.tests).append(test)
            continue
        group_test = _group_test(work, frame, compare, compare.measure) if compare.measure else None
        if group_test is None:
            rows.having.append((0, compare.op, compare.number, compare.upper))
        else:
            rows.group_tests.append(group_test)


def _add_periods(work: Work, frame: Frame, rows: _Rows) -> None:
    if rows.group_tests and (within := _measured_in(work, frame, rows.group_tests[-1])):
        rows.group_tests[-1] = replace(rows.group_tests[-1], tests=within)
        return
    tests = _period_tests(work)
    if work.draft.share and not rows.part and not frame.dimensions:
        rows.part += tests[work.draft.base_periods :]
        tests = tests[: work.draft.base_periods]
    denied = work.draft.period_inside and any(m.negated for m in work.draft.missing)
    (rows.inside if denied else rows.tests).extend(tests)


def _measured_in(work: Work, frame: Frame, measured: GroupTest) -> tuple[Test, ...]:
    """Return the period as one of the figure: who spent more than 100 *in 2025*."""
    others = [f for f in frame.figures if f.agg != "count" or f.table != measured.table]
    if not work.draft.periods or others or frame.dimensions:
        return ()
    table, named = measured.figure.table, named_date(work)
    own = work.atlas.date_columns(table)
    if not own or (named is not None and named[0] != table):
        return ()
    if len(work.draft.periods) > 1:
        raise Unclear("I can compare such a figure in one period only. Which one shall it be?")
    place = named if named is not None else (table, own[0])
    work.places.note(f"dates are those of {plain(table)}.{place[1]}")
    tests = work.filters.period_tests(place, work.draft.periods, None)
    return tuple(replace(test, spot=Spot((), *place)) for test in tests)


def _add_missing(work: Work, rows: _Rows) -> None:
    for missing in work.draft.missing:
        condition = work.filters.missing(missing)
        if isinstance(condition, Test):
            (rows.part if work.draft.share else rows.tests).append(condition)
        elif condition.negated:
            rows.presences.append(replace(condition, tests=tuple(rows.inside)))
            rows.inside = []
        else:
            rows.presences.append(condition)
    rows.tests += rows.inside


def _total_of(work: Work, compare: Compare) -> Asked | None:
    """Read "with more than 1000 slots" as the total of many rows' column."""
    link = next(
        (link for link in (compare.noun.links if compare.noun else ()) if link.kind == "column"),
        None,
    )
    entity = work.subject or work.places.root
    if link is None or link.table == entity:
        return None
    ways = work.atlas.paths(entity, link.table)
    return Asked("sum", compare.noun) if ways and reaches_down(ways[0]) else None


def _share(work: Work, frame: Frame, part: Sequence[Test]) -> str:
    if not work.draft.share:
        return ""
    if part and not frame.dimensions:
        return "part"
    if frame.dimensions and not part:
        return "groups"
    raise Unclear("Which part, and of which whole, shall I work out the share of?")


def _period_tests(work: Work) -> list[Test]:
    if not work.draft.periods:
        return []
    place = date_place(work)
    return work.filters.period_tests(place, work.draft.periods, None)


def _latest(work: Work, rows: _Rows) -> str:
    """Return a query for the newest date, where a period moves with today and may be past it."""
    if not any(period.is_relative for period in work.draft.periods):
        return ""
    spots = [test.spot for measured in rows.group_tests for test in measured.tests]
    table, column = (spots[0].table, spots[0].column) if spots else date_place(work)
    if not work.atlas.is_date(table, column):
        return ""
    return f"{LATEST} {quote(plain(table))} AS what, max({column})::date AS latest FROM {table}"


def _group_test(work: Work, frame: Frame, compare: Compare, measure: Asked) -> GroupTest | None:
    """Settle "with more than 30 rentals": a condition on each row of the subject.

    None means that the figure is the one that the answer groups anyway.
    """
    entity = work.subject or work.places.root
    figure = _compared_figure(work, entity, measure)
    if frame.dimensions and frame.figures and figure.table == frame.root and not work.subject:
        return None
    if figure.table == entity:
        raise Unclear("I cannot tell what the number is about. Please put it differently.")
    back = Places(work.atlas, work.draft, figure.table, work.places.mentioned).path(entity)
    path = work.places.path(entity)
    if back is None or path is None:
        raise Unclear(f"I see no way from {plain(entity)} to {plain(figure.table)}.")
    number, upper = compare.number, compare.upper
    words = say_compared(figure, compare.op, number, upper)
    return GroupTest(path, entity, figure, back, compare.op, number, upper, words=words)


def _compared_figure(work: Work, entity: str, measure: Asked) -> Figure:
    noun, atlas = measure.noun, work.atlas
    if noun is not None and noun.best.kind == "money":
        return money_figure(measure, work.places, [entity], atlas)
    if noun is not None and noun.best.kind == "column":
        return column_figure(measure, noun.best.table, noun.best.column, atlas)
    events = [n.best.table for n in work.draft.mentions if n.verb and n.best.table != entity]
    event = next((table for table in events if table in atlas.tables), None)
    table = event or (noun.best.table if noun is not None else None)
    if table is None or table not in atlas.tables:
        raise Unclear("I cannot tell what the number counts. Please put it differently.")
    if event and noun is not None and noun.best.table != event:
        twice = f"the same {plain(noun.best.table)} again counts again"
        work.places.note(f"counted are {plural(plain(event))}, {twice}")
    return count_figure(table, measure)


def say_compared(figure: Figure, op: str, number: float, upper: float | None) -> str:
    """Say a comparison of a figure: "more than 30 rentals"."""
    amount = f"{number:g}" if upper is None else f"{number:g} and {upper:g}"
    counted = singular if number == 1 and upper is None else plural
    noun = counted(figure.words) if figure.agg == "count" else figure.words
    return (
        f"with {OPS[op]} {amount} {noun}"
        if figure.agg == "count"
        else f"with {noun} {OPS[op]} {amount}"
    )
