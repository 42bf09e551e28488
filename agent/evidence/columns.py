"""What a column of a result holds: money, a count, a share, a length of time, a key, a date."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Final

from sqlglot import exp

from agent.evidence.nouns import (
    MONEY_NOUNS,
    TIME_UNITS,
    concept,
    is_entity,
    name_concepts,
    name_words,
)
from agent.evidence.statement import Statement


class Holds(StrEnum):
    """The kinds of columns, as far as figures are concerned."""

    MONEY = "an amount of money"
    COUNT = "a count"
    PERCENT = "a percentage"
    TIME = "a length of time"
    CALENDAR = "a part of a date"
    KEY = "a key"
    RANK = "a rank"
    RATIO = "a ratio"
    NUMBER = "a number"
    TEXT = "a text"


@dataclass(frozen=True)
class Meaning:
    """What a column holds."""

    holds: Holds
    unit: str = ""
    """Of a length of time: "minute"; of a part of a date: "month"."""
    nouns: frozenset[str] = frozenset()
    """The concepts of what is counted."""
    is_change: bool = False
    """A difference or a growth rate: its sign tells the direction."""
    is_average: bool = False
    is_total: bool = False
    """A total of groups may be summed further: a sum or a count, nothing else."""
    words: frozenset[str] = field(default_factory=frozenset)
    """The concepts of its name."""


_PERCENT_WORDS: Final = frozenset(["pct", "percent", "percentage", "perc", "prozent"])
_SHARE_WORDS: Final = frozenset(["share", "ratio", "proportion", "fraction", "quota", "growth"])
_RATE_WORDS: Final = frozenset(
    ["rate", "growth", "change", "increase", "decrease", "margin", "yoy", "mom"]
)
_CHANGE_WORDS: Final = frozenset(
    [
        "change",
        "growth",
        "diff",
        "difference",
        "delta",
        "increase",
        "decrease",
        "decline",
        "gain",
        "loss",
        "gap",
        "yoy",
        "mom",
    ]
)
_CALENDAR: Final = {
    "year": "year", "month": "month", "quarter": "quarter", "week": "week", "hour": "hour",
    "dow": "dow", "isodow": "dow", "day": "day", "doy": "doy", "weekday": "dow", "decade": "decade",
    "isoyear": "year", "minute": "clock", "jahr": "year", "monat": "month",
}  # fmt: skip
_COUNT_WORDS: Final = frozenset(
    ["count", "n", "num", "number", "cnt", "total", "qty", "quantity", "anzahl", "times"]
)
_NUMERIC: Final = ("int", "numeric", "decimal", "real", "double", "money", "float", "serial", "oid")


def is_numeric(type_name: str) -> bool:
    """Whether a column of this type holds numbers."""
    return type_name.lower().startswith(_NUMERIC) or type_name in ("bigint", "smallint")


def column_meaning(name: str, type_name: str, position: int, statement: Statement) -> Meaning:
    """Return what the column at `position` holds, from its name, its type and its expression."""
    words = name_words(name)
    concepts = name_concepts(name)
    if type_name == "interval":
        return Meaning(Holds.TIME, "second", words=concepts)
    if not is_numeric(type_name):
        return Meaning(Holds.TEXT, words=concepts)
    outputs = statement.outputs
    node = outputs[position] if position < len(outputs) else None
    computed = _computed(node, statement, 0) if node is not None else None
    holds, unit = _holds(words, type_name, computed)
    nouns = frozenset(c for c in map(concept, _head(words)) if is_entity(c))
    if computed is not None and (not nouns or len(words) > 1):
        nouns |= computed.nouns
    return Meaning(
        holds, unit, nouns,
        is_change=bool(concepts & _CHANGE_WORDS) or (computed is not None and computed.is_change),
        is_average=bool({"avg", "average", "mean", "median", "per"} & set(words))
        or (computed is not None and computed.is_average),
        is_total=computed is None or computed.is_total,
        words=concepts,
    )  # fmt: skip


_ASIDE: Final = frozenset("with without no not having has have per by in of missing".split())


def _head(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a name before what sets it apart: films of films_with_trailers."""
    aside = [n for n, word in enumerate(words) if word in _ASIDE]
    return words[: aside[0]] if aside else words


