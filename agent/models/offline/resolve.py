"""A draft and what is known become a frame: every name settled, or a question back."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from agent.models.offline.atlas import Atlas, Step
from agent.models.offline.draft import Asked, Compare, Draft, GroupBy, Missing, Noun, Rank
from agent.models.offline.figures import (
    column_figure,
    count_figure,
    money_figure,
    money_sources,
)
from agent.models.offline.filters import Filters, concept_column
from agent.models.offline.frame import (
    Dimension,
    Figure,
    Frame,
    GroupTest,
    Order,
    Presence,
    SchemaNeeded,
    Spot,
    Test,
    Unclear,
)
from agent.models.offline.link import Link
from agent.models.offline.places import Places, plain, reaches_down
from agent.models.offline.reading import name_words
from agent.models.offline.thesaurus import alike
from agent.models.offline.values import Values

_SUPERLATIVE_ROWS: Final = 10
_BUYER: Final = frozenset(w for word in ("custom", "member", "user") for w in alike(word))
_SELLER_VERBS: Final = frozenset("sell sold process handl serv earn made manag".split())


@dataclass
class _Work:
    """What is settled so far of one draft."""

    draft: Draft
    atlas: Atlas
    values: Values
    subject: str | None
    places: Places
    filters: Filters


def resolve(draft: Draft, atlas: Atlas, values: Values) -> Frame:
    """Return the frame of a draft. Raises `Unclear` for what cannot be read without a guess."""
    draft = _with_columns_ranked(draft, atlas)
    subject = _subject(draft, atlas)
    asked = _asked(draft, atlas, subject)
    root = _root(draft, atlas, asked, subject)
    mentioned = _mentioned(draft, atlas, root)
    places = Places(atlas, draft, root, mentioned)
    filters = Filters(draft, places, values, subject)
    work = _Work(draft, atlas, values, subject, places, filters)
    return _assemble(work, asked)


def _with_columns_ranked(draft: Draft, atlas: Atlas) -> Draft:
    """Read "the highest number of citations" as the highest citation_num, where rows have one."""
    rank = draft.rank
    if rank is None or rank.asked is None or rank.asked.agg != "count" or rank.asked.distinct:
        return draft
    noun = rank.asked.noun
    if (
        noun is None
        or noun.best.kind != "column"
        or noun.verb
        or noun.best.table not in atlas.tables
    ):
        return draft
    if not _is_amount(atlas, noun.best.table, noun.best.column):
        return draft
    return replace(draft, rank=replace(rank, asked=None, noun=noun))


# --- what is asked for, and of which table --------------------------------------------------


def _subject(draft: Draft, atlas: Atlas) -> str | None:
    if draft.subject is not None:
        tables = [link.table for link in draft.subject.links if link.kind in ("table", "event")]
        if tables:
            return tables[0]
    return None


def _asked(draft: Draft, atlas: Atlas, subject: str | None) -> tuple[Asked, ...]:
    rank = draft.rank
    if draft.asked:
        return tuple(_per_each(_counted_units(one, atlas), draft) for one in draft.asked)
    if rank is not None and rank.asked is not None:
        return (rank.asked,)
    if rank is not None and rank.concept in ("popular", "sold") and subject is not None:
        return (_popularity(draft, atlas, subject, rank.concept),)
    split = draft.groups or draft.over_time or draft.share
    if rank is not None and rank.noun is not None and subject is not None and split is not True:
        column = next((link for link in rank.noun.links if link.kind == "column"), None)
        ways = (
            atlas.paths(subject, column.table)
            if column is not None and column.table != subject
            else []
        )
        if ways and reaches_down(ways[0]) and _is_amount(atlas, column.table, column.column):  # type: ignore[union-attr]
            return (Asked("sum", rank.noun),)
    if (
        split
        and draft.subject is None
        and len(draft.show) == 1
        and draft.show[0].best.kind == "column"
    ):
        return (_shown_figure(draft.show[0], atlas, draft),)
    ranked_by_own = rank is not None and bool(rank.concept or rank.noun)
    if (
        draft.subject is not None
        and not draft.show
        and not ranked_by_own
        and not _LISTING.match(draft.text)
    ):
        nameless = (
            subject is not None
            and not atlas.label(subject)
            and bool(draft.periods)
            and rank is None
        )
        if split or nameless:
            return (Asked("count", draft.subject),)
    return ()


_LISTING: Final = re.compile(
    r"\s*(?:please\s+)?(?:list|show me all|show all|give me a list)\b", re.IGNORECASE
)


def _shown_figure(noun: Noun, atlas: Atlas, draft: Draft) -> Asked:
    """Read "slots per facility": the total of an amount, the count of anything that is no number."""
    link = noun.best
    if _is_amount(atlas, link.table, link.column):
        return Asked("sum", noun)
    if not atlas.is_numeric(link.table, link.column):
        return Asked("count", noun, distinct=True)
    options = (f"the average {plain(link.column)}", f"the total {plain(link.column)}")
    reply = Places(atlas, draft, link.table, ()).reply(options)
    if reply is None:
        raise Unclear(f"Which figure of {plain(link.column)} do you mean?", options)
    return Asked("avg" if reply == 0 else "sum", noun)


def _counted_units(asked: Asked, atlas: Atlas) -> Asked:
    """Add up what is an amount already: "how many units" of a column of numbers."""
    noun = asked.noun
    if (
        asked.agg != "count"
        or asked.distinct
        or noun is None
        or noun.best.kind != "column"
        or noun.verb
    ):
        return asked
    if not _is_amount(atlas, noun.best.table, noun.best.column):
        return asked
    return replace(asked, agg=asked.outer or "sum", outer="")


def _is_amount(atlas: Atlas, table: str, column: str) -> bool:
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


def _per_each(asked: Asked, draft: Draft) -> Asked:
    """Read "average revenue per customer" as the average of the customers' revenues."""
    money = asked.noun is not None and asked.noun.best.kind == "money"
    if money and asked.agg == "avg" and draft.groups and all(group.each for group in draft.groups):
        return replace(asked, agg="sum", outer="avg")
    return asked


