"""What an answer is split by."""

from __future__ import annotations

from agent.models.offline.atlas import Atlas, Step
from agent.models.offline.dating import auto_grain, time_dimension
from agent.models.offline.draft import GroupBy, Noun
from agent.models.offline.frame import Dimension, Unclear
from agent.models.offline.ways import plain
from agent.models.offline.who import choose_person
from agent.models.offline.work import Work


def find_dimensions(work: Work, has_figures: bool) -> tuple[Dimension, ...]:
    found: list[Dimension] = []
    draft = work.draft
    if draft.over_time and not any(g.grain for g in draft.groups):
        found.append(time_dimension(work, auto_grain(draft)))
    if draft.compare or len([p for p in draft.periods if p.low and p.high]) > 1:
        unit = next((p.unit for p in draft.periods if p.unit), "")
        if (
            unit in ("year", "quarter", "month", "day")
            and has_figures
            and not any(g.grain for g in draft.groups)
        ):
            found.append(time_dimension(work, unit))
    for group in draft.groups:
        if _is_root_itself(work, group):
            continue
        found.append(
            time_dimension(work, group.grain) if group.grain else _noun_dimension(work, group)
        )
    split = any(d.table == work.subject and not d.grain for d in found)
    if has_figures and work.subject and work.subject != work.places.root and not split:
        found.append(_entity(work, work.subject))
    if has_figures and draft.person and not any(not d.grain for d in found):
        found.append(_entity(work, _person(work)))
    if has_figures and draft.show and not draft.subject:
        found += [_shown_dimension(work, noun) for noun in draft.show]
    if has_figures and draft.compare and not draft.groups:
        found += _compared_values(work)
    return tuple(dict.fromkeys(found))


def _compared_values(work: Work) -> list[Dimension]:
    """Return what sets apart the values that are compared: Horror and Comedy, by category."""
    found: list[Dimension] = []
    for _, test in work.filters.value_tests():
        table, column = test.spot.table, test.spot.column
        if len(test.values) < 2 or test.negated:
            continue
        named = work.atlas.label(table) == (column,)
        label = plain(table) if named else plain(column)
        found.append(
            Dimension(
                test.spot.path,
                table,
                (column,),
                work.atlas.identity(table) if named and table != work.places.root else (),
                label=label.replace(" ", "_"),
                words=label,
            )
        )
    return found


def _is_root_itself(work: Work, group: GroupBy) -> bool:
    """Whether "per payment" only says what an average of payments is of."""
    averages = all(one.agg == "avg" for one in work.draft.asked) and bool(work.draft.asked)
    noun = group.noun
    return (
        averages
        and noun is not None
        and noun.best.kind == "table"
        and noun.best.table == work.places.root
    )


def _person(work: Work) -> str:
    people = [
        t for t in work.atlas.tables if len(work.atlas.label(t)) == 2 and not work.atlas.is_view(t)
    ]
    people = [t for t in people if work.atlas.distance(work.places.root, t) < float("inf")]
    if not people:
        raise Unclear("I cannot tell which people you mean by “who”.")
    nearest = sorted(people, key=lambda t: work.atlas.distance(work.places.root, t))
    return choose_person(nearest, work.places)


def _entity(work: Work, table: str) -> Dimension:
    path = work.places.path(table)
    if path is None:
        raise Unclear(f"I see no way from {plain(work.places.root)} to {plain(table)}.")
    identity = work.atlas.identity(table)
    columns = work.atlas.label(table) or identity
    if not columns:
        raise Unclear(f"I do not know how to tell the rows of {plain(table)} apart.")
    return Dimension(
        path, table, columns, identity, label=plain(table).replace(" ", "_"), words=plain(table)
    )


def _noun_dimension(work: Work, group: GroupBy) -> Dimension:
    assert group.noun is not None
    noun = group.noun
    if noun.best.kind == "role":
        return _role_dimension(work, noun)
    table = work.places.table_of(noun) if noun.has("table", 0.55) else None
    column = work.places.column(noun, None) if noun.has("column", 0.4) else None
    if table is not None and noun.best.kind != "column" and work.places.path(table) is not None:
        return _entity(work, table)
    if column is not None:
        flag = work.filters.preferred_flag(noun, column[0])
        return _column_dimension(work, column[0], flag or column[1])
    if table is not None:
        return _entity(work, table)
    raise Unclear(f"I cannot group by “{noun.text}”.")


def _role_dimension(work: Work, noun: Noun) -> Dimension:
    """Group by what a key with a part of its own points at: original language, manager."""
    step = role_step(work.atlas, noun)
    path = work.places.path(step.source)
    if path is None:
        raise Unclear(f"I cannot group by “{noun.text}”.")
    columns = work.atlas.label(step.target) or step.key.target_columns
    words = noun.text.lower()
    return Dimension(
        (*path, step),
        step.target,
        columns,
        step.key.target_columns,
        label=words.replace(" ", "_"),
        words=words,
    )


def role_step(atlas: Atlas, noun: Noun) -> Step:
    """Return the join along the key that a noun's best reading names."""
    link = noun.best
    key = next(k for k in atlas.keys if k.table == link.table and k.columns == (link.column,))
    return Step(key.table, key.target, key, True)


def _column_dimension(work: Work, table: str, column: str) -> Dimension:
    path = work.places.path(table)
    if path is None:
        raise Unclear(f"I see no way from {plain(work.places.root)} to {plain(table)}.")
    if work.atlas.is_date(table, column) and "time" in work.atlas.column(table, column).type:
        return Dimension(
            path,
            table,
            (column,),
            grain="day",
            label=plain(column).replace(" ", "_"),
            words=plain(column),
        )
    if work.atlas.label(table) == (column,) and table != work.places.root:
        return _entity(work, table)
    return Dimension(
        path, table, (column,), label=plain(column).replace(" ", "_"), words=plain(column)
    )


def _shown_dimension(work: Work, noun: Noun) -> Dimension:
    if noun.best.kind == "role":
        return _role_dimension(work, noun)
    place = work.places.column(noun, None)
    if place is None:
        raise Unclear(f"I see no way from {plain(work.places.root)} to “{noun.text}”.")
    return _column_dimension(work, *place)