def _holds(words: tuple[str, ...], type_name: str, computed: Meaning | None) -> tuple[Holds, str]:
    """Let the name decide where it is plain, then the expression, then the rest of the name."""
    got = computed.holds if computed is not None else None
    named = set(words)
    if named & _PERCENT_WORDS:
        return Holds.PERCENT, ""
    if named & (_SHARE_WORDS | _RATE_WORDS) and got in (Holds.RATIO, Holds.PERCENT):
        return Holds.PERCENT, ""
    if named & (_SHARE_WORDS - {"growth"}) and got is not Holds.MONEY:
        return Holds.PERCENT, ""
    if {"rank", "rnk", "rn", "position", "place"} & named or got is Holds.RANK:
        return Holds.RANK, ""
    unit = next((concept(w) for w in words[::-1] if concept(w) in TIME_UNITS and _is_plural(w)), "")
    if unit and got is not Holds.COUNT:
        return Holds.TIME, unit
    if got in (Holds.COUNT, Holds.MONEY, Holds.CALENDAR, Holds.PERCENT, Holds.TIME, Holds.RATIO):
        assert computed is not None
        return got, computed.unit
    return _by_name(words, type_name, got)


def _is_plural(word: str) -> bool:
    return word.endswith("s") or word == "min"


def _by_name(words: tuple[str, ...], type_name: str, got: Holds | None) -> tuple[Holds, str]:
    named = set(words)
    if words and (words[-1] in ("id", "key", "code", "no", "zip", "phone", "nr")):
        return Holds.KEY, ""
    if words and words[-1] in _CALENDAR and len(words) <= 2:
        return Holds.CALENDAR, _CALENDAR[words[-1]]
    if named & MONEY_NOUNS or type_name == "money" or words[-2:] == ("rental", "rate"):
        return Holds.MONEY, ""
    if named & {"length", "runtime", "runlength"}:
        return Holds.TIME, "minute"
    if named & _SHARE_WORDS:
        return Holds.PERCENT, ""
    if "duration" in named:
        return Holds.TIME, ""
    is_whole = type_name.lower().startswith(("int", "bigint", "smallint"))
    counted = named & _COUNT_WORDS or any(is_entity(concept(w)) for w in words)
    if is_whole and counted:
        return Holds.COUNT, ""
    return got or Holds.NUMBER, ""


def _computed(node: exp.Expression, statement: Statement, depth: int) -> Meaning | None:
    """Return what an expression computes; None where it does not tell."""
    if depth > 12:
        return None
    if isinstance(node, exp.Count) or (isinstance(node, exp.CountIf)):
        return Meaning(Holds.COUNT, nouns=_counted(node, statement), is_total=True)
    if isinstance(node, exp.RowNumber | exp.Rank | exp.DenseRank | exp.Ntile):
        return Meaning(Holds.RANK)
    if isinstance(node, exp.Column):
        return _column(node, statement, depth)
    if isinstance(node, exp.Extract | exp.TimestampTrunc | exp.DateTrunc):
        return _part(node)
    if isinstance(node, exp.Binary) and not isinstance(
        node, exp.Predicate | exp.Connector | exp.Dot
    ):
        return _arithmetic(node, statement, depth)
    if isinstance(node, exp.Case):
        return _case(node, statement, depth)
    if isinstance(node, exp.Subquery | exp.Select):
        select = node.find(exp.Select)
        return (
            _computed(select.expressions[0], statement, depth + 1)
            if select and select.expressions
            else None
        )
    inner = node.args.get("this")
    if not isinstance(inner, exp.Expression):
        return None
    made = _computed(inner, statement, depth + 1)
    if made is None:
        return None
    if isinstance(node, exp.Avg) and made.holds is Holds.COUNT and inner.find(exp.Case):
        return Meaning(Holds.RATIO)  # the average of ones and zeros
    whole = isinstance(node, exp.Sum) or (made.is_total and not isinstance(node, exp.AggFunc))
    return Meaning(
        made.holds, made.unit, made.nouns, made.is_change,
        made.is_average or isinstance(node, exp.Avg | exp.PercentileCont | exp.Median), whole,
    )  # fmt: skip


