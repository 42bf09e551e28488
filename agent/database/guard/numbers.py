"""What the text alone says of a number: its value, or at least how large it can become."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

from agent.database.guard.tree import strings

Expression = Mapping[str, Any]
"""A node with its type around it, as the parser gives it."""

_DEEPEST: Final = 20
_ARITHMETIC: Final[Mapping[str, Callable[[float, float], float]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda left, right: _quotient(left, right),
    "^": math.pow,
}
_WHOLE: Final = frozenset({"int2", "int4", "int8"})
_NUMBERS: Final = _WHOLE | {"numeric", "float4", "float8"}
_LENGTHS: Final = frozenset({"length", "char_length", "character_length"})
_ROUNDING: Final = frozenset({"round", "ceil", "ceiling", "floor", "trunc"})


def exact(node: Expression, depth: int = 0) -> float | None:
    """Return the number that an expression of constants writes, None where it is none."""
    if depth > _DEEPEST:
        return None
    if "TypeCast" in node:
        value = exact(node["TypeCast"]["arg"], depth + 1)
        return value if value == _cast(node["TypeCast"], value) else None
    if "A_Expr" in node:
        return _calculated(node["A_Expr"], depth)
    constant = node.get("A_Const", {})
    if "ival" in constant:
        return float(constant["ival"].get("ival", 0))
    written = constant.get("fval", {}).get("fval") or constant.get("sval", {}).get("sval", "")
    return _read(str(written))


def _cast(cast: Mapping[str, Any], value: float | None) -> float | None:
    """Return a bound for the value behind a cast; None where it becomes no number: a bit string."""
    kind = strings(cast["typeName"]["names"])[-1]
    if value is None or kind not in _NUMBERS or cast["typeName"].get("arrayBounds"):
        return None
    return value if math.isinf(value) or kind not in _WHOLE else float(math.ceil(value))


def _ordered(found: float) -> float:
    """Return a number that compares: to PostgreSQL NaN is more than any other."""
    return math.inf if math.isnan(found) else found


def _quotient(left: float, right: float) -> float:
    """Divide; whole numbers may lose what is left over, so then there is no telling."""
    found = left / right
    return math.nan if left.is_integer() and right.is_integer() and found % 1 else found


def _read(written: str) -> float | None:
    plain = written.strip().replace("_", "").lower()
    try:
        whole = plain[:2] in ("0x", "0o", "0b")
        return float(int(plain, 0)) if whole else _ordered(float(plain))
    except ValueError:
        return None
    except OverflowError:
        return math.inf


def _calculated(expression: Mapping[str, Any], depth: int) -> float | None:
    name = strings(expression["name"])[-1:]
    if expression.get("kind") != "AEXPR_OP" or name[0] not in _ARITHMETIC:
        return None
    right = exact(expression["rexpr"], depth + 1)
    left = exact(expression["lexpr"], depth + 1) if "lexpr" in expression else 0.0
    if left is None or right is None:
        return None
    try:
        found = _ARITHMETIC[name[0]](left, right)
    except (OverflowError, ZeroDivisionError, ValueError):
        return math.inf
    return None if math.isnan(found) else found


def at_most(node: Expression, depth: int = 0) -> float | None:
    """Return a bound that a number cannot exceed, None where the text gives none."""
    known = exact(node)
    if known is not None or depth > _DEEPEST or not node:
        return known
    kind, inner = next(iter(node.items()))
    if kind == "TypeCast":
        return _cast(inner, at_most(inner["arg"], depth + 1))
    if kind == "MinMaxExpr":
        bounds = [at_most(each, depth + 1) for each in inner["args"]]
        return _least(bounds) if inner["op"] == "IS_LEAST" else _greatest(bounds)
    if kind == "CoalesceExpr":
        return _greatest([at_most(each, depth + 1) for each in inner["args"]])
    if kind == "CaseExpr":
        results = [case["CaseWhen"]["result"] for case in inner["args"]]
        results += [inner["defresult"]] if "defresult" in inner else []
        return _greatest([at_most(each, depth + 1) for each in results])
    if kind == "FuncCall":
        return _of_call(inner, depth)
    return _of_operator(inner, depth) if kind == "A_Expr" else None


def _least(bounds: list[float | None]) -> float | None:
    return min((bound for bound in bounds if bound is not None), default=None)


def _greatest(bounds: list[float | None]) -> float | None:
    known = [bound for bound in bounds if bound is not None]
    return max(known) if known and len(known) == len(bounds) else None


def _of_call(call: Mapping[str, Any], depth: int) -> float | None:
    name, arguments = strings(call["funcname"])[-1], call.get("args", [])
    if name in _ROUNDING and arguments:
        bound = at_most(arguments[0], depth + 1)
        return None if bound is None else bound + 1
    if name in _LENGTHS and len(arguments) == 1:
        text = arguments[0].get("A_Const", {}).get("sval")
        return None if text is None else float(len(text.get("sval", "")))
    if name == "mod" and len(arguments) == 2:
        divisor = exact(arguments[1])
        return None if divisor is None else abs(divisor)
    return None


def _of_operator(expression: Mapping[str, Any], depth: int) -> float | None:
    """A bound for `x % 7`, and for a bounded number with a constant: `least(x, 50) * 2`."""
    name = strings(expression["name"])[-1:]
    right = exact(expression.get("rexpr", {}))
    if expression.get("kind") != "AEXPR_OP" or "lexpr" not in expression or right is None:
        return None
    if name == ["%"]:
        return abs(right)
    left = at_most(expression["lexpr"], depth + 1)
    if left is None or left < 0 or right <= 0:
        return None
    bounds = {"+": left + right, "-": left, "*": left * right, "/": left / right}
    return _ordered(bounds[name[0]]) if name and name[0] in bounds else None
