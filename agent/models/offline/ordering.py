"""The order of an answer, and how much of it is shown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agent.models.offline.amounts import numbers_of, rank_choices
from agent.models.offline.asking import draft_asks
from agent.models.offline.draft import Asked, Noun, Rank
from agent.models.offline.figures import column_figure, sign_of, unit_of
from agent.models.offline.frame import Figure, Frame, Order, Spot, Unclear
from agent.models.offline.measuring import settle_figure
from agent.models.offline.money import money_sources
from agent.models.offline.number_filters import concept_column
from agent.models.offline.reading import name_words
from agent.models.offline.saying import plural
from agent.models.offline.ways import plain, reaches_down
from agent.models.offline.work import Work

_SUPERLATIVE_ROWS: Final = 10


def with_order(work: Work, frame: Frame) -> Frame:
    rank = work.draft.rank
    if rank is None:
        by_name = work.draft.order_by_label and bool(frame.figures and frame.dimensions)
        order = (Order("dimension", 0, desc=False),) if by_name else _natural_order(frame)
        return replace(frame, order=order)
    limit = rank.limit
    if limit is None and rank.superlative:
        limit = _SUPERLATIVE_ROWS if rank.plural or _plural_subject(work) else 1
    order, frame = _rank_order(work, frame)
    resort = None
    if rank.resort is not None:
        first = _order_by_noun(work, frame, rank.resort, False)[0]
        resort = first if first.kind == "dimension" else None
    partition = 0
    within = limit is not None and bool(work.draft.groups) and bool(frame.dimensions)
    if within and not frame.figures:
        partition, limit = len(frame.dimensions), rank.limit or 1
    elif within and len(frame.dimensions) > 1 and not all(d.grain for d in frame.dimensions):
        partition, limit = len(frame.dimensions) - 1, rank.limit or 1
    if not frame.dimensions and frame.figures:
        if (
            draft_asks(work.draft)
            and (work.draft.which or work.draft.show)
            and not order_settled(frame)
        ):
            raise Unclear("I cannot tell what shall be ranked. Please put it differently.")
        limit = None
    return replace(
        frame,
        order=order,
        resort=resort,
        limit=limit,
        exact=rank.limit is not None and rank.limit > 1,
        partition=partition,
        superlative=rank.superlative,
        plural=rank.plural or _plural_subject(work),
    )


def _plural_subject(work: Work) -> bool:
    subject = work.draft.subject
    if any(group.grain for group in work.draft.groups):
        return any(group.plural for group in work.draft.groups)
    if subject is not None:
        return subject.plural
    return any(group.plural for group in work.draft.groups) or any(
        noun.plural for noun in work.draft.show
    )


def _rank_order(work: Work, frame: Frame) -> tuple[tuple[Order, ...], Frame]:
    rank = work.draft.rank
    assert rank is not None
    if rank.noun is not None and not (frame.figures and not draft_asks(work.draft)):
        return _order_by_noun(work, frame, rank.noun, _direction(work, rank)), frame
    if rank.concept in ("popular", "sold") and frame.figures:
        work.places.note(f"{_POPULAR[rank.concept]} = {_said(frame.figures[0])}")
        return (Order("figure", 0, desc=rank.desc),), frame
    if rank.concept and rank.concept != "first":
        return _order_by_concept(work, frame, rank.concept, rank.desc)
    if rank.asked is not None and work.draft.asked:
        extra = settle_figure(work, rank.asked) if rank.asked != work.draft.asked[0] else None
        if extra is not None and extra.label not in [f.label for f in frame.figures]:
            frame = replace(frame, figures=(*frame.figures, extra))
            return (Order("figure", len(frame.figures) - 1, desc=rank.desc),), frame
    if frame.figures:
        return (Order("figure", 0, desc=rank.desc),), frame
    if rank.concept == "first":
        return _natural_order(frame), frame
    return _rank_by_only_number(work, frame, rank.desc)


_POPULAR: Final = {"popular": "popular", "sold": "best selling"}


def _said(figure: Figure) -> str:
    return f"number of {plural(figure.words)}" if figure.agg == "count" else figure.words


def order_settled(frame: Frame) -> bool:
    """Whether the extreme value itself is the figure, so that nothing is left to rank."""
    return all(figure.agg in ("min", "max") for figure in frame.figures)


def _direction(work: Work, rank: Rank) -> bool:
    """The first ten by date are the earliest, the first ten by amount the largest."""
    if rank.concept != "first" or rank.noun is None:
        return rank.desc
    place = work.places.column(rank.noun, work.subject)
    return place is not None and work.atlas.is_numeric(*place)


def _rank_by_only_number(work: Work, frame: Frame, desc: bool) -> tuple[tuple[Order, ...], Frame]:
    """Rank by the one number that rows have: the largest payment."""
    table = work.subject or work.places.root
    numbers = numbers_of(work.atlas, table)
    if len(numbers) == 1 and re.search(
        r"\b(?:larg|high|big|great|small|low)", work.draft.text.lower()
    ):
        columns = [c for c in work.atlas.tables[table].columns if plain(c) == numbers[0]]
        nameless = not work.atlas.label(table) and not frame.dimensions
        if nameless and not re.search(r"\bwhich\b|\btop\b|s\b\s*\??$", work.draft.text.lower()):
            figure = column_figure(Asked("max" if desc else "min"), table, columns[0], work.atlas)
            return (), replace(frame, figures=(figure,))
        spot = work.places.spot(table, columns[0])
        if spot is not None:
            return (_column_order(work, spot, desc),), frame
    raise Unclear("By which figure shall I rank?", tuple(rank_choices(work.atlas, table)))


def _order_by_noun(work: Work, frame: Frame, noun: Noun, desc: bool) -> tuple[Order, ...]:
    for index, dimension in enumerate(frame.dimensions):
        if noun.best.table == dimension.table and (
            noun.best.kind == "table" or noun.best.column in dimension.columns
        ):
            return (Order("dimension", index, desc=desc),)
    if noun.best.kind == "table":
        if frame.figures and frame.figures[0].table == noun.best.table:
            return (Order("figure", 0, desc=desc),)
        spot = _label_spot(work, noun.best.table)
    else:
        place = work.places.column(noun, work.subject)
        spot = work.places.spot(*place) if place else None
        for index, figure in enumerate(frame.figures):
            if figure.spot is not None and place == (figure.spot.table, figure.spot.column):
                return (Order("figure", index, desc=desc),)
    if spot is None or reaches_down(spot.path) or frame.dimensions:
        raise Unclear(f"I cannot order this by “{noun.text}”.")
    rank = work.draft.rank
    if rank is not None and rank.superlative and rank.limit is None and _is_plain_text(work, spot):
        raise Unclear(f"“{noun.text}” is text, which has no highest or lowest.")
    return (_column_order(work, spot, desc),)


def _column_order(work: Work, spot: Spot, desc: bool) -> Order:
    """Order by a column, with the unit that its values are said in."""
    place = (spot.table, spot.column)
    if not work.atlas.is_numeric(*place):
        return Order("column", spot=spot, desc=desc)
    unit, sign = unit_of(work.atlas, *place), sign_of(work.atlas, *place)
    return Order("column", spot=spot, desc=desc, unit=unit, currency=sign)


def _label_spot(work: Work, table: str) -> Spot | None:
    label = work.atlas.label(table) or work.atlas.identity(table)
    return work.places.spot(table, label[0]) if label else None


def _order_by_concept(
    work: Work, frame: Frame, concept: str, desc: bool
) -> tuple[tuple[Order, ...], Frame]:
    table = work.subject or work.places.root
    if concept == "date":
        for index, dimension in enumerate(frame.dimensions):
            if dimension.grain:
                return (Order("dimension", index, desc=desc),), frame
    column = _date_to_order(work, table) if concept == "date" else _concept(work, table, concept)
    if column is None:
        raise Unclear(f"I found no {concept} of {plain(table)}.")
    spot = work.places.spot(table, column)
    if spot is None:
        raise Unclear(f"I cannot order this by {plain(column)}.")
    return (_column_order(work, spot, desc),), frame


def _date_to_order(work: Work, table: str) -> str:
    columns = _said_first(work, work.atlas.date_columns(table))
    if not columns:
        years = [c for c in work.atlas.tables[table].columns if name_words(c)[-1:] == ("year",)]
        columns = tuple(years)
    if not columns:
        raise Unclear(f"I found no date of {plain(table)} to order by.")
    if len(columns) > 1:
        work.places.note(f"by {plain(columns[0])}")
    return columns[0]


def _concept(work: Work, table: str, concept: str) -> str | None:
    """Return the column an adjective is about; what an invoice costs is its total."""
    column = concept_column(work.atlas, table, concept, work.places.said)
    if column is None and concept == "price":
        sums = (money for money in money_sources(work.atlas) if money.table == table)
        column = next((money.columns[0] for money in sums), None)
    if column is not None and plain(column) != concept:
        work.places.note(f"by {plain(column)}")
    return column


def _said_first(work: Work, columns: Sequence[str]) -> tuple[str, ...]:
    """Put the date first whose words were said: hired most recently is about the hire date."""
    said = work.places.said
    return tuple(sorted(columns, key=lambda c: not (set(name_words(c)) - {"date"}) & said))


def _natural_order(frame: Frame) -> tuple[Order, ...]:
    if frame.figures and frame.dimensions:
        timed = [n for n, d in enumerate(frame.dimensions) if d.grain or d.words == "year"]
        if timed:
            rest = [n for n in range(len(frame.dimensions)) if n not in timed]
            return tuple(Order("dimension", n, desc=False) for n in (*timed, *rest))
        return (Order("figure", 0, desc=True),)
    return ()


def _is_plain_text(work: Work, spot: Spot) -> bool:
    """Whether a column holds words without an order of their own; enums have one."""
    column = work.atlas.column(spot.table, spot.column)
    return bool(column.type) and work.atlas.is_text(spot.table, spot.column) and not column.labels
