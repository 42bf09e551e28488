"""Which columns hold numbers that may be added up, and what may be ranked by."""

from __future__ import annotations

from typing import Final

from agent.models.offline.atlas import Atlas
from agent.models.offline.draft import Asked, Noun
from agent.models.offline.link import Link
from agent.models.offline.money import money_sources
from agent.models.offline.reading import listed, name_words, stems
from agent.models.offline.saying import plural
from agent.models.offline.ways import plain, reaches_down

_MOST_CHOICES: Final = 5
_SURE_MONEY: Final = 0.5

_NO_AMOUNT: Final = frozenset(
    listed("year month day code number rank level score rate price cost age")
)
"""Words of columns whose numbers mean nothing when added up."""


_FLAGS: Final = stems("active enabled deleted discontinued cancelled flag is has")
"""Words of columns whose numbers stand for yes and no."""


def is_amount(atlas: Atlas, table: str, column: str) -> bool:
    """Whether a column holds numbers of things, which may be added up."""
    counted = atlas.is_numeric(table, column) and not atlas.is_key(table, column)
    return counted and not set(name_words(column)) & (_NO_AMOUNT | _FLAGS)


def has_money(atlas: Atlas, table: str) -> bool:
    return any(source.table == table for source in money_sources(atlas))


def numbers_of(atlas: Atlas, table: str) -> tuple[str, ...]:
    names = [
        c
        for c in atlas.tables[table].columns
        if atlas.is_numeric(table, c) and not atlas.is_key(table, c)
    ]
    return tuple(plain(name) for name in names[:5])


def _brings_money(atlas: Atlas, table: str) -> bool:
    """Whether money is recorded for each row of a table, in another table."""
    for source in money_sources(atlas):
        ways = atlas.paths(table, source.table) if source.table != table else []
        if source.score > _SURE_MONEY and ways and reaches_down(ways[0]):
            return True
    return False


def rank_choices(atlas: Atlas, table: str) -> dict[str, Asked | Noun]:
    """Return what the rows of a table may be ranked by, by the words that offer it."""
    found: dict[str, Asked | Noun] = {}
    below = [k.table for k in atlas.keys if k.target == table and not atlas.is_link(k.table)]
    for counted in list(dict.fromkeys(below))[:3]:
        noun = Noun(plain(counted), (Link("table", counted),))
        found[f"by number of {plural(plain(counted))}"] = Asked("count", noun)
    for column in atlas.tables[table].columns:
        flag = set(name_words(column)) & {"activ", "flag", "is", "has"}
        if is_amount(atlas, table, column) and not flag and len(found) < _MOST_CHOICES:
            noun = Noun(plain(column), (Link("column", table, column),))
            found[f"by {plain(column)}"] = noun
    if len(found) < _MOST_CHOICES and _brings_money(atlas, table):
        found["by revenue"] = Asked("sum", Noun("revenue", (Link("money", score=0.95),)))
    return found
