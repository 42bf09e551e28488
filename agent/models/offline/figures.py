"""From "average length" and "how many rentals" to the column and aggregate that is meant."""

from __future__ import annotations

from agent.models.offline.atlas import Atlas
from agent.models.offline.draft import Asked, Noun
from agent.models.offline.frame import Figure, Spot
from agent.models.offline.money import AGG_WORDS
from agent.models.offline.places import Places
from agent.models.offline.reading import name_words
from agent.models.offline.thesaurus import PRICE_WORDS
from agent.models.offline.units import currency, time_unit
from agent.models.offline.ways import plain, reaches_down


def count_figure(table: str, asked: Asked) -> Figure:
    """Return the figure that counts rows of a table."""
    words = plain(table)
    return Figure(
        "count", table, label=f"{words.replace(' ', '_')}_count", words=words, outer=asked.outer
    )


def column_figure(asked: Asked, table: str, column: str, atlas: Atlas) -> Figure:
    """Return an aggregate of a column, or how many different values it has."""
    words = plain(column)
    spot = Spot((), table, column)
    if asked.agg in ("count", ""):
        return Figure(
            "count",
            table,
            spot,
            True,
            label=f"{plain(column).replace(' ', '_')}_count",
            words=words,
            outer=asked.outer,
        )
    name = AGG_WORDS.get(asked.agg, asked.agg)
    if atlas.is_date(table, column):
        name = {"min": "earliest", "max": "latest"}.get(asked.agg, name)
    # The sum of a column called total is the total, not the total total.
    said = words if words.split()[0] == name else f"{name} {words}"
    label = said.replace(" ", "_")
    money = is_money(atlas, table, column)
    return Figure(
        asked.agg,
        table,
        spot,
        label=label,
        words=said,
        money=money,
        unit=unit_of(atlas, table, column),
        currency=sign_of(atlas, table, column),
        outer=asked.outer,
    )


def is_money(atlas: Atlas, table: str, column: str) -> bool:
    """Whether a column holds money, by its name or comment."""
    words = set(name_words(column))
    return bool(
        words & (PRICE_WORDS | {"total", "revenu", "sale", "salari", "freight", "budget"})
    ) or bool(currency(atlas.column(table, column)))


def unit_of(atlas: Atlas, table: str, column: str) -> str:
    """Return the unit of time that a column counts in, as its name or comment says; else ""."""
    return time_unit(atlas.column(table, column), plain(column))


def sign_of(atlas: Atlas, table: str, column: str) -> str:
    """Return the sign of the currency that a column's money is in; "" where it is not told."""
    return currency(atlas.column(table, column))


def measured_noun(noun: Noun, places: Places, near: str | None = None) -> tuple[str, str] | None:
    """Return the numeric column that a noun names."""
    return places.column(noun, near, numeric=True)


def crosses_many(figure: Figure) -> bool:
    """Whether the figure's column lies across a join to many rows."""
    return figure.spot is not None and reaches_down(figure.spot.path)
