"""Which columns a list shows."""

from __future__ import annotations

from dataclasses import replace

from agent.models.offline.atlas import Atlas
from agent.models.offline.dating import date_place
from agent.models.offline.dimensions import role_step
from agent.models.offline.draft import Noun
from agent.models.offline.frame import Frame, Spot, Test, Unclear
from agent.models.offline.ways import plain
from agent.models.offline.work import Work


def with_shown(work: Work, frame: Frame) -> Frame:
    if frame.figures:
        return frame
    if frame.dimensions:
        # "films by category": rows to list, each with its group.
        pass
    spots: list[Spot] = []
    listed = [_shown_place(work, noun) for noun in work.draft.show if noun.best.kind != "role"]
    if work.draft.when:
        listed.append(date_place(work))
    whole_list = (
        not work.draft.subject
        and len(listed) == 1
        and listed[0][0] == frame.root
        and not work.draft.mentions
        and all(noun.best.score <= 1.0 for noun in work.draft.show)
    )
    for noun in work.draft.show:
        if noun.best.kind == "role":
            step = role_step(work.atlas, noun)
            way = work.places.path(step.source)
            if way is None:
                raise Unclear(f"I see no way from {plain(frame.root)} to “{noun.text}”.")
            name = "+".join(work.atlas.label(step.target)) or step.key.target_columns[0]
            said = noun.text.lower().replace(" ", "_")
            far = (*way, step)
            spots += [
                Spot(far, step.target, name, said),
                Spot(far, step.target, step.key.target_columns[0], f"{said}_id"),
            ]
    for table, column in listed:
        spot = work.places.spot(table, column)
        if spot is None:
            raise Unclear(f"I see no way from {plain(frame.root)} to {plain(table)}.")
        spots.append(spot)
    if whole_list and not work.draft.rank and column_repeats(work.atlas, *listed[0]):
        known = Test(spots[0], "null", (), True)
        return replace(frame, shown=tuple(spots), distinct=True, tests=(*frame.tests, known))
    return replace(frame, shown=tuple(spots))


def _shown_place(work: Work, noun: Noun) -> tuple[str, str]:
    place = work.places.column(noun, work.subject)
    if place is None:
        raise Unclear(f"I see no way from {plain(work.places.root)} to “{noun.text}”.")
    return place


def column_repeats(atlas: Atlas, table: str, column: str) -> bool:
    """Whether a column's values repeat, so that a list of them is a list of kinds."""
    return column not in atlas.label(table) and column not in atlas.identity(table)
