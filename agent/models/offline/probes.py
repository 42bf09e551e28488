"""One query that looks for words in many columns at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from agent.models.offline.atlas import Atlas
from agent.models.offline.columns import CHECK
from agent.models.offline.draft import Draft
from agent.models.offline.reading import listed, name_words
from agent.models.offline.tool_texts import Ran

MAX_PLACES: Final = 24
"""Columns that one probe looks into."""

MAX_ROWS: Final = 300_000
"""A table of more rows is not searched for a word."""

SMALL: Final = 60
"""A column of a table with no more rows is read whole, so that a misspelt value is found."""

LATEST: Final = "SELECT 'latest' AS probe,"
"""How a query begins that looks for the newest date of a table."""

NEAR: Final = "SELECT DISTINCT place, value FROM ("
"""How a query begins that looks for values that are spelt nearly so."""

_DULL: Final = frozenset(
    {
        "password",
        "picture",
        "photo",
        "url",
        "fulltext",
        "hash",
        "token",
        "descript",
        "note",
        "comment",
        "fax",
        "phone",
        "email",
        "username",
        "tracklist",
        "actor",
        "titl_of_courtesi",
    }
)


@dataclass(frozen=True)
class Place:
    """A column, or a pair of name columns, that a probe looks into."""

    table: str
    columns: tuple[str, ...]
    small: bool
    array: bool = False

    @property
    def key(self) -> str:
        return f"{self.table}.{'+'.join(self.columns)}"


def candidates(phrases: Iterable[str]) -> tuple[str, ...]:
    """Return the phrases, and the shorter runs of words in them, in lower case, longest first."""
    runs: dict[str, None] = {}
    for phrase in phrases:
        words = phrase.replace("’", "'").split()
        for width in range(len(words), 0, -1):
            for start in range(len(words) - width + 1):
                run = " ".join(words[start : start + width]).lower().strip(" .,?!")
                for form in spellings(run):
                    runs.setdefault(form)
    return tuple(sorted(runs, key=lambda run: -len(run)))[:40]


def spellings(run: str) -> tuple[str, ...]:
    """Return how a value may be written: as said, singular or plural, with a full stop."""
    if run.split()[-1:] and run.split()[-1] in _SHORTENED:
        return run, f"{run}."
    if run.endswith("ies") and len(run) > 4:
        return run, run[:-3] + "y", run[:-1]
    if run.endswith("s") and not run.endswith("ss") and len(run) > 3:
        return run, run[:-1]
    return run, f"{run}s"


_SHORTENED: Final = frozenset(listed("inc ltd co corp llc jr sr st bros ave"))
"""Words that end in a full stop where they are written with care."""


def places(draft: Draft, atlas: Atlas, near: Sequence[str]) -> tuple[Place, ...]:
    """Return where to look for the draft's values, the likeliest columns first."""
    hinted = {
        link.table for v in draft.values if v.hint for link in v.hint.links if link.score > 0.6
    }
    ranked: list[tuple[float, int, Place]] = []
    for table, known in atlas.tables.items():
        # A view repeats the values of its tables, and matters only where it is asked about.
        repeats = atlas.is_view(table) and table not in near
        if repeats or (known.rows or 0) > MAX_ROWS:
            continue
        distance = min((atlas.distance(start, table) for start in near), default=0.0)
        if distance == float("inf") and near:
            continue
        small = known.rows is not None and 0 < known.rows <= SMALL
        for order, columns in enumerate(_text_columns(table, atlas)[:8]):
            weight = (
                distance + 4 * order - (40 if table in hinted else 0) - (30 if order == 0 else 0)
            )
            array = atlas.column(table, columns[0]).type.endswith("[]")
            whole = small and order == 0 and not array
            ranked.append((weight, len(ranked), Place(table, columns, whole, array)))
    return tuple(place for _, _, place in sorted(ranked, key=lambda r: r[:2])[:MAX_PLACES])


def _text_columns(table: str, atlas: Atlas) -> list[tuple[str, ...]]:
    label = atlas.label(table)
    found: list[tuple[str, ...]] = [label] if label else []
    for name in atlas.tables[table].columns:
        words = name_words(name)
        kind = atlas.column(table, name).type
        listed = kind in ("text[]", "character varying[]")
        if name in label or atlas.is_key(table, name):
            continue
        if not listed and not atlas.is_text(table, name):
            continue
        column = atlas.column(table, name)
        if set(words) & _DULL or column.labels or not _textual(words, column.type):
            continue
        found.append((name,))
    first = len(found[:1]) if label else 0
    # What people filter by comes before what they read.
    return found[:first] + sorted(found[first:], key=lambda c: not set(name_words(c[0])) & _WORDY)


_WORDY: Final = frozenset(
    listed(
        "name titl type categori status countri citi state region languag genr code rate "
        "district provinc gender depart colour color "
        "compani kind group brand model make position role level class segment channel "
        "method mode franchis author publish food cuisin "
        "area street school major surnam contact job label sector industri currenc symbol "
        "exchang unit feature"
    )
)


def _textual(words: tuple[str, ...], kind: str) -> bool:
    return (
        bool(kind)
        or bool(set(words) & _WORDY)
        or any(w.endswith("nam") or w.endswith("name") for w in words)
    )


def probe_sql(wanted: Sequence[str], where: Sequence[Place]) -> str:
    """Return one query that looks for the `wanted` texts in all places at once."""
    listed = ", ".join(quote(text) for text in wanted)
    arms = [_arm(place, listed) for place in where]
    small = [_whole(place) for place in where if place.small]
    return "\nUNION ALL\n".join(arms + small)


def _arm(place: Place, listed: str) -> str:
    if len(place.columns) == 2:
        first, last = place.columns
        full = f"{first} || ' ' || {last}"
        tests = (
            f"lower({full}) IN ({listed}) OR lower({first}) IN ({listed}) OR "
            f"lower({last}) IN ({listed})"
        )
        return (
            f"(SELECT DISTINCT {quote(place.key)} AS place, {full} AS value FROM "
            f"{place.table} WHERE {tests} LIMIT 8)"
        )
    column = place.columns[0]
    if place.array:
        return (
            f"(SELECT DISTINCT {quote(place.key)} AS place, item AS value FROM {place.table}, "
            f"unnest({column}) AS item WHERE lower(item) IN ({listed}) LIMIT 8)"
        )
    return (
        f"(SELECT DISTINCT {quote(place.key)} AS place, {column}::text AS value FROM {place.table} "
        f"WHERE lower({column}::text) IN ({listed}) LIMIT 8)"
    )


def _whole(place: Place) -> str:
    text = (
        " || ' ' || ".join(place.columns)
        if len(place.columns) == 2
        else f"{place.columns[0]}::text"
    )
    return (
        f"(SELECT DISTINCT {quote(place.key)} AS place, {text} AS value FROM "
        f"{place.table} LIMIT {SMALL})"
    )


def quote(text: str) -> str:
    """Return `text` as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def is_probe(ran: Ran) -> bool:
    """Whether a query was a probe of ours."""
    return ran.sql.startswith(("(SELECT DISTINCT '", NEAR, CHECK, LATEST))