def _popularity(draft: Draft, atlas: Atlas, subject: str, concept: str) -> Asked:
    """Return what makes rows popular: how many rows of the nearest table of events they have."""
    found: list[tuple[float, str]] = []
    for table in atlas.tables:
        ways = atlas.paths(subject, table)
        events = atlas.date_columns(table) and not atlas.is_view(table) and table != subject
        if ways and events and reaches_down(ways[0]):
            found.append((atlas.distance(subject, table), table))
    found.sort()
    nearest = [table for distance, table in found if distance - found[0][0] < 4]
    options = tuple(f"by number of {plain(table)} rows" for table in nearest)
    chosen = Places(atlas, draft, subject, ()).reply(options) if len(nearest) > 1 else 0
    if not nearest or chosen is None:
        word = "best selling" if concept == "sold" else "popular"
        raise Unclear(f"What makes {plain(subject)} “{word}”?", options)
    return Asked("count", Noun(plain(nearest[chosen]), (Link("table", nearest[chosen]),)))


def _needed(draft: Draft, atlas: Atlas) -> list[str]:
    """Return the tables that a figure must be split or filtered by."""
    nouns = [group.noun for group in draft.groups if group.noun] + [draft.subject] * bool(
        draft.subject
    )
    tables = [noun.best.table for noun in nouns if noun is not None and noun.best.table]
    for cond in draft.values:
        for noun in (cond.hint, cond.near):
            if noun is not None and noun.best.kind == "table":
                tables.append(noun.best.table)
    return list(dict.fromkeys(t for t in tables if t in atlas.tables))


def _root(draft: Draft, atlas: Atlas, asked: Sequence[Asked], subject: str | None) -> str:
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
        if noun.best.kind == "table" and not _has_money(atlas, noun.best.table):
            return noun.best.table
        places = Places(atlas, draft, next(iter(atlas.tables)), ())
        return money_figure(asked, places, _needed(draft, atlas), atlas).table
    if noun.best.kind in ("table", "event"):
        return _counted(draft, noun)
    mentioned = _mention_tables(draft, subject)
    return _column_table(noun, mentioned, atlas)


def _has_money(atlas: Atlas, table: str) -> bool:
    return any(source.table == table for source in money_sources(atlas))


def _counted(draft: Draft, noun: Noun) -> str:
    return noun.best.table


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


def _mentioned(draft: Draft, atlas: Atlas, root: str) -> list[str]:
    nouns: list[Noun] = [n for n in (draft.subject,) if n is not None]
    nouns += [*draft.mentions, *(g.noun for g in draft.groups if g.noun)]
    nouns += [m.noun for m in draft.missing] + [r.noun for r in draft.row_numbers]
    nouns += [v.near for v in draft.values if v.near] + [v.hint for v in draft.values if v.hint]
    nouns += [a.noun for a in draft.asked if a.noun]
    tables = [n.best.table for n in nouns if n.best.kind in ("table", "event")]
    return [root, *(t for t in tables if t in atlas.tables)]


