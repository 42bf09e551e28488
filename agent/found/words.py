"""A condition in words, or nothing where few words would not say it rightly; pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from sqlglot import exp

from agent.found.names import Names
from agent.found.window import moment

MAX_VALUES: Final = 4
"""Values of a list that are named."""
MAX_VALUE: Final = 60
"""Characters of one value; a condition with a longer one is left to the SQL."""
MAX_WAYS: Final = 3

_COMPARED: Final[dict[type[exp.Expr], str]] = {
    exp.EQ: "is",
    exp.NEQ: "is not",
    exp.GT: "over",
    exp.GTE: "at least",
    exp.LT: "under",
    exp.LTE: "at most",
}
_TURNED: Final[dict[type[exp.Expr], type[exp.Expr]]] = {
    **{exp.GT: exp.LT, exp.GTE: exp.LTE},
    **{exp.LT: exp.GT, exp.LTE: exp.GTE},
}
_IN_TIME: Final = {"over": "after", "at least": "from", "under": "before", "at most": "up to"}
_SIMPLE: Final = re.compile(r"\w[\w .&/'+-]*")
_NOT: Final = "not "


def words_of_condition(condition: exp.Expr) -> str | None:
    """Return the condition in words: "rating is PG"; None where it takes more than a few."""
    return _words(condition, Names.of(condition))


def _words(condition: exp.Expr, names: Names) -> str | None:
    condition = condition.unnest()
    if isinstance(condition, exp.Or):
        return _either(condition, names)
    if isinstance(condition, exp.Not):
        return _denied(condition.this.unnest(), names)
    if condition.args.get("negate"):
        return _denied(_without_negation(condition), names)
    return _plain(condition, names)


def _plain(condition: exp.Expr, names: Names) -> str | None:
    if isinstance(condition, exp.Column):
        return names.column(condition)
    if isinstance(condition, exp.Binary) and type(condition) in _COMPARED:
        return _compared(condition, names)
    if isinstance(condition, exp.In):
        return _one_of(condition.this, condition, names, "is")
    if isinstance(condition, exp.Between):
        ends = _ends(condition, names)
        return "{} from {} to {}".format(*ends) if ends else None
    if isinstance(condition, exp.Is):
        about, value = names.subject(condition.this), _value(condition.expression)
        return f"{about} is {value}" if about and value else None
    if isinstance(condition, (exp.Like, exp.ILike)):
        return _alike(condition, names, denied=False)
    return None


def _denied(condition: exp.Expr, names: Names) -> str | None:
    if condition.args.get("negate") or isinstance(condition, (exp.Not, exp.And, exp.Or)):
        return None
    if isinstance(condition, exp.Column):
        about = names.column(condition)
        return f"{_NOT}{about}" if about else None
    if isinstance(condition, exp.In):
        return _one_of(condition.this, condition, names, "is not")
    if isinstance(condition, exp.Is):
        about, value = names.subject(condition.this), _value(condition.expression)
        return f"{about} is not {value}" if about and value else None
    if isinstance(condition, (exp.Like, exp.ILike)):
        return _alike(condition, names, denied=True)
    if isinstance(condition, exp.Between):
        ends = _ends(condition, names)
        return "{} is not from {} to {}".format(*ends) if ends else None
    return None


def _ends(condition: exp.Between, names: Names) -> tuple[str, str, str] | None:
    about = names.subject(condition.this)
    low, high = _value(condition.args["low"]), _value(condition.args["high"])
    return (about, low, high) if about and low and high else None


def _without_negation(condition: exp.Expr) -> exp.Expr:
    bare = condition.copy()
    bare.set("negate", None)
    return bare


def _compared(condition: exp.Binary, names: Names) -> str | None:
    kind: type[exp.Expr] = type(condition)
    left, right = condition.left.unnest(), condition.right.unnest()
    if left.find(exp.Column) is None and not isinstance(left, exp.AggFunc):
        kind, left, right = _TURNED.get(kind, kind), right, left
    if isinstance(right, exp.Null):
        return None  # true of no row at all
    if isinstance(right, exp.Any):
        is_list = kind is exp.EQ and isinstance(right.this.unnest(), exp.Array)
        return _one_of(left, right.this.unnest(), names, "is") if is_list else None
    about, value = names.subject(left), _value(right)
    if not about or not value:
        return None
    words = _COMPARED[kind]
    return f"{about} {_IN_TIME.get(words, words) if moment(right) else words} {value}"


def _one_of(subject: exp.Expr, listed: exp.Expr, names: Names, is_or_not: str) -> str | None:
    if listed.args.get("query") or listed.args.get("unnest") or listed.args.get("field"):
        return None
    about, values = names.subject(subject), [_value(each) for each in listed.expressions]
    known = [value for value in values if value]
    if not about or not known or len(known) < len(values):
        return None
    return f"{about} {is_or_not} {_any_of(known)}"


def _any_of(values: Sequence[str]) -> str:
    if len(values) > MAX_VALUES:
        values = [*values[: MAX_VALUES - 1], f"{len(values) - MAX_VALUES + 1} other values"]
    *first, last = values
    return f"{', '.join(first)} or {last}" if first else last


def _alike(condition: exp.Expr, names: Names, *, denied: bool) -> str | None:
    about, pattern = names.subject(condition.this), condition.expression
    if not about or not isinstance(pattern, exp.Literal) or not pattern.is_string:
        return None
    bare = pattern.name.strip("%")
    if not bare or re.search(r"[%_\\]", bare) or len(bare) > MAX_VALUE:
        return None
    begins, ends = not pattern.name.startswith("%"), not pattern.name.endswith("%")
    does = "does not " if denied else ""
    match (begins, ends):
        case (True, True):
            return f"{about} is {_NOT * denied}{_quoted(bare)}"
        case (True, False):
            return f"{about} {does}begin{'' if denied else 's'} with {_quoted(bare)}"
        case (False, True):
            return f"{about} {does}end{'' if denied else 's'} with {_quoted(bare)}"
    return f"{about} {does}contain{'' if denied else 's'} {_quoted(bare)}"


def _either(condition: exp.Or, names: Names) -> str | None:
    ways = [_words(each, names) for each in condition.flatten()]
    known = [words for words in ways if words]
    if len(known) < len(ways) or len(known) > MAX_WAYS:
        return None
    return f"either {' or '.join(known)}"


def _value(node: exp.Expr) -> str | None:
    """Return a constant as a person reads it; None for what is none, or too long."""
    node = node.unnest()
    if isinstance(node, exp.Null):
        return "empty"
    if isinstance(node, exp.Boolean):
        return "true" if node.this else "false"
    if isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal):
        return f"-{node.this.name}"
    if when := moment(node):
        return when
    while isinstance(node, exp.Cast):
        node = node.this.unnest()
    if not isinstance(node, exp.Literal) or len(node.name) > MAX_VALUE:
        return None
    return _quoted(node.name) if node.is_string else node.name


def _quoted(text: str) -> str:
    text = " ".join(text.split())
    return text if _SIMPLE.fullmatch(text) else f"“{text}”"
