"""Which table a question is about: the one whose rows are counted, added up or listed."""

from __future__ import annotations

from collections.abc import Sequence

from agent.models.offline.amounts import has_money
from agent.models.offline.atlas import Atlas
from agent.models.offline.draft import Asked, Draft, Noun
from agent.models.offline.frame import Unclear
from agent.models.offline.money import money_figure
from agent.models.offline.places import Places


def find_subject(draft: Draft, atlas: Atlas) -> str | None:
    """Return the table that the subject of a draft names."""
    if draft.subject is not None:
        tables = [link.table for link in draft.subject.links if link.kind in ("table", "event")]
        if tables:
            return tables[0]
    return None


def needed_tables(draft: Draft, atlas: Atlas) -> list[str]:
    """Return the tables that a figure must be split or filtered by."""
    nouns = [group.noun for group in draft.groups if group.noun] + [draft.subject] * bool(
        draft.subject
    )
    tables = [noun.best.table for noun in nouns if noun is not None and noun.best.table]
    tables += [n.best.table for n in draft.mentions if n.best.kind == "table" and not n.verb]
    for cond in draft.values:
        for noun in (cond.hint, cond.near):
            if noun is not None and noun.best.kind == "table":
                tables.append(noun.best.table)
    return list(dict.fromkeys(t for t in tables if t in atlas.tables))


def find_root(
    draft: Draft,
    atlas: Atlas,
    asked: Sequence[Asked],
    subject: str | None,
    named: frozenset[str] = frozenset(),
) -> str:
    """Return the table whose rows are counted, added up or listed; `named` hold a row called so.

    Raises `Unclear` where the question does not say.
    """
    for one in asked:
        table = _figure_table(draft, atlas, one, subject)
        if table is not None:
            return table
    if subject is not None:
        return subject
    for noun in draft.show:
        if noun.best.kind == "role":
            return noun.best.table
    for noun in (*draft.show, *(g.noun for g in draft.groups if g.noun)):
        columns = [link for link in noun.links if link.kind == "column"]
        tables = {
            link.table for noun2 in draft.mentions for link in noun2.links if link.kind == "table"
        }
        near = [link for link in columns if link.table in tables]
        near = near or [link for link in columns if link.table in named]
        if near or columns:
            return (near or columns)[0].table
    for noun in draft.mentions:
        if noun.best.table in atlas.tables:
            return noun.best.table
    raise Unclear("I could not tell what you are asking for. What shall I count, add up or list?")


def _figure_table(draft: Draft, atlas: Atlas, asked: Asked, subject: str | None) -> str | None:
    noun = asked.noun
    if noun is None:
        events = [
            n.best.table
            for n in draft.mentions
            if n.verb and n.best.table in atlas.tables and n.best.table != subject
        ]
        shown = [n.best.table for n in draft.show if n.best.table]
        others = [
            n.best.table
            for n in draft.mentions
            if n.best.kind == "table" and n.best.table in atlas.tables and n.best.table != subject
        ]
        events = events or (others if draft.rank is not None and draft.rank.asked == asked else [])
        return (events + shown + [subject])[0] if events or shown or subject else None
    if noun.best.kind == "money" or (noun.best.kind == "table" and asked.agg not in ("count", "")):
        if noun.best.kind == "table" and not has_money(atlas, noun.best.table):
            return noun.best.table
        places = Places(atlas, draft, next(iter(atlas.tables)), ())
        return money_figure(asked, places, needed_tables(draft, atlas), atlas).table
    if noun.best.kind in ("table", "event"):
        return noun.best.table
    mentioned = _mention_tables(draft, subject)
    return _column_table(noun, mentioned, atlas)


def _mention_tables(draft: Draft, subject: str | None) -> list[str]:
    tables = [subject] if subject else []
    tables += [n.best.table for n in draft.mentions if n.best.table]
    tables += [c.near.best.table for c in draft.compares if c.near and c.near.best.table]
    return tables


def _column_table(noun: Noun, mentioned: Sequence[str], atlas: Atlas) -> str | None:
    columns = [link for link in noun.links if link.kind == "column"]
    if not columns:
        return None
    scored = sorted(
        columns,
        key=lambda link: (
            -(link.score + 0.3 * (link.table in mentioned)),
            atlas.is_view(link.table),
        ),
    )
    best = scored[0]
    rivals = [
        link
        for link in scored[1:]
        if link.score + 0.3 * (link.table in mentioned)
        >= best.score + 0.3 * (best.table in mentioned) - 0.01
    ]
    near = [
        link
        for link in (best, *rivals)
        if any(atlas.distance(link.table, t) == 0 for t in mentioned)
    ]
    if near:
        return near[0].table
    if rivals and mentioned:
        return min(
            (best, *rivals), key=lambda link: min(atlas.distance(t, link.table) for t in mentioned)
        ).table
    return best.table


def tables_mentioned(draft: Draft, atlas: Atlas, root: str) -> list[str]:
    """Return the root and all tables that the nouns of a draft name."""
    nouns: list[Noun] = [n for n in (draft.subject,) if n is not None]
    nouns += [*draft.mentions, *(g.noun for g in draft.groups if g.noun)]
    nouns += [m.noun for m in draft.missing] + [r.noun for r in draft.row_numbers]
    nouns += [v.near for v in draft.values if v.near] + [v.hint for v in draft.values if v.hint]
    nouns += [a.noun for a in draft.asked if a.noun]
    tables = [n.best.table for n in nouns if n.best.kind in ("table", "event")]
    return [root, *(t for t in tables if t in atlas.tables)]