# --- the parts of the frame -------------------------------------------------------------------


def _assemble(work: _Work, asked: Sequence[Asked]) -> Frame:
    if not draft_asks(work.draft) and work.draft.show and asked:
        work.draft = replace(work.draft, show=())
        work.filters.draft = work.draft
    figures = _distinct_labels([_figure(work, one) for one in asked])
    dimensions = _dimensions(work, bool(figures))
    frame = Frame(
        work.places.root, figures, dimensions, subject_words=plain(work.subject or work.places.root)
    )
    frame = _with_conditions(work, frame)
    frame = _with_shown(work, frame)
    frame = _with_order(work, frame)
    frame = replace(
        frame,
        chart=_chart(work.draft),
        distinct=work.draft.distinct or frame.distinct,
        exists=work.draft.exists,
    )
    unread = (*work.draft.unread, *work.filters.unread)
    if unread:
        raise _cannot_read(work, unread)
    return replace(frame, notes=tuple(work.places.notes))


def _distinct_labels(figures: Sequence[Figure]) -> tuple[Figure, ...]:
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


def draft_asks(draft: Draft) -> bool:
    """Whether a figure was asked for in so many words."""
    return bool(draft.asked or (draft.rank is not None and draft.rank.asked))


def _cannot_read(work: _Work, unread: Sequence[str]) -> Unclear:
    words = ", ".join(f"“{word}”" for word in dict.fromkeys(unread))
    options = work.values.closest(unread[0])
    if options:
        return Unclear(
            f"I found nothing that {words} could stand for. Did you mean one of these?", options
        )
    return Unclear(f"I do not know what {words} means in this database. Please put it differently.")


def _figure(work: _Work, asked: Asked) -> Figure:
    atlas, noun = work.atlas, asked.noun
    root = work.places.root
    if noun is None:
        if asked.agg not in ("count", ""):
            raise Unclear(f"What shall I take the {asked.agg} of?")
        return count_figure(root, asked)
    if noun.best.kind == "money":
        if asked.agg == "count":
            raise Unclear(f"“{noun.text}” is a sum, not something to count. What shall I count?")
        return money_figure(asked, work.places, _needed(work.draft, atlas), atlas)
    if asked.concept:
        column = concept_column(atlas, noun.best.table, asked.concept, work.places.said)
        if column is None:
            raise Unclear(f"I found no {asked.concept} of {plain(noun.best.table)}.")
        return column_figure(asked, noun.best.table, column, atlas)
    if noun.best.kind in ("table", "event"):
        return _table_figure(work, asked, noun.best.table)
    place = work.places.column(noun, None, numeric=asked.agg not in ("count", "", "min", "max"))
    if place is None:
        raise Unclear(f"I found no number that “{noun.text}” could be.")
    figure = column_figure(asked, *place, atlas)
    if place[0] != root:
        path = work.places.path(place[0])
        if path is None or reaches_down(path):
            raise Unclear(f"“{noun.text}” does not fit with the rest of the question.")
        figure = replace(figure, spot=Spot(path, *place))
    return figure


def _table_figure(work: _Work, asked: Asked, table: str) -> Figure:
    if asked.agg in ("count", "") or (asked.agg == "sum" and not _has_money(work.atlas, table)):
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
    if _has_money(work.atlas, table):
        return money_figure(asked, work.places, _needed(work.draft, work.atlas), work.atlas)
    raise Unclear(
        f"Which figure of {plain(table)} shall I take the {asked.agg} of?",
        _numbers_of(work.atlas, table),
    )


def _numbers_of(atlas: Atlas, table: str) -> tuple[str, ...]:
    names = [
        c
        for c in atlas.tables[table].columns
        if atlas.is_numeric(table, c) and not atlas.is_key(table, c)
    ]
    return tuple(plain(name) for name in names[:5])


