"""Calls and types that make a value as large as a number in the text says."""

from __future__ import annotations

import re
from typing import Any, Final

from agent.database.guard.rejection import rejection
from agent.database.guard.tree import strings
from agent.errors import SqlRejected

MAX_LENGTH: Final = 10_000
MAX_SERIES: Final = 10_000_000

_PADDING: Final = frozenset({"repeat", "lpad", "rpad"})
_PADDED_TYPES: Final = frozenset({"bpchar", "bit", "varbit"})
_INT: Final = (["pg_catalog", "int4"], ["int4"])
_FORMAT_WIDTH: Final = re.compile(r"%(?:\d+\$)?-?(\*|\d+)")


def check_call(name: str, arguments: list[dict[str, Any]]) -> None:
    """Raise `SqlRejected` ("size") for a call that would build a huge value or a huge set."""
    if name in _PADDING and len(arguments) > 1:
        if not _is_bounded(arguments[1]):
            raise _refuse(
                name, f"The length in {name} must be a number up to {MAX_LENGTH:,}.",
                "Write a smaller number, or bound it: least(…, 100).",
            )  # fmt: skip
    elif name == "generate_series" and _steps(arguments) > MAX_SERIES:
        raise _refuse(name, f"generate_series may count up to {MAX_SERIES:,} values.")
    elif name == "format" and arguments and not _format_is_bounded(arguments[0]):
        raise _refuse(name, f"Widths in format must be numbers up to {MAX_LENGTH:,}.")


def check_type(name: str, modifiers: list[dict[str, Any]]) -> None:
    """Raise `SqlRejected` ("size") for a type that pads each value to a huge length."""
    if name in _PADDED_TYPES and any((_integer(m) or 0) > MAX_LENGTH for m in modifiers):
        written = "char" if name == "bpchar" else name
        raise _refuse(name, f"The length of {written} may be up to {MAX_LENGTH:,}.")


def _refuse(name: str, reason: str, hint: str = "Write a smaller number.") -> SqlRejected:
    return rejection("size", name, reason, hint)


def _is_bounded(node: dict[str, Any]) -> bool:
    """Say whether a length is a number that is small enough, or `least` of one and anything."""
    cast = node.get("TypeCast")
    if cast and strings(cast["typeName"]["names"]) in _INT:
        node = cast["arg"]
    choice = node.get("MinMaxExpr", {})
    numbers = choice["args"] if choice.get("op") == "IS_LEAST" else [node]
    lengths = [_integer(number) for number in numbers]
    return any(length is not None and length <= MAX_LENGTH for length in lengths)


def _integer(node: dict[str, Any]) -> int | None:
    """Return the integer that a node writes, or None where it is anything but a plain number."""
    if "A_Expr" in node and node["A_Expr"].get("kind") == "AEXPR_OP":
        sign = node["A_Expr"]
        if "lexpr" in sign or sign["name"] != [{"String": {"sval": "-"}}]:
            return None
        value = _integer(sign["rexpr"])
        return None if value is None else -value
    constant = node.get("A_Const", {})
    if "ival" in constant:
        return int(constant["ival"].get("ival", 0))
    if "fval" in constant and constant["fval"]["fval"].isdigit():
        return int(constant["fval"]["fval"])
    return None


def _steps(arguments: list[dict[str, Any]]) -> int:
    """Return how many values a series has, 0 where the text alone does not say."""
    numbers = [_integer(argument) for argument in arguments]
    if len(numbers) < 2 or None in numbers:
        return 0
    start, stop, step = (*numbers, 1)[:3]
    assert start is not None
    assert stop is not None
    return (stop - start) // step if step else 0


def _format_is_bounded(node: dict[str, Any]) -> bool:
    constant = node.get("A_Const", {})
    if "sval" not in constant:
        return False
    widths = _FORMAT_WIDTH.findall(constant["sval"].get("sval", ""))
    return all(width.isdigit() and int(width) <= MAX_LENGTH for width in widths)
