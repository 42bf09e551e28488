"""About how many characters the values of a query can have, as far as its text says.

Columns of subqueries, CTEs and functions in FROM are followed by their name: what is made wide in
one query, and made wider in the next one, is as wide as both say.
"""

from __future__ import annotations

import math
import re
from typing import Any, Final

from agent.database.guard.numbers import Expression, at_most
from agent.database.guard.outputs import GIVING, Output, outputs
from agent.database.guard.tree import Node, strings

MAX_LENGTH: Final = 10_000

# "bit" and bpchar pad when they are called as functions, too.
PADDING: Final = frozenset({"repeat", "lpad", "rpad", "bit", "bpchar"})
MULTIPLYING: Final = frozenset(
    {"repeat", "replace", "regexp_replace", "array_to_string", "ts_headline", "format"}
)
"""Calls that may make far more than all that is put into them."""

_FORMAT_WIDTH: Final = re.compile(r"%(?:\d+\$)?-*(\*|\d+)")
_LONG_NUMBER: Final = re.compile(r"[-+\d._]*e\+?\d+")
_OF_A_COLUMN: Final = 30
"""Characters that a value has of which the text says nothing."""
_OF_A_NUMBER: Final = 132_000
"""Digits that a numeric can have at most."""
_POWERS: Final = frozenset({"power", "pow", "exp", "factorial", "numeric_exp"})
GROWING: Final = {"quote_literal": 2, "quote_nullable": 2, "quote_ident": 2, "encode": 4,
                  "to_json": 2, "to_jsonb": 2}  # fmt: skip
"""How many characters each one can become; it tells only where calls stand inside calls."""
_DEEPEST: Final = 100
_MUCH: Final = 600_000
_MOST_ROUNDS: Final = 10
KINDS: Final = GIVING | {"ColumnRef", "SelectStmt", "RangeVar", "JoinExpr"}
"""The nodes that a `Widths` looks at."""
_LEAVES: Final = frozenset(
    {"A_Const", "ColumnRef", "FuncCall", "CaseExpr", "CoalesceExpr", "MinMaxExpr"}
)
_YES_OR_NO: Final = frozenset({"BoolExpr", "NullTest", "BooleanTest", "JsonIsPredicate"})
_JOINING: Final = frozenset({"||", "+", "-", "*", "/", "^", "&", "#-", "->", "->>", "#>", "#>>"})


class Widths:
    """What is known of the expressions of one query; each call is worked out once."""

    def __init__(self) -> None:
        self._calls: dict[int, float] = {}
        self._given: list[Output] = []
        self._columns: dict[str, float] | None = None
        self._widest = float(_OF_A_COLUMN)
        self._other_names: set[str] = set()
        self._root: Node = {}
        self._levels = 0
        self._laterals = 0
        self._uses = 0

    def visit(self, kind: str, node: Node) -> None:
        """Look at one node: does it use a column, or give columns to the query around it?"""
        if kind == "ColumnRef":
            self._uses += 1
        elif kind == "SelectStmt":
            self._root = self._root or node
        elif kind in ("RangeVar", "JoinExpr"):
            alias = node.get("alias", {})
            self._other_names.update(
                strings(alias.get("colnames", [])), [alias.get("aliasname", "")]
            )
        elif kind in GIVING:
            self._levels += 1
            self._laterals += bool(node.get("lateral")) or kind == "RangeFunction"
            for output in outputs(kind, node):
                if output[1] is None:
                    self._other_names.add(output[0])
                else:
                    self._given.append(output)

    def widest(self, *, multiplied: bool) -> float:
        """Return the width of the widest value that the query, or one inside it, makes.

        It is 0 where no value can be huge: nothing in it is `multiplied`, by repeat and its like,
        and there are too few steps to make much out of little.
        """
        each = self._uses / (self._levels + 1)
        if not multiplied and max(each, 1) ** min(self._levels + 1, 99) < _MUCH:
            return 0
        whole = self.of([self._root.get(clause, []) for clause in ("targetList", "whereClause")])
        return max([whole, *self._followed().values()])

    def of_call(self, name: str, arguments: list[Expression], depth: int = 0) -> float:
        """Return about how many characters the value of a call can have."""
        if not arguments:
            return _OF_A_COLUMN
        self._followed()
        return self._of_call(name, arguments, depth)

    def of(self, node: object, depth: int = 0) -> float:
        """Return about how many characters the value of an expression can have."""
        if depth > _DEEPEST:
            return math.inf
        found = 0.0
        pending = [node]
        while pending:
            part = pending.pop()
            if isinstance(part, list):
                pending += part
            elif isinstance(part, dict) and part:
                kind = next(iter(part))
                if kind in _LEAVES:
                    found += self._of_leaf(kind, part[kind], depth)
                elif kind == "A_Expr" and "^" in strings(part[kind]["name"]):
                    found += _OF_A_NUMBER
                elif not _tells_yes_or_no(kind, part[kind]):
                    pending += part.values()
        return found

    def _of_leaf(self, kind: str, node: Any, depth: int) -> float:
        if kind == "A_Const":
            return _of_constant(node)
        if kind == "ColumnRef":
            names = strings(node["fields"])
            if not names or not self._columns:
                return _OF_A_COLUMN
            if names[-1] in self._other_names:
                return self._widest
            return self._columns.get(names[-1], _OF_A_COLUMN)
        if kind == "FuncCall":
            name = strings(node["funcname"])[-1]
            return self._of_call(name, node.get("args", []), depth)
        if kind == "CaseExpr":
            ends = [case["CaseWhen"]["result"] for case in node["args"]]
            ends.append(node.get("defresult", {}))
        else:
            ends = node["args"]
        return max(self.of(end, depth + 1) for end in ends)

    def _of_call(self, name: str, arguments: list[Expression], depth: int) -> float:
        if id(arguments) not in self._calls:
            parts = [self.of(argument, depth + 1) for argument in arguments]
            self._calls[id(arguments)] = _made_of(name, arguments, parts) if parts else _OF_A_COLUMN
        return self._calls[id(arguments)]

    def _followed(self) -> dict[str, float]:
        """Return the width of each column that a query gives to the one around it, by its name.

        What is inside comes first, so one round is enough; but LATERAL looks to its left.
        """
        if self._columns is None:
            self._columns = {}
            for _ in range(min(self._laterals + 1, _MOST_ROUNDS)):
                for name, expressions in reversed(self._given):
                    self._calls.clear()
                    width = max(self._columns.get(name, _OF_A_COLUMN), self.of(expressions))
                    self._columns[name] = width
                    self._widest = max(self._widest, width)
            self._calls.clear()
        return self._columns