def _dimensions(work: _Work, has_figures: bool) -> tuple[Dimension, ...]:
    found: list[Dimension] = []
    draft = work.draft
    if draft.over_time and not any(g.grain for g in draft.groups):
        found.append(_time_dimension(work, _auto_grain(draft)))
    if draft.compare or len([p for p in draft.periods if p.low and p.high]) > 1:
        unit = next((p.unit for p in draft.periods if p.unit), "")
        if (
            unit in ("year", "quarter", "month", "day")
            and has_figures
            and not any(g.grain for g in draft.groups)
        ):
            found.append(_time_dimension(work, unit))
    for group in draft.groups:
        if _is_root_itself(work, group):
            continue
        found.append(
            _time_dimension(work, group.grain) if group.grain else _noun_dimension(work, group)
        )
    if has_figures and work.subject and work.subject != work.places.root and not _is_context(draft):
        if not any(d.table == work.subject and not d.grain for d in found):
            found.append(_entity(work, work.subject))
    if has_figures and draft.person and not any(not d.grain for d in found):
        found.append(_entity(work, _person(work)))
    if has_figures and draft.show and not draft.subject:
        found += [_shown_dimension(work, noun) for noun in draft.show]
    return tuple(dict.fromkeys(found))


def _is_context(draft: Draft) -> bool:
    return False


def _is_root_itself(work: _Work, group: GroupBy) -> bool:
    """Whether "per payment" only says what an average of payments is of."""
    averages = all(one.agg == "avg" for one in work.draft.asked) and bool(work.draft.asked)
    noun = group.noun
    return (
        averages
        and noun is not None
        and noun.best.kind == "table"
        and noun.best.table == work.places.root
    )


def _auto_grain(draft: Draft) -> str:
    unit = next((p.unit for p in draft.periods if p.unit), "")
    return {"month": "day", "week": "day", "quarter": "week"}.get(unit, "month")


def _person(work: _Work) -> str:
    people = [
        t for t in work.atlas.tables if len(work.atlas.label(t)) == 2 and not work.atlas.is_view(t)
    ]
    people = [t for t in people if work.atlas.distance(work.places.root, t) < float("inf")]
    if not people:
        raise Unclear("I cannot tell which people you mean by “who”.")
    buyers = [t for t in people if set(name_words(t)) & _BUYER]
    seller = work.places.said & _SELLER_VERBS
    nearest = sorted(people, key=lambda t: work.atlas.distance(work.places.root, t))
    if len(people) == 1:
        return people[0]
    if buyers and not seller:
        work.places.note(f"“who” = {plain(buyers[0])}")
        return buyers[0]
    options = tuple(plain(t) for t in nearest[:5])
    reply = work.places.reply(options)
    if reply is None:
        raise Unclear("Whom do you mean by “who”?", options)
    return nearest[reply]


def _entity(work: _Work, table: str) -> Dimension:
    path = work.places.path(table)
    if path is None:
        raise Unclear(f"I see no way from {plain(work.places.root)} to {plain(table)}.")
    identity = work.atlas.identity(table)
    columns = work.atlas.label(table) or identity
    if not columns:
        raise Unclear(f"I do not know how to tell the rows of {plain(table)} apart.")
    return Dimension(
        path, table, columns, identity, label=plain(table).replace(" ", "_"), words=plain(table)
    )


def _noun_dimension(work: _Work, group: GroupBy) -> Dimension:
    assert group.noun is not None
    noun = group.noun
    if noun.best.kind == "role":
        return _role_dimension(work, noun)
    table = work.places.table_of(noun) if noun.has("table", 0.55) else None
    column = work.places.column(noun, None) if noun.has("column", 0.4) else None
    if table is not None and noun.best.kind != "column" and work.places.path(table) is not None:
        return _entity(work, table)
    if column is not None:
        return _column_dimension(work, *column)
    if table is not None:
        return _entity(work, table)
    raise Unclear(f"I cannot group by “{noun.text}”.")


def _role_dimension(work: _Work, noun: Noun) -> Dimension:
    """Group by what a key with a part of its own points at: original language, manager."""
    step = role_step(work.atlas, noun)
    path = work.places.path(step.source)
    if path is None:
        raise Unclear(f"I cannot group by “{noun.text}”.")
    columns = work.atlas.label(step.target) or step.key.target_columns
    words = noun.text.lower()
    return Dimension(
        (*path, step),
        step.target,
        columns,
        step.key.target_columns,
        label=words.replace(" ", "_"),
        words=words,
    )


def role_step(atlas: Atlas, noun: Noun) -> Step:
    """Return the join along the key that a noun's best reading names."""
    link = noun.best
    key = next(k for k in atlas.keys if k.table == link.table and k.columns == (link.column,))
    return Step(key.table, key.target, key, True)


