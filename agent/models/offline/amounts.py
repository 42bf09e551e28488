"""Which columns hold numbers that may be added up, and what may be ranked by."""

from __future__ import annotations

from agent.models.offline.atlas import Atlas
from agent.models.offline.money import money_sources
from agent.models.offline.reading import name_words
from agent.models.offline.ways import plain
from agent.models.offline.work import Work


def is_amount(atlas: Atlas, table: str, column: str) -> bool:
    """Whether a column holds numbers of things, which may be added up."""
    words = set(name_words(column))
    return (
        atlas.is_numeric(table, column)
        and not atlas.is_key(table, column)
        and not words
        & {
            "year",
            "month",
            "day",
            "code",
            "number",
            "rank",
            "level",
            "score",
            "rate",
            "price",
            "cost",
            "age",
        }
    )


def has_money(atlas: Atlas, table: str) -> bool:
    return any(source.table == table for source in money_sources(atlas))


def numbers_of(atlas: Atlas, table: str) -> tuple[str, ...]:
    names = [
        c
        for c in atlas.tables[table].columns
        if atlas.is_numeric(table, c) and not atlas.is_key(table, c)
    ]
    return tuple(plain(name) for name in names[:5])


def rank_options(work: Work) -> tuple[str, ...]:
    table = work.subject or work.places.root
    numbers = list(numbers_of(work.atlas, table))
    downs = [
        key.table
        for key in work.atlas.keys
        if key.target == table and not work.atlas.is_link(key.table)
    ]
    return tuple(
        [f"by number of {plain(t)} rows" for t in dict.fromkeys(downs)][:3]
        + [f"by {n}" for n in numbers][:2]
    )
