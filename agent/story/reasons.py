"""Why a step failed, as a person who knows no SQL would say it."""

from __future__ import annotations

import re
from typing import Final

from agent.story.words import name, plain

# A name in a message of PostgreSQL: quoted or not, with or without its table before it.
_NAME: Final = r'"?(?:[\w$]+\.)*(?P<name>[^".]+?)"?'
_KINDS: Final = "it mixed values of different kinds"
_ONLY_READ: Final = "and I may only read"
_OFF_LIMITS: Final = "it used {}, which I may not use"
_UNGROUPED: Final = "the column {} was neither grouped nor added up"

_MISSING: Final = (
    (rf"column {_NAME} does not exist", "there is no column {}"),
    (rf"relation {_NAME} does not exist", "there is no table {}"),
    (
        r"There is no table '?(?P<name>.+?)'? that may be read",
        "there is no table {} that I may read",
    ),
)
_REASONS: Final = (
    *_MISSING,
    (r"function (?P<name>[\w.]+)\(.* does not exist", "there is no function {} for such values"),
    (
        r'FROM-clause entry for table "(?P<name>[^"]+)',
        "it took a value from {} without saying where that comes from",
    ),
    # what does not fit together
    (rf"column {_NAME} must appear in the GROUP BY", _UNGROUPED),
    (rf"uses ungrouped column {_NAME} from outer", _UNGROUPED),
    (rf"column reference {_NAME} is ambiguous", "more than one table has a column {}"),
    (rf"table name {_NAME} specified more than once", "it named {} twice"),
    (r"aggregate function.* (?:not allowed|cannot)", "it put a total where there can be none"),
    (r"window function.* (?:not allowed|cannot)", "it put a ranking where there can be none"),
    (r"more than one row returned by a subquery", "it expected one value and got several"),
    (r"subquery must return only one column", "it expected one value and got several"),
    (r"ORDER BY expressions must appear", "it sorted by something that it does not show"),
    (r"each UNION query must have the same", "it put unlike lists below each other"),
    # what a model asked of us in a way that there is not
    (r"The tool '[^']*' does not exist", "the model asked for a step that I cannot do"),
    (r"The tool '[^']*' may not be used yet", "the model asked for a step that came too early"),
    (
        r"The arguments of \w+ (?:do not fit|are no JSON)",
        "the model asked for a step in a way that I could not read",
    ),
    # what is of the wrong kind
    (r"operator does not exist|could not identify an? \w+ operator", _KINDS),
    (r"types? .* cannot be matched|cannot (?:be )?cast|must be type", _KINDS),
    (
        r'invalid input value for enum [^:]*: "(?P<name>[^"…]+)"',
        "{} is not one of the values that occur there",
    ),
    (r"invalid input value for enum", "it asked for a value that cannot occur there"),
    (
        r"invalid input syntax for type (?:date|time)|date/time field value out of range",
        "it wrote a date or a time in a way that cannot be read",
    ),
    (
        r"invalid input syntax for type (?:\w*int|numeric|double|real)",
        "it took a text for a number",
    ),
    (r"invalid input syntax", _KINDS),
    (r"division by zero", "it divided by zero"),
    (r"out of range|field overflow", "a number in it was too large"),
    # how it is written
    (r"unterminated quoted", "a quotation mark in it was not closed"),
    (r"syntax error at end of input", "it broke off in the middle"),
    (r'syntax error at or near "(?P<name>[^"]+)', "it was not written correctly near {}"),
    (r"syntax error|It cannot be read: ", "it was not written correctly"),
    (r"There are [\d,]+ statements", "it was more than one query at once"),
    (r"There is no query", "it was empty"),
    (r"nested too deeply", "it was too complicated"),
    (r"The query has [\d,]+ bytes", "it was too long"),
    (r"holds the \w+ character", "it held a character that nobody can see"),
    # what may not be
    (r"permission denied for \w+ (?P<name>\S+?)\.?$", "I may not read {}"),
    (r"permission denied", "I may not read that"),
    (r"^(?P<name>[A-Z][A-Z ]*) is not a query", f"it asked for {{}}, {_ONLY_READ}"),
    (
        r"A query may not (?:write|lock rows)|INTO makes a table|read-only transaction",
        f"it would have done more than read, {_ONLY_READ}",
    ),
    (
        r"(?P<name>\S+) belongs to the system catalogue",
        "{} is one of the database's own tables, which I may not read",
    ),
    (r"(?P<name>\S+) tells about the server", "{} tells about the server, not about your data"),
    (r"The (?:function|operator) (?P<name>\S+) may not be (?:called|used)", _OFF_LIMITS),
    (r"^(?P<name>\S+) is not a built-in function", _OFF_LIMITS),
    (
        r"A value may not be cast to|The construct .* is not allowed|behind a dot would call",
        "it was written in a way that I may not use",
    ),
    (r"A second reader of the query sees", "two readings of it did not agree"),
    (r"The guard failed on this query", "I could not make sure that it only reads"),
    # what the server could not do
    (r"took longer than (?P<raw>[\d.]+ m?s)", "it took longer than {} and was stopped"),
    (
        r"temporary file size|out of memory|insufficient resources",
        "it needed more room than a query may use",
    ),
    (
        r"lock timeout|could not obtain lock|deadlock|could not serialize",
        "somebody else was using the same data",
    ),
    (r"canceling statement|terminating connection", "the database stopped it"),
)
_CHARTS: Final = (
    (
        re.compile(r"rows of the result have (?P<raw>[^=,]+?) = .*, so theta \("),
        "a pie needs one slice for each {}, and there are several rows for some",
    ),
    (
        re.compile(r"rows of the result have (?P<raw>[^=]+?) = .* has no single value there"),
        "it needs one value for each {}, and there are several rows for some",
    ),
)
"""Of a chart's errors those that a person can understand; what else they say is for the model."""
_COMPILED: Final = _CHARTS + tuple((re.compile(pattern), words) for pattern, words in _REASONS)


def plain_reason(error: str, limit: int = 200) -> str:
    """Return why a step failed, as a clause to stand behind "because": no capital, no stop.

    `error` is the reason of a tool error: PostgreSQL's message, the guard's, or a tool's own. What
    is not known here keeps its words, on one line and at most `limit` characters of them.
    """
    for pattern, words in _COMPILED:
        if found := pattern.search(error):
            groups = found.groupdict()
            return words.format(name(groups["name"]) if "name" in groups else groups.get("raw"))
    clause = plain(error, limit)
    return clause[:1].lower() + clause[1:] if clause[1:2].islower() else clause


def chart_reason(error: str) -> str:
    """Return why a chart could not be drawn, as such a clause; "" where that says nobody much."""
    return plain_reason(error) if any(each.search(error) for each, _ in _CHARTS) else ""


def missing_name(error: str) -> str:
    """Return the name of the column or table that is not there, "" where nothing is missing."""
    for pattern, _ in _MISSING:
        if found := re.search(pattern, error):
            return str(found["name"]).rpartition(".")[2].strip('"')
    return ""
