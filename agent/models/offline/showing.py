"""Which columns a list shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.models.offline.atlas import Atlas
from agent.models.offline.dating import date_place
from agent.models.offline.dimensions import role_step
from agent.models.offline.draft import Noun
from agent.models.offline.frame import Frame, Spot, Test, Unclear
from agent.models.offline.mentioning import is_said_of_rows
from agent.models.offline.ways import plain, reaches_down
from agent.models.offline.work import Work


def with_shown(work: Work, frame: Frame) -> Frame:
    """Return the frame with the columns that a list shows beside its rows' own names.

    Raises `Unclear` for what cannot stand beside one row.
    """
    if frame.figures:
        return frame
    listed = [noun for noun in work.draft.show if not is_said_of_rows(work, noun)]
    spots = [spot for noun in listed for spot in _spots_of(work, noun)]
    if work.draft.when:
        spots.append(_column_spot(work, *date_place(work)))
    if _lists_kinds(work, frame, spots):
        known = Test(spots[0], "null", (), True)
        return replace(frame, shown=tuple(spots), distinct=True, tests=(*frame.tests, known))
    return replace(frame, shown=tuple(spots))


def _lists_kinds(work: Work, frame: Frame, spots: Sequence[Spot]) -> bool:
    """Whether one column's different values are asked for: which ratings are there."""
    draft = work.draft
    if draft.subject or draft.rank or draft.mentions or len(spots) != 1:
        return False
    spot = spots[0]
    own = not spot.path and spot.table == frame.root
    named = all(noun.best.kind == "column" and noun.best.score <= 1.0 for noun in draft.show)
    return own and named and column_repeats(work.atlas, spot.table, spot.column)


def _spots_of(work: Work, noun: Noun) -> list[Spot]:
    if noun.best.kind == "role":
        return _role_spots(work, noun)
    if noun.best.kind == "table":
        return [_name_spot(work, noun)]
    return [_column_spot(work, *_shown_place(work, noun))]


def _column_spot(work: Work, table: str, column: str) -> Spot:
    spot = work.places.spot(table, column)
    if spot is None:
        raise Unclear(f"I see no way from {plain(work.places.root)} to {plain(table)}.")
    return spot


def _role_spots(work: Work, noun: Noun) -> list[Spot]:
    """Return name and number of what a key with a part of its own points at: the manager."""
    step = role_step(work.atlas, noun)
    way = work.places.path(step.source)
    if way is None:
        raise Unclear(f"I see no way from {plain(work.places.root)} to “{noun.text}”.")
    identity = step.key.target_columns[0]
    name = "+".join(work.atlas.label(step.target)) or identity
    said = noun.text.lower().replace(" ", "_")
    far = (*way, step)
    return [Spot(far, step.target, name, said), Spot(far, step.target, identity, f"{said}_id")]


def _name_spot(work: Work, noun: Noun) -> Spot:
    """Return the name of the one row of another table that belongs to each row: its city."""
    table = noun.best.table
    path = work.places.path(table)
    if path is None or reaches_down(path):
        raise Unclear(f"One row may have many {plain(table)}, so I cannot list them beside it.")
    names = work.atlas.label(table) or work.atlas.identity(table)
    return Spot(path, table, "+".join(names[:2]), plain(table).replace(" ", "_"))


def _shown_place(work: Work, noun: Noun) -> tuple[str, str]:
    place = work.places.column(noun, work.subject)
    if place is None:
        raise Unclear(f"I see no way from {plain(work.places.root)} to “{noun.text}”.")
    return place


def column_repeats(atlas: Atlas, table: str, column: str) -> bool:
    """Whether a column's values repeat, so that a list of them is a list of kinds."""
    return column not in atlas.label(table) and column not in atlas.identity(table)
