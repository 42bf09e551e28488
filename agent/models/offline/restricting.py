"""The conditions of a draft, put into its frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.models.offline.dating import date_place
from agent.models.offline.draft import Asked, Compare
from agent.models.offline.figures import column_figure, count_figure
from agent.models.offline.frame import Frame, GroupTest, Presence, Test, Unclear
from agent.models.offline.mentioning import mentioned_presences
from agent.models.offline.money import money_figure
from agent.models.offline.places import Places
from agent.models.offline.ways import plain, reaches_down
from agent.models.offline.work import Work


def with_conditions(work: Work, frame: Frame) -> Frame:
    tests: list[Test] = []
    presences: list[Presence] = []
    inside: list[Test] = []
    part: list[Test] = []
    values = work.filters.value_tests()
    for number, (cond, test) in enumerate(values):
        if cond.inside:
            inside.append(replace(test, negated=False))
        elif work.draft.share and number >= work.draft.base_values:
            part.append(test)
        else:
            tests.append(test)
    tests += [work.filters.number_test(row) for row in work.draft.row_numbers]
    tests += [work.filters.like_test(like) for like in work.draft.likes]
    group_tests: list[GroupTest] = []
    having: list[tuple[int, str, float, float | None]] = []
    for compare in work.draft.compares:
        if compare.measure is None and compare.behind and (total := _total_of(work, compare)):
            compare = replace(compare, measure=total)
        bare = compare.noun is None and not compare.concept and not compare.unit
        if compare.measure is None and bare and frame.figures and frame.dimensions:
            having.append((0, compare.op, compare.number, compare.upper))
        elif compare.measure is None:
            (part if work.draft.share else tests).append(work.filters.compare_test(compare))
        else:
            frame, group_test = _group_test(
                work, frame, compare.measure, compare.op, compare.number, compare.upper
            )
            if group_test is not None:
                group_tests.append(group_test)
            else:
                having.append((0, compare.op, compare.number, compare.upper))
    period_tests = _period_tests(work)
    if work.draft.share and not part and not frame.dimensions:
        part += period_tests[work.draft.base_periods :]
        period_tests = period_tests[: work.draft.base_periods]
    if work.draft.period_inside and any(m.negated for m in work.draft.missing):
        inside += period_tests
    else:
        tests += period_tests
    for missing in work.draft.missing:
        condition = work.filters.missing(missing)
        if isinstance(condition, Test):
            (part if work.draft.share else tests).append(condition)
        elif condition.negated:
            presences.append(replace(condition, tests=tuple(inside)))
            inside = []
        else:
            presences.append(condition)
    tests += inside
    presences += mentioned_presences(work, frame, tests, part, presences)
    period = ", ".join(p.label for p in work.draft.periods)
    return replace(
        frame,
        tests=tuple(tests),
        presences=tuple(presences),
        part=tuple(part),
        group_tests=tuple(group_tests),
        having=tuple(having),
        period=period,
        share=_share(work, frame, part),
    )


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
    raise Unclear("Of what shall I work out the share? Please name the part and the whole.")


def _period_tests(work: Work) -> list[Test]:
    if not work.draft.periods:
        return []
    place = date_place(work)
    return work.filters.period_tests(place, work.draft.periods, None)


def _group_test(
    work: Work, frame: Frame, measure: Asked, op: str, number: float, upper: float | None
) -> tuple[Frame, GroupTest | None]:
    """Settle "with more than 30 rentals": a condition on groups, or on each row of the subject."""
    draft, atlas = work.draft, work.atlas
    entity = work.subject or work.places.root
    noun = measure.noun
    event = next(
        (
            n.best.table
            for n in draft.mentions
            if n.verb and n.best.table in atlas.tables and n.best.table != entity
        ),
        None,
    )
    if noun is not None and noun.best.kind == "money":
        figure = money_figure(measure, work.places, [entity], atlas)
    elif noun is not None and noun.best.kind == "column":
        figure = column_figure(measure, noun.best.table, noun.best.column, atlas)
    else:
        table = event or (noun.best.table if noun is not None else None)
        if table is None or table not in atlas.tables:
            raise Unclear(f"What shall there be {op} {number:g} of?")
        if event and noun is not None and noun.best.table != event:
            work.places.note(
                f"counted are {plain(event)} rows, the same {plain(noun.best.table)} twice "
                "counts twice"
            )
        figure = count_figure(table, measure)
    if frame.dimensions and frame.figures and figure.table == frame.root and not work.subject:
        return frame, None
    if figure.table == entity:
        raise Unclear("I cannot tell what the number is about. Please put it differently.")
    back = Places(atlas, draft, figure.table, work.places.mentioned).path(entity)
    path = work.places.path(entity)
    if back is None or path is None:
        raise Unclear(f"I see no way from {plain(entity)} to {plain(figure.table)}.")
    words = f"{figure.words} {op} {number:g}"
    if frame.figures or frame.dimensions or op in ("<", "<=", "!=") or (op == "=" and number == 0):
        return frame, GroupTest(path, entity, figure, back, op, number, upper, words=words)
    return frame, GroupTest(path, entity, figure, back, op, number, upper, words=words)