def _column_dimension(work: _Work, table: str, column: str) -> Dimension:
    path = work.places.path(table)
    if path is None:
        raise Unclear(f"I see no way from {plain(work.places.root)} to {plain(table)}.")
    if work.atlas.is_date(table, column) and "time" in work.atlas.column(table, column).type:
        return Dimension(
            path,
            table,
            (column,),
            grain="day",
            label=plain(column).replace(" ", "_"),
            words=plain(column),
        )
    if work.atlas.label(table) == (column,) and table != work.places.root:
        return _entity(work, table)
    return Dimension(
        path, table, (column,), label=plain(column).replace(" ", "_"), words=plain(column)
    )


def _shown_dimension(work: _Work, noun: Noun) -> Dimension:
    if noun.best.kind == "role":
        return _role_dimension(work, noun)
    place = work.places.column(noun, None)
    if place is None:
        raise Unclear(f"I see no way from {plain(work.places.root)} to “{noun.text}”.")
    return _column_dimension(work, *place)


def _time_dimension(work: _Work, grain: str) -> Dimension:
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


def date_place(work: _Work) -> tuple[str, str]:
    """Return the table and column that a period is about.

    The words that stand before it decide, else the root's own date, else the nearest one that each
    row of the root has one of.
    """
    named = _named_date(work)
    if named is not None:
        return named
    draft, atlas, places = work.draft, work.atlas, work.places
    events = [n.best.table for n in draft.mentions if n.best.table in atlas.tables]
    near = list(dict.fromkeys([places.root, *events, *places.mentioned]))
    others = sorted((t for t in atlas.tables if _is_above(work, t)), key=lambda t: (atlas.distance(places.root, t), t))
    for table in (*near, *others):
        columns = atlas.date_columns(table)
        if columns and places.path_exists(table):
            return _date_column(work, table, columns)
    for table in (*near, *others):
        years = [c for c in atlas.tables[table].columns if name_words(c)[-1:] == ("year",)]
        if years and places.path_exists(table):
            return table, years[0]
    unread = [s.target for s, _ in atlas.steps(places.root) if s.up and not atlas.tables[s.target].columns]
    if unread:
        raise SchemaNeeded(tuple(unread))
    raise Unclear(f"I found no date for {plain(places.root)}, so I cannot tell when things happened.")


def _named_date(work: _Work) -> tuple[str, str] | None:
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


def _is_above(work: _Work, table: str) -> bool:
    """Whether each row of the root has one row of `table`, so that its date is the root's too."""
    if work.atlas.is_view(table):
        return False
    ways = work.atlas.paths(work.places.root, table, work.places.mentioned)
    return bool(ways) and not reaches_down(ways[0])


def _date_column(work: _Work, table: str, columns: Sequence[str]) -> tuple[str, str]:
    column = columns[0]
    if len(columns) > 1 or table != work.places.root:
        work.places.note(f"dates are those of {plain(table)}.{column}")
    return table, column


# --- conditions ---------------------------------------------------------------------------------


def _with_conditions(work: _Work, frame: Frame) -> Frame:
    tests: list[Test] = []
    presences: list[Presence] = []
    inside: list[Test] = []
    part: list[Test] = []
    values = work.filters.value_tests()
    for number, (cond, test) in enumerate(values):
        if cond.inside:
            inside.append(replace(test, negated=False))
        elif work.draft.share and number >= work.draft.base_values:
            part.append(test)
        else:
            tests.append(test)
    tests += [work.filters.number_test(row) for row in work.draft.row_numbers]
    tests += [work.filters.like_test(like) for like in work.draft.likes]
    group_tests: list[GroupTest] = []
    having: list[tuple[int, str, float, float | None]] = []
    for compare in work.draft.compares:
        if compare.measure is None and compare.behind and (total := _total_of(work, compare)):
            compare = replace(compare, measure=total)
        bare = compare.noun is None and not compare.concept and not compare.unit
        if compare.measure is None and bare and frame.figures and frame.dimensions:
            having.append((0, compare.op, compare.number, compare.upper))
        elif compare.measure is None:
            (part if work.draft.share else tests).append(work.filters.compare_test(compare))
        else:
            frame, group_test = _group_test(
                work, frame, compare.measure, compare.op, compare.number, compare.upper
            )
            if group_test is not None:
                group_tests.append(group_test)
            else:
                having.append((0, compare.op, compare.number, compare.upper))
    period_tests = _period_tests(work)
    if work.draft.share and not part and not frame.dimensions:
        part += period_tests[work.draft.base_periods :]
        period_tests = period_tests[: work.draft.base_periods]
    if work.draft.period_inside and any(m.negated for m in work.draft.missing):
        inside += period_tests
    else:
        tests += period_tests
    for missing in work.draft.missing:
        condition = work.filters.missing(missing)
        if isinstance(condition, Test):
            (part if work.draft.share else tests).append(condition)
        elif condition.negated:
            presences.append(replace(condition, tests=tuple(inside)))
            inside = []
        else:
            presences.append(condition)
    tests += inside
    presences += _mentioned_presences(work, frame, tests, part, presences)
    period = ", ".join(p.label for p in work.draft.periods)
    return replace(
        frame,
        tests=tuple(tests),
        presences=tuple(presences),
        part=tuple(part),
        group_tests=tuple(group_tests),
        having=tuple(having),
        period=period,
        share=_share(work, frame, part),
    )