def _counted(node: exp.Expression, statement: Statement) -> frozenset[str]:
    columns = [column.name for column in node.find_all(exp.Column)]
    found = {c for name in columns for c in name_concepts(name) if is_entity(c)}
    if not found or not isinstance(node.this, exp.Distinct):
        select = node.find_ancestor(exp.Select)
        source = select.args.get("from_") or select.args.get("from") if select else None
        table = source.this if source is not None else None
        if isinstance(table, exp.Table):
            found |= name_concepts(table.name)
    return frozenset(found)


def _column(node: exp.Column, statement: Statement, depth: int) -> Meaning | None:
    """Follow a name to where the query defines it, or take it by its words."""
    tree = statement.tree
    for alias in tree.find_all(exp.Alias) if tree is not None else ():
        if (
            alias.alias == node.name
            and alias.find(exp.Column) is not node
            and node.find_ancestor(exp.Alias) is not alias
        ):
            made = _computed(alias.this, statement, depth + 1)
            if made is not None:
                return made
    holds, unit = _by_name(name_words(node.name), "", None)
    if holds is Holds.NUMBER:
        return None
    return Meaning(holds, unit, is_change=bool(name_concepts(node.name) & _CHANGE_WORDS))


def _part(node: exp.Expression) -> Meaning | None:
    name = str(node.this if isinstance(node, exp.Extract) else node.args.get("unit")).lower()
    if name in ("epoch",):
        return Meaning(Holds.TIME, "second")
    return Meaning(Holds.CALENDAR, _CALENDAR[name]) if name in _CALENDAR else None


def _arithmetic(node: exp.Binary, statement: Statement, depth: int) -> Meaning | None:
    left = _computed(node.left, statement, depth + 1)
    right = _computed(node.right, statement, depth + 1)
    numbers = {Decimal(n.this) for n in node.find_all(exp.Literal) if not n.is_string}
    if isinstance(node, exp.Div):
        return _quotient(left, right, numbers)
    if isinstance(node, exp.Mul):
        if 100 in numbers:
            ratio = next((m for m in (left, right) if m is not None), None)
            is_ratio = ratio is not None and ratio.holds in (Holds.RATIO, Holds.PERCENT)
            return (
                Meaning(Holds.PERCENT, is_change=ratio.is_change)
                if is_ratio and ratio
                else left or right
            )
        both = [m for m in (left, right) if m is not None]
        return next((m for m in both if m.holds is Holds.MONEY), both[0] if both else None)
    made = left or right
    if made is None or not isinstance(node, exp.Add | exp.Sub):
        return made
    is_change = isinstance(node, exp.Sub) and left is not None and right is not None
    return Meaning(
        made.holds, made.unit, made.nouns, made.is_change or is_change, made.is_average, False
    )


def _quotient(left: Meaning | None, right: Meaning | None, numbers: set[Decimal]) -> Meaning | None:
    if left is not None and left.holds is Holds.TIME and right is None:
        seconds = {Decimal(60): "minute", Decimal(3600): "hour", Decimal(86400): "day"}
        unit = next((seconds[n] for n in numbers if n in seconds), "")
        return Meaning(Holds.TIME, unit)
    if left is None or right is None:
        return None
    if left.holds is right.holds or left.holds is Holds.PERCENT:
        holds = Holds.PERCENT if 100 in numbers else Holds.RATIO
        return Meaning(holds, is_change=left.is_change)
    if left.holds is Holds.MONEY:
        return Meaning(Holds.MONEY, is_average=True)
    return Meaning(left.holds, left.unit, left.nouns, is_average=True)


def _case(node: exp.Case, statement: Statement, depth: int) -> Meaning | None:
    values = [branch.args.get("true") for branch in node.args.get("ifs", [])]
    first = next((v for v in values if isinstance(v, exp.Expression)), None)
    if isinstance(first, exp.Literal) and not first.is_string and first.this in ("1", "0"):
        return Meaning(Holds.COUNT, nouns=_counted(node, statement), is_total=True)
    return _computed(first, statement, depth + 1) if first is not None else None
