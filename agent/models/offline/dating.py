"""Which date a period or a series is about."""

from __future__ import annotations

from collections.abc import Sequence

from agent.models.offline.draft import Draft
from agent.models.offline.frame import Dimension, SchemaNeeded, Unclear
from agent.models.offline.reading import name_words
from agent.models.offline.ways import plain, reaches_down
from agent.models.offline.work import Work


def auto_grain(draft: Draft) -> str:
    unit = next((p.unit for p in draft.periods if p.unit), "")
    return {"month": "day", "week": "day", "quarter": "week"}.get(unit, "month")


def time_dimension(work: Work, grain: str) -> Dimension:
    table, column = date_place(work)
    spot = work.places.spot(table, column)
    if spot is None:
        raise Unclear(f"I see no date for {plain(work.places.root)}.")
    words = {"monthofyear": "month of the year"}.get(grain, grain)
    if not work.atlas.is_date(table, column):
        if grain != "year":
            raise Unclear(
                f"{plain(column).capitalize()} holds years only, so I cannot group by {words}."
            )
        return Dimension(spot.path, table, (column,), label="year", words="year")
    return Dimension(
        spot.path, table, (column,), grain=grain, label=words.replace(" ", "_"), words=words
    )


def date_place(work: Work) -> tuple[str, str]:
    """Return the table and column that a period is about.

    The words that stand before it decide, else the root's own date, else the nearest one that each
    row of the root has one of.
    """
    named = named_date(work)
    if named is not None:
        return named
    draft, atlas, places = work.draft, work.atlas, work.places
    events = [n.best.table for n in draft.mentions if n.best.table in atlas.tables]
    near = list(dict.fromkeys([places.root, *events, *places.mentioned]))
    others = sorted(
        (t for t in atlas.tables if _is_above(work, t)),
        key=lambda t: (atlas.distance(places.root, t), t),
    )
    for table in (*near, *others):
        columns = atlas.date_columns(table)
        if columns and places.path_exists(table):
            return _date_column(work, table, columns)
    for table in (*near, *others):
        years = [c for c in atlas.tables[table].columns if name_words(c)[-1:] == ("year",)]
        if years and places.path_exists(table):
            return table, years[0]
    unread = [
        s.target for s, _ in atlas.steps(places.root) if s.up and not atlas.tables[s.target].columns
    ]
    if unread:
        raise SchemaNeeded(tuple(unread))
    raise Unclear(
        f"I found no date for {plain(places.root)}, so I cannot tell when things happened."
    )


def named_date(work: Work) -> tuple[str, str] | None:
    """Return the table and column of the date that the words of the question name, if any."""
    draft, places = work.draft, work.places
    if draft.period_near is not None:
        found = places.column(draft.period_near, None, dated=True)
        if found is not None:
            return found
    for noun in (*draft.mentions, *(a.noun for a in draft.asked if a.noun), *draft.show):
        if noun.verb or "date" in noun.text.lower():
            found = places.column(noun, None, dated=True)
            if found is not None:
                return found
    return None


def _is_above(work: Work, table: str) -> bool:
    """Whether each row of the root has one row of `table`, so that its date is the root's too."""
    if work.atlas.is_view(table) or len(work.atlas.label(table)) > 1:
        # A person's dates, such as a birth, are that person's own.
        return False
    ways = work.atlas.paths(work.places.root, table, work.places.mentioned)
    return bool(ways) and not reaches_down(ways[0])


def _date_column(work: Work, table: str, columns: Sequence[str]) -> tuple[str, str]:
    column = columns[0]
    if len(columns) > 1 or table != work.places.root:
        work.places.note(f"dates are those of {plain(table)}.{column}")
    return table, column