def _total_of(work: _Work, compare: Compare) -> Asked | None:
    """Read "with more than 1000 slots" as the total of many rows' column."""
    link = next(
        (link for link in (compare.noun.links if compare.noun else ()) if link.kind == "column"),
        None,
    )
    entity = work.subject or work.places.root
    if link is None or link.table == entity:
        return None
    ways = work.atlas.paths(entity, link.table)
    return Asked("sum", compare.noun) if ways and reaches_down(ways[0]) else None


def _share(work: _Work, frame: Frame, part: Sequence[Test]) -> str:
    if not work.draft.share:
        return ""
    if part and not frame.dimensions:
        return "part"
    if frame.dimensions and not part:
        return "groups"
    raise Unclear("Of what shall I work out the share? Please name the part and the whole.")


def _period_tests(work: _Work) -> list[Test]:
    if not work.draft.periods:
        return []
    place = date_place(work)
    return work.filters.period_tests(place, work.draft.periods, None)


def _group_test(
    work: _Work, frame: Frame, measure: Asked, op: str, number: float, upper: float | None
) -> tuple[Frame, GroupTest | None]:
    """Settle "with more than 30 rentals": a condition on groups, or on each row of the subject."""
    draft, atlas = work.draft, work.atlas
    entity = work.subject or work.places.root
    noun = measure.noun
    event = next(
        (
            n.best.table
            for n in draft.mentions
            if n.verb and n.best.table in atlas.tables and n.best.table != entity
        ),
        None,
    )
    if noun is not None and noun.best.kind == "money":
        figure = money_figure(measure, work.places, [entity], atlas)
    elif noun is not None and noun.best.kind == "column":
        figure = column_figure(measure, noun.best.table, noun.best.column, atlas)
    else:
        table = event or (noun.best.table if noun is not None else None)
        if table is None or table not in atlas.tables:
            raise Unclear(f"What shall there be {op} {number:g} of?")
        if event and noun is not None and noun.best.table != event:
            work.places.note(
                f"counted are {plain(event)} rows, the same {plain(noun.best.table)} twice counts twice"
            )
        figure = count_figure(table, measure)
    if frame.dimensions and frame.figures and figure.table == frame.root and not work.subject:
        return frame, None
    if figure.table == entity:
        raise Unclear("I cannot tell what the number is about. Please put it differently.")
    back = Places(atlas, draft, figure.table, work.places.mentioned).path(entity)
    path = work.places.path(entity)
    if back is None or path is None:
        raise Unclear(f"I see no way from {plain(entity)} to {plain(figure.table)}.")
    words = f"{figure.words} {op} {number:g}"
    if frame.figures or frame.dimensions or op in ("<", "<=", "!=") or (op == "=" and number == 0):
        return frame, GroupTest(path, entity, figure, back, op, number, upper, words=words)
    return frame, GroupTest(path, entity, figure, back, op, number, upper, words=words)