def format_width(written: str) -> float:
    """Return how many blanks the widths in a format add; infinity where a value says it."""
    widths = _FORMAT_WIDTH.findall(written)
    return sum(float(width) if width.isdecimal() else math.inf for width in widths)


def _made_of(name: str, arguments: list[Expression], parts: list[float]) -> float:
    """Return the width of what a call makes of parts that are so wide."""
    if name in _POWERS:
        return _OF_A_NUMBER
    if name in PADDING and len(arguments) > 1:
        times = at_most(arguments[1])
        return parts[0] * max(times or 1, 1) if name == "repeat" else times or MAX_LENGTH
    if name == "format":
        written = _written(arguments[0])
        shown = written.count("%") * max(parts[1:], default=0)
        return parts[0] + shown + min(format_width(written), 1e9)
    if len(arguments) < 2 or name not in MULTIPLYING:
        return max(_OF_A_COLUMN, sum(parts) * GROWING.get(name, 1))
    if name == "array_to_string":
        return parts[0] * (1 + sum(parts[1:]))
    if name == "ts_headline":  # the options say what is put around each word
        return max(parts[:-1]) * parts[-1]
    put_in = max(1, sum(parts[2:3]))
    return parts[0] * (put_in / max(1, _length(arguments[1])) if name == "replace" else put_in)


def _tells_yes_or_no(kind: str, node: Any) -> bool:
    if kind == "A_Expr":
        return node["kind"] != "AEXPR_NULLIF" and strings(node["name"])[-1] not in _JOINING
    if kind == "SubLink":
        return node["subLinkType"] in ("EXISTS_SUBLINK", "ANY_SUBLINK", "ALL_SUBLINK")
    return kind in _YES_OR_NO


def _of_constant(constant: Node) -> float:
    number = constant.get("fval", {}).get("fval", "")
    written = constant.get("sval", {}).get("sval", "") or number
    if len(written) < 40 and _LONG_NUMBER.fullmatch(written.strip().lower()):
        digits = written.lower().rpartition("e")[2].strip().lstrip("+0").replace("_", "") or "0"
        return min(float(digits) + len(written), _OF_A_NUMBER)
    return len(written) or 1


def _written(node: Expression) -> str:
    return str(node.get("A_Const", {}).get("sval", {}).get("sval", ""))


def _length(node: Expression) -> int:
    """Return the length of a string that stands in the text, 1 for any other."""
    return len(_written(node)) or 1
