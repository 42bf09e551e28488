"""Figures with every name settled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.models.offline.amounts import has_money, numbers_of
from agent.models.offline.draft import Asked, Noun
from agent.models.offline.figures import column_figure, count_figure
from agent.models.offline.frame import Figure, Spot, Unclear
from agent.models.offline.money import money_figure
from agent.models.offline.number_filters import concept_column
from agent.models.offline.rooting import needed_tables
from agent.models.offline.ways import plain, reaches_down
from agent.models.offline.work import Work


def distinct_labels(figures: Sequence[Figure]) -> tuple[Figure, ...]:
    """Drop figures that were said twice, and number labels that two different ones share."""
    found: dict[str, Figure] = {}
    for figure in figures:
        known = found.get(figure.label)
        if known is None or replace(known, words="") == replace(figure, words=""):
            found.setdefault(figure.label, figure)
        else:
            label = f"{figure.label}_{len(found) + 1}"
            found[label] = replace(figure, label=label)
    return tuple(found.values())


def settle_figure(work: Work, asked: Asked) -> Figure:
    """Return the figure that is asked for. Raises `Unclear` where its column is not clear."""
    atlas, noun = work.atlas, asked.noun
    if noun is None:
        if asked.agg not in ("count", ""):
            raise Unclear(f"What shall I take the {asked.agg} of?")
        return count_figure(work.places.root, asked)
    if noun.best.kind == "money":
        if asked.agg == "count":
            raise Unclear(f"“{noun.text}” is a sum, not something to count. What shall I count?")
        if asked.agg in ("min", "max") and not asked.outer:
            raise Unclear(
                f"The {asked.agg}imum of “{noun.text}” per what? Per month, or per customer?"
            )
        return money_figure(asked, work.places, needed_tables(work.draft, atlas), atlas)
    if asked.concept:
        column = _concept(work, noun.best.table, asked.concept)
        if column is None:
            raise Unclear(f"I found no {asked.concept} of {plain(noun.best.table)}.")
        return column_figure(asked, noun.best.table, column, atlas)
    if noun.best.kind in ("table", "event"):
        return _table_figure(work, asked, noun.best.table)
    return _named_column(work, asked, noun)


def _concept(work: Work, table: str, concept: str) -> str | None:
    if concept == "date":
        return next(iter(work.atlas.date_columns(table)), None)
    return concept_column(work.atlas, table, concept, work.places.said)


def _named_column(work: Work, asked: Asked, noun: Noun) -> Figure:
    place = work.places.column(noun, None, numeric=asked.agg not in ("count", "", "min", "max"))
    if place is None:
        raise Unclear(f"I found no number that “{noun.text}” could be.")
    known = work.atlas.column(*place)
    if (
        asked.agg in ("min", "max")
        and known.type
        and work.atlas.is_text(*place)
        and not known.labels
    ):
        raise Unclear(f"“{noun.text}” is text, which has no highest or lowest.")
    figure = column_figure(asked, *place, work.atlas)
    if place[0] == work.places.root:
        return figure
    path = work.places.path(place[0])
    if path is None or reaches_down(path):
        raise Unclear(f"“{noun.text}” does not fit with the rest of the question.")
    return replace(figure, spot=Spot(path, *place))


def _table_figure(work: Work, asked: Asked, table: str) -> Figure:
    if asked.agg in ("count", "") or (asked.agg == "sum" and not has_money(work.atlas, table)):
        if table != work.places.root:
            path = work.places.path(table)
            if path is None:
                raise Unclear(f"I see no way from {plain(work.places.root)} to {plain(table)}.")
            identity = work.atlas.identity(table)
            if len(identity) != 1:
                raise Unclear(
                    f"I cannot count {plain(table)} together with {plain(work.places.root)}."
                )
            return Figure(
                "count",
                table,
                Spot(path, table, identity[0]),
                True,
                label=f"{plain(table).replace(' ', '_')}_count",
                words=plain(table),
            )
        return count_figure(table, asked)
    if has_money(work.atlas, table):
        return money_figure(asked, work.places, needed_tables(work.draft, work.atlas), work.atlas)
    raise Unclear(
        f"Which figure of {plain(table)} shall I take the {asked.agg} of?",
        numbers_of(work.atlas, table),
    )