def _mentioned_presences(
    work: _Work,
    frame: Frame,
    frame_tests: list[Test],
    part: Sequence[Test],
    presences: Sequence[Presence],
) -> list[Presence]:
    """What else was mentioned must be there, where a row may well lack it: customers who rented."""
    tests = (*frame_tests, *part)
    used = {frame.root} | {d.table for d in frame.dimensions} | {f.table for f in frame.figures}
    for thing in (
        *(t.spot.path for t in tests),
        *(p.path for p in presences),
        *(d.path for d in frame.dimensions),
    ):
        used |= {step.target for step in thing}
    used |= {c.measure.noun.best.table for c in work.draft.compares if c.measure and c.measure.noun}
    found: list[Presence] = []
    counted = bool([c for c in work.draft.compares if c.measure])
    for noun in work.draft.mentions:
        if noun.best.kind == "column" and not _is_used(work, noun, frame_tests):
            predicate = _predicate(work, noun)
            frame_tests += [predicate] if predicate is not None else []
            continue
        if noun.best.kind == "role":
            condition = work.filters.missing(Missing(noun, None, negated=False))
            if isinstance(condition, Test):
                frame_tests.append(condition)
            continue
        object_of_not = not noun.verb and any(p.negated for p in presences)
        if noun.best.kind not in ("table", "event") or noun.best.table in used or counted or object_of_not:
            continue
        path = work.places.path(noun.best.table)
        if path is None:
            if not noun.verb:
                work.filters.unread.append(noun.text)
            continue
        if reaches_down(path):
            if not noun.verb and noun.best.score < 0.9:
                work.filters.unread.append(noun.text)
                continue
            used |= {step.target for step in path}
            found.append(Presence(path, (), False, f"with {plain(noun.best.table)}"))
    return found


def _is_used(work: _Work, noun: Noun, tests: Sequence[Test]) -> bool:
    """Whether a column that was mentioned already says which date, or which value, is meant."""
    draft = work.draft
    hints = [v.hint for v in draft.values] + [c.noun for c in draft.compares] + [draft.period_near]
    shown = [link.column for figure in draft.asked if figure.noun for link in figure.noun.links]
    shown += [link.column for group in draft.groups if group.noun for link in group.noun.links]
    shown += [test.spot.column for test in tests]
    timed = bool(draft.periods or draft.over_time or any(group.grain for group in draft.groups))
    return noun in hints or noun.best.column in shown or (timed and noun.verb)


def _predicate(work: _Work, noun: Noun) -> Test | None:
    """Read "… are active", "… were returned" as a condition; raises `Unclear` for other columns."""
    condition = work.filters.missing(Missing(noun, None, negated=False))
    if isinstance(condition, Test) and (condition.op in ("flag", "=") or noun.verb):
        return condition if _is_literal(noun, condition) else None
    raise Unclear(f"I cannot tell what “{noun.text}” is for in this question. Please put it differently.")


def _is_literal(noun: Noun, test: Test) -> bool:
    """Whether a verb is the column's own word, not merely one of like meaning."""
    words = set(name_words(noun.text)) | {w.removesuffix("bool") for w in name_words(noun.text)}
    return any(word in column or column.startswith(word) for word in words for column in name_words(test.spot.column))


# --- what is shown, and in which order ---------------------------------------------------------


def _with_shown(work: _Work, frame: Frame) -> Frame:
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


def _shown_place(work: _Work, noun: Noun) -> tuple[str, str]:
    place = work.places.column(noun, work.subject)
    if place is None:
        raise Unclear(f"I see no way from {plain(work.places.root)} to “{noun.text}”.")
    return place


def column_repeats(atlas: Atlas, table: str, column: str) -> bool:
    """Whether a column's values repeat from row to row, so that a list of them is a list of kinds."""
    return column not in atlas.label(table) and column not in atlas.identity(table)


def _with_order(work: _Work, frame: Frame) -> Frame:
    rank = work.draft.rank
    if rank is None:
        return replace(frame, order=_natural_order(frame))
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
        partition=partition,
        superlative=rank.superlative,
        plural=rank.plural or _plural_subject(work),
    )


def _plural_subject(work: _Work) -> bool:
    subject = work.draft.subject
    if subject is not None:
        return subject.plural
    return any(group.plural for group in work.draft.groups) or any(
        noun.plural for noun in work.draft.show
    )


def _rank_order(work: _Work, frame: Frame) -> tuple[tuple[Order, ...], Frame]:
    rank = work.draft.rank
    assert rank is not None
    if rank.noun is not None and not (frame.figures and not draft_asks(work.draft)):
        return _order_by_noun(work, frame, rank.noun, _direction(work, rank)), frame
    if rank.concept in ("popular", "sold") and frame.figures:
        work.places.note(f"popular = number of {plain(frame.figures[0].table)} rows")
        return (Order("figure", 0, desc=rank.desc),), frame
    if rank.concept and rank.concept != "first":
        return _order_by_concept(work, frame, rank.concept, rank.desc)
    if rank.asked is not None and work.draft.asked:
        extra = _figure(work, rank.asked) if rank.asked != work.draft.asked[0] else None
        if extra is not None and extra.label not in [f.label for f in frame.figures]:
            frame = replace(frame, figures=(*frame.figures, extra))
            return (Order("figure", len(frame.figures) - 1, desc=rank.desc),), frame
    if frame.figures:
        return (Order("figure", 0, desc=rank.desc),), frame
    if rank.concept == "first":
        return _natural_order(frame), frame
    return _rank_by_only_number(work, frame, rank.desc)


