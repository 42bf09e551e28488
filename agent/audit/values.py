"""Filters that ask for what does not occur, and what does occur in place of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import inflection
from sqlglot import exp

from agent.audit.filters import Filter, Wanted
from agent.audit.probes import Probes
from agent.audit.reading import DIALECT, stored
from agent.audit.wording import listed, quoted, words_of
from agent.database.nearest import nearest
from agent.messages import AuditNote, NoteKind

MAX_TABLE_ROWS: Final = 2_000_000
"""A larger table, by its estimate, is not searched for a value."""
MAX_CHECKED: Final = 24
"""Values that are looked for in one query."""
MAX_LISTED: Final = 1_000
"""Values of a column among which the nearest are sought."""
MAX_OFFERED: Final = 8
MAX_NOTES: Final = 3


@dataclass(frozen=True)
class _Occurring:
    """What does occur in a column."""

    values: tuple[str, ...] = ()
    """The likeliest to be meant first, then the most frequent; at most `MAX_LISTED`."""
    least: str = ""
    greatest: str = ""
    is_known: bool = False


def missing_values(filters: Sequence[Filter], probes: Probes) -> list[Filter] | None:
    """Return the filters that want what does not occur, each with only those values; None where
    that cannot be told.

    A filter that lists a value in two spellings, one of which occurs, wants nothing that is
    missing. Raises `DatabaseUnavailable`.
    """
    asked = [
        (each, wanted)
        for each in filters
        if (each.table.row_estimate or 0) <= MAX_TABLE_ROWS
        for wanted in each.wanted
    ][:MAX_CHECKED]
    rows = probes.ask(f"SELECT {', '.join(_exists(*each) for each in asked)}") if asked else ()
    if not rows:
        return None
    occurs = dict(zip(asked, rows[0], strict=True))
    missing = []
    for each in filters:
        there = {wanted.text.casefold() for wanted in each.wanted if occurs.get((each, wanted))}
        gone = tuple(
            wanted
            for wanted in each.wanted
            if occurs.get((each, wanted)) is False and wanted.text.casefold() not in there
        )
        if gone:
            missing.append(replace(each, wanted=gone))
    return missing


def describe_missing(missing: Sequence[Filter], probes: Probes) -> Iterator[AuditNote]:
    """Yield a note for each filter that wants what does not occur, with what does; the first few.

    Raises `DatabaseUnavailable`.
    """
    for each in missing[:MAX_NOTES]:
        occurring = _occurring(each, probes)
        text = _text(each, occurring)
        yield AuditNote(NoteKind.UNKNOWN_VALUE, text, " ".join(_hints(each, occurring)))


def _exists(each: Filter, wanted: Wanted) -> str:
    return f"EXISTS (SELECT 1 FROM {each.table.name} WHERE {wanted.condition})"


def _occurring(each: Filter, probes: Probes) -> _Occurring:
    subject, table, text = each.subject, each.table.name, each.wanted[0].text
    if each.is_ordered:
        return _ordered(subject, table, probes)
    value = f"unnest({subject})" if each.columns[0].type_name.endswith("[]") else subject
    wanted = exp.Literal.string(text).sql(DIALECT)
    rows = probes.ask(
        f"SELECT v::text, n FROM (SELECT {value} AS v, count(*) AS n FROM {table} "
        f"WHERE {subject} IS NOT NULL GROUP BY 1) AS g "
        f"ORDER BY lower(v::text) = lower({wanted}) DESC, "
        f"lower(left(v::text, 1)) = lower(left({wanted}, 1)) DESC, n DESC LIMIT {MAX_LISTED}"
    )
    values = tuple(str(row[0]) for row in rows)
    if not rows:
        return _Occurring(each.columns[0].enum_labels)
    return _Occurring(values, is_known=True)


def _ordered(column: str, table: str, probes: Probes) -> _Occurring:
    """Return the least and the greatest value of a column, and all of them where they are few."""
    rows = probes.ask(
        f"SELECT (SELECT min({column})::text FROM {table}), "
        f"(SELECT max({column})::text FROM {table}), v::text FROM (SELECT DISTINCT {column} AS v "
        f"FROM {table} WHERE {column} IS NOT NULL ORDER BY 1 LIMIT {MAX_OFFERED + 1}) AS few"
    )
    values = tuple(str(row[2]) for row in rows)
    if not rows:
        return _Occurring()
    return _Occurring(values, _edge(rows[0][0]), _edge(rows[0][1]), is_known=True)


def _edge(value: object) -> str:
    """Return the least or greatest value; of a time only its day."""
    text = "" if value is None else str(value)
    return text[:10] if text[4:5] == text[7:8] == "-" else text


def _text(each: Filter, occurring: _Occurring) -> str:
    thing = inflection.singularize(words_of(stored(each.table.name.rsplit(".", 1)[-1])))
    column = listed([words_of(stored(column.name)) for column in each.columns])
    if each.kind == "range":
        run = f": they run from {occurring.least} to {occurring.greatest}"
        return f"No {thing} has {_a(column)} in that range{run if occurring.least else ''}."
    values = " or ".join(
        quoted(wanted.text, as_number=wanted.shown == wanted.text)
        for wanted in each.wanted[:MAX_OFFERED]
    )
    if each.is_pattern:
        patterns = " or ".join(_pattern(wanted.shown) for wanted in each.wanted[:MAX_OFFERED])
        return f"No {thing} has {_a(column)} {patterns}."
    return f"No {thing} has the {column} {values}."


def _a(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def _pattern(shown: str) -> str:
    """Return in words what a LIKE with the pattern `shown`, as SQL writes it, wants."""
    pattern = shown.strip("'").replace("''", "'").replace("\\", "")
    bare = quoted(pattern.strip("%"))
    if "%" in pattern.strip("%"):
        return f"like {quoted(pattern)}"
    match pattern.startswith("%"), pattern.endswith("%"):
        case True, True:
            return f"with {bare} in it"
        case True, False:
            return f"that ends with {bare}"
        case False, True:
            return f"that begins with {bare}"
    return f"like {bare}"


def _hints(each: Filter, occurring: _Occurring) -> Iterator[str]:
    name = f"{each.table.name}.{each.subject}"
    if len(each.columns) > 1:
        name = f"{each.subject} in {each.table.name}"
    if occurring.is_known and not occurring.values and not occurring.least:
        yield f"{name} holds no value at all."
    elif each.kind == "value" and each.columns[0].type_name.startswith("timestamp"):
        yield f"{name} holds times: ask for a whole day with >= and <."
    elif occurring.least and (each.kind == "range" or len(occurring.values) > MAX_OFFERED):
        yield f"Values of {name} run from {occurring.least} to {occurring.greatest}."
    elif occurring.values:
        offered = [
            quoted(value, as_number=bool(occurring.least))
            for value in _likeliest(each, occurring.values)
        ]
        rest = " and others" if len(occurring.values) > len(offered) else ""
        yield f"Values of {name}: {', '.join(offered)}{rest}."


def _likeliest(each: Filter, values: tuple[str, ...]) -> list[str]:
    """Return the values that look most like what is wanted, then the most frequent ones."""
    near = [
        value for wanted in each.wanted for value in nearest(wanted.text, values, limit=MAX_OFFERED)
    ]
    if len(values) <= MAX_OFFERED:
        near += values
    return list(dict.fromkeys(near or values))[:MAX_OFFERED]
