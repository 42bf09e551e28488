"""Calls and types that make a value as large as a number in the text says."""

from __future__ import annotations

import re
from typing import Final

from agent.database.guard.numbers import Expression, at_most, exact
from agent.database.guard.rejection import rejection
from agent.database.guard.series import steps
from agent.database.guard.tree import strings
from agent.errors import SqlRejected

MAX_LENGTH: Final = 10_000
MAX_SERIES: Final = 10_000_000
MAX_VALUE: Final = 20_000_000
"""Characters that calls inside calls, such as repeat(repeat(…)), may add up to."""

# "bit" and bpchar pad when they are called as functions, too.
_PADDING: Final = frozenset({"repeat", "lpad", "rpad", "bit", "bpchar"})
_MULTIPLYING: Final = frozenset({"repeat", "replace", "regexp_replace"})
_PADDED_TYPES: Final = frozenset({"bpchar", "bit", "varbit"})
_FORMAT_WIDTH: Final = re.compile(r"%(?:\d+\$)?-?(\*|\d+)")
_OF_A_COLUMN: Final = 30
"""Characters that a value has of which the text says nothing."""
_DEEPEST: Final = 100


Widths = dict[int, float]
"""What is known of calls of one query, by the identity of their arguments in its tree."""


def check_call(name: str, arguments: list[Expression], known: Widths) -> None:
    """Raise `SqlRejected` ("size") for a call that would build a huge value or a huge set."""
    if name in _PADDING and len(arguments) > 1 and not _is_bounded(arguments[1]):
        raise _refuse(
            name, f"The length in {name} must be a number up to {MAX_LENGTH:,}.",
            "Write a smaller number, or bound it: least(…, 100).",
        )  # fmt: skip
    if name in _MULTIPLYING and _width_of_call(name, arguments, 0, known) > MAX_VALUE:
        raise _refuse(name, f"This {name} would make one value of more than {MAX_VALUE:,} bytes.")
    if name == "generate_series" and steps(arguments) > MAX_SERIES:
        raise _refuse(name, f"generate_series may count up to {MAX_SERIES:,} values.")
    if name == "format" and arguments and not _format_is_bounded(arguments[0]):
        raise _refuse(
            name, f"Widths in format must be numbers up to {MAX_LENGTH:,}.",
            "Write the format as one string, such as '%s: %s', or a smaller number in it.",
        )  # fmt: skip


def width_of_call(name: str, arguments: list[Expression], known: Widths) -> float:
    """Return about how many characters a call that pads or repeats makes, 0 for any other."""
    return _width_of_call(name, arguments, 0, known) if name in _PADDING | _MULTIPLYING else 0


def check_type(name: str, modifiers: list[Expression]) -> None:
    """Raise `SqlRejected` ("size") for a type that pads each value to a huge length."""
    if name in _PADDED_TYPES and any((exact(m) or 0) > MAX_LENGTH for m in modifiers):
        written = "char" if name == "bpchar" else name
        raise _refuse(name, f"The length of {written} may be up to {MAX_LENGTH:,}.")


def _refuse(name: str, reason: str, hint: str = "Write a smaller number.") -> SqlRejected:
    return rejection("size", name, reason, hint)


def _is_bounded(length: Expression) -> bool:
    bound = at_most(length)
    return bound is not None and bound <= MAX_LENGTH


def _format_is_bounded(node: Expression) -> bool:
    constant = node.get("A_Const", {})
    if "sval" not in constant:
        return False
    widths = _FORMAT_WIDTH.findall(constant["sval"].get("sval", ""))
    return all(width.isdigit() and int(width) <= MAX_LENGTH for width in widths)


def _width(node: object, depth: int, known: Widths) -> float:
    """Return about how many characters the value of an expression can have."""
    if depth > _DEEPEST:
        return float("inf")
    if isinstance(node, list):
        return sum(_width(each, depth, known) for each in node)
    if not isinstance(node, dict):
        return 0
    if "A_Const" in node:
        return len(node["A_Const"].get("sval", {}).get("sval", "")) or 1
    if "ColumnRef" in node:
        return _OF_A_COLUMN
    if "FuncCall" in node:
        call = node["FuncCall"]
        return _width_of_call(strings(call["funcname"])[-1], call.get("args", []), depth, known)
    return sum(_width(each, depth + 1, known) for each in node.values())


def _width_of_call(name: str, arguments: list[Expression], depth: int, known: Widths) -> float:
    if not arguments:
        return _OF_A_COLUMN
    if id(arguments) not in known:
        parts = [_width(argument, depth + 1, known) for argument in arguments]
        known[id(arguments)] = _made_of(name, arguments, parts)
    return known[id(arguments)]


def _made_of(name: str, arguments: list[Expression], parts: list[float]) -> float:
    """Return the width of what a call makes of parts that are so wide."""
    if len(arguments) < 2 or name not in _PADDING | _MULTIPLYING:
        return max(_OF_A_COLUMN, sum(parts))
    if name == "repeat":
        return parts[0] * max(at_most(arguments[1]) or 1, 1)
    if name in _PADDING:
        return at_most(arguments[1]) or MAX_LENGTH
    put_in = sum(parts[2:3])
    if name == "replace":
        return parts[0] * max(1, put_in / max(1, _length(arguments[1])))
    return parts[0] * max(1, put_in) if len(arguments) > 3 else parts[0] + put_in


def _length(node: Expression) -> int:
    """Return the length of a string that stands in the text, 1 for any other."""
    return len(node.get("A_Const", {}).get("sval", {}).get("sval", "")) or 1