def order_settled(frame: Frame) -> bool:
    """Whether the extreme value itself is the figure, so that nothing is left to rank."""
    return all(figure.agg in ("min", "max") for figure in frame.figures)


def _direction(work: _Work, rank: Rank) -> bool:
    """The first ten by date are the earliest, the first ten by amount the largest."""
    if rank.concept != "first" or rank.noun is None:
        return rank.desc
    place = work.places.column(rank.noun, work.subject)
    return place is not None and work.atlas.is_numeric(*place)


def _rank_by_only_number(work: _Work, frame: Frame, desc: bool) -> tuple[tuple[Order, ...], Frame]:
    """Rank by the one number that rows have: the largest payment."""
    table = work.subject or work.places.root
    numbers = _numbers_of(work.atlas, table)
    if len(numbers) == 1 and re.search(
        r"\b(?:larg|high|big|great|small|low)", work.draft.text.lower()
    ):
        columns = [c for c in work.atlas.tables[table].columns if plain(c) == numbers[0]]
        if (
            not re.search(r"\bwhich\b|\btop\b|s\b\s*\??$", work.draft.text.lower())
            and not frame.dimensions
        ):
            figure = column_figure(Asked("max" if desc else "min"), table, columns[0], work.atlas)
            return (), replace(frame, figures=(figure,))
        spot = work.places.spot(table, columns[0])
        if spot is not None:
            return (Order("column", spot=spot, desc=desc),), frame
    raise Unclear("By which figure shall I rank?", _rank_options(work))


def _rank_options(work: _Work) -> tuple[str, ...]:
    table = work.subject or work.places.root
    numbers = list(_numbers_of(work.atlas, table))
    downs = [
        key.table
        for key in work.atlas.keys
        if key.target == table and not work.atlas.is_link(key.table)
    ]
    return tuple(
        [f"by number of {plain(t)} rows" for t in dict.fromkeys(downs)][:3]
        + [f"by {n}" for n in numbers][:2]
    )


def _order_by_noun(work: _Work, frame: Frame, noun: Noun, desc: bool) -> tuple[Order, ...]:
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
    return (Order("column", spot=spot, desc=desc),)


def _label_spot(work: _Work, table: str) -> Spot | None:
    label = work.atlas.label(table) or work.atlas.identity(table)
    return work.places.spot(table, label[0]) if label else None


def _order_by_concept(
    work: _Work, frame: Frame, concept: str, desc: bool
) -> tuple[tuple[Order, ...], Frame]:
    table = work.subject or work.places.root
    if concept == "date":
        columns = work.atlas.date_columns(table)
        for index, dimension in enumerate(frame.dimensions):
            if dimension.grain:
                return (Order("dimension", index, desc=desc),), frame
        if not columns:
            years = [c for c in work.atlas.tables[table].columns if name_words(c)[-1:] == ("year",)]
            columns = tuple(years)
        if not columns:
            raise Unclear(f"I found no date of {plain(table)} to order by.")
        column: str | None = columns[0]
        if len(columns) > 1:
            work.places.note(f"by {plain(columns[0])}")
    else:
        column = concept_column(work.atlas, table, concept, work.places.said)
        if column is not None and plain(column) != concept:
            work.places.note(f"by {plain(column)}")
    if column is None:
        raise Unclear(f"I found no {concept} of {plain(table)}.")
    spot = work.places.spot(table, column)
    if spot is None or frame.dimensions and not frame.figures and False:
        raise Unclear(f"I cannot order this by {plain(column)}.")
    return (Order("column", spot=spot, desc=desc),), frame


def _natural_order(frame: Frame) -> tuple[Order, ...]:
    if frame.figures and frame.dimensions:
        timed = [n for n, d in enumerate(frame.dimensions) if d.grain or d.words == "year"]
        if timed:
            rest = [n for n in range(len(frame.dimensions)) if n not in timed]
            return tuple(Order("dimension", n, desc=False) for n in (*timed, *rest))
        return (Order("figure", 0, desc=True),)
    return ()


def _chart(draft: Draft) -> str:
    return "" if draft.no_chart else draft.chart
