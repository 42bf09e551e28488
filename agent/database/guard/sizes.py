"""Calls and types that make a value as large as a number in the text says."""

from __future__ import annotations

from typing import Final

from agent.database.guard.call_text import bounded_call
from agent.database.guard.numbers import Expression, at_most, exact
from agent.database.guard.rejection import rejection
from agent.database.guard.series import steps
from agent.database.guard.tree import Node
from agent.database.guard.widths import (
    GROWING,
    MAX_LENGTH,
    MULTIPLYING,
    PADDING,
    Widths,
    format_width,
)
from agent.errors import SqlRejected

MAX_SERIES: Final = 10_000_000
MAX_VALUE: Final = 20_000_000
"""Characters that calls inside calls, such as repeat(repeat(…)), may add up to."""

_PADDED_TYPES: Final = frozenset({"bpchar", "bit", "varbit"})
_SIZED: Final = PADDING | {"format", "generate_series", "polygon"}
_SMALLER: Final = "Write a smaller number, or bound it: least(…, 100)."
_BOUND: Final = "Bound it: least(…, 100)."


def check_call(name: str, call: Node, sql: str) -> None:
    """Raise `SqlRejected` ("size") for a call in `sql` that would build a huge value or set."""
    if name not in _SIZED:
        return
    arguments = call.get("args", [])
    if "func_variadic" in call and name != "format":
        raise _refuse(
            name, f"The arguments of {name} must be written one by one.", "Leave VARIADIC out."
        )
    if name in PADDING and len(arguments) > 1:
        _check_length(name, call, 1, f"The length in {name}", sql)
    if name == "polygon" and len(arguments) > 1:
        _check_length(name, call, 0, f"The points of a {name}", sql)
    if name == "generate_series" and steps(arguments) > MAX_SERIES:
        raise _refuse(name, f"generate_series may count up to {MAX_SERIES:,} values.")
    if name == "format" and arguments and not _format_is_bounded(arguments[0]):
        raise _refuse(
            name, f"Widths in format must be numbers up to {MAX_LENGTH:,}.",
            "Write the format as one string, such as '%s: %s', or a smaller number in it.",
        )  # fmt: skip


def _check_length(name: str, call: Node, place: int, what: str, sql: str) -> None:
    bound = at_most(call["args"][place])
    if bound is None:
        written = bounded_call(sql, call.get("location", 0), place, MAX_LENGTH)
        said = "have" if place == 0 else "has"
        raise _refuse(
            name, f"{what} {said} no limit that the text shows.",
            f"Write {written}." if written else _BOUND,
        )  # fmt: skip
    if bound > MAX_LENGTH:
        raise _refuse(name, f"{what} must be a number up to {MAX_LENGTH:,}.", _SMALLER)


def check_widths(calls: list[tuple[str, Node]], widths: Widths) -> None:
    """Raise `SqlRejected` ("size") where the calls of a query, or its columns step by step, would
    make one huge value.
    """
    multiplied = [(name, call) for name, call in calls if name in MULTIPLYING]
    for name, call in multiplied:
        if widths.of_call(name, call.get("args", [])) > MAX_VALUE:
            raise _refuse(
                name, f"This {name} would make one value of more than {MAX_VALUE:,} bytes."
            )
    growing = bool(multiplied) or any(name in GROWING for name, _ in calls)
    if widths.widest(multiplied=growing) > MAX_VALUE:
        raise _refuse(
            "", f"Step by step this would make one value of more than {MAX_VALUE:,} bytes.",
            "Put less together.",
        )  # fmt: skip


def check_type(name: str, modifiers: list[Expression]) -> None:
    """Raise `SqlRejected` ("size") for a type that pads each value to a huge length."""
    if name in _PADDED_TYPES and not all(map(_is_short, modifiers)):
        written = "char" if name == "bpchar" else name
        raise _refuse(name, f"The length of {written} may be up to {MAX_LENGTH:,}.")


def _refuse(name: str, reason: str, hint: str = "Write a smaller number.") -> SqlRejected:
    return rejection("size", name, reason, hint)


def _is_short(modifier: Expression) -> bool:
    """Whether the length of a type is a small number; a name in its place is none to be read."""
    length = exact(modifier)
    return length is not None and length <= MAX_LENGTH


def _format_is_bounded(node: Expression) -> bool:
    constant = node.get("A_Const", {})
    if "sval" not in constant:
        return False
    return format_width(constant["sval"].get("sval", "")) <= MAX_LENGTH
