"""As much of PromQL's grammar as our dashboard and alerts use: what it does not know it refuses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

TOKENS = re.compile(
    r"\s*(?:(?P<string>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')"
    r"|(?P<range>\[[^\]]+\])"
    r"|(?P<number>\d+(?:\.\d+)?(?![\w]))"
    r"|(?P<name>[a-zA-Z_:][\w:]*)"
    r"|(?P<op>=~|!~|!=|==|>=|<=|[-+*/%^<>=(){},]))"
)
RANGE = re.compile(r"\[(?:\d+(?:ms|s|m|h|d|w|y)|\$__rate_interval)\]")
AGGREGATIONS = {"sum", "min", "max", "avg", "count", "topk", "bottomk"}
FUNCTIONS = {"rate": True, "increase": True, "absent": False, "histogram_quantile": False}
"""By name: whether it takes a range."""
BINARY = {"+", "-", "*", "/", "%", "^", "==", "!=", ">", "<", ">=", "<=", "and", "or", "unless"}


class NotPromQl(ValueError):
    """What cannot be read."""


@dataclass
class Expression:
    """Reads one expression; raises `NotPromQl`."""

    text: str
    metrics: set[str] = field(default_factory=set)
    labels: dict[str, set[str]] = field(default_factory=dict)
    """By metric, the labels that are matched."""
    grouped: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._tokens, end = [], 0
        while self.text[end:].strip():
            found = TOKENS.match(self.text, end)
            if found is None:
                raise NotPromQl(self.text[end:])
            self._tokens.append((found.lastgroup, found[found.lastgroup]))
            end = found.end()
        self._at = 0
        self._binary()
        if self._at < len(self._tokens):
            raise NotPromQl(f"{self.text}: left over from {self._tokens[self._at]}")

    def _peek(self) -> tuple[str, str]:
        return self._tokens[self._at] if self._at < len(self._tokens) else ("end", "")

    def _take(self, wanted: str = "", kind: str = "") -> str:
        found = self._peek()
        if (wanted and found[1] != wanted) or (kind and found[0] != kind):
            raise NotPromQl(f"{self.text}: {found} and not {wanted or kind}")
        self._at += 1
        return found[1]

    def _binary(self) -> None:
        self._operand()
        while self._peek()[1] in BINARY and self._peek()[0] != "string":
            self._take()
            while self._peek()[1] in ("on", "ignoring", "group_left", "group_right", "bool"):
                self._take()
                self._names()
            self._operand()

    def _operand(self) -> None:
        kind, text = self._peek()
        if text == "(" and kind == "op":
            self._take()
            self._binary()
            self._take(")")
        elif kind == "number":
            self._take()
        elif text in AGGREGATIONS:
            self._aggregation()
        elif text in FUNCTIONS:
            self._call(self._take())
        else:
            self._selector(with_range=False)

    def _aggregation(self) -> None:
        self._take()
        if self._peek()[1] in ("by", "without"):
            self._take()
            self.grouped |= self._names()
        self._take("(")
        self._binary()
        self._take(")")

    def _call(self, name: str) -> None:
        self._take("(")
        if FUNCTIONS[name]:
            self._selector(with_range=True)
        else:
            self._binary()
            while self._peek()[1] == ",":
                self._take()
                self._binary()
        self._take(")")

    def _names(self) -> set[str]:
        found: set[str] = set()
        if self._peek()[1] != "(":
            return found
        self._take("(")
        while self._peek()[0] == "name":
            found.add(self._take())
            if self._peek()[1] == ",":
                self._take()
        self._take(")")
        return found

    def _selector(self, *, with_range: bool) -> None:
        name = self._take(kind="name")
        self.metrics.add(name)
        if self._peek()[1] == "{":
            self._take()
            while self._peek()[1] != "}":
                self.labels.setdefault(name, set()).add(self._take(kind="name"))
                if self._take(kind="op") not in ("=", "!=", "=~", "!~"):
                    raise NotPromQl(self.text)
                self._take(kind="string")
                if self._peek()[1] == ",":
                    self._take()
            self._take("}")
        if with_range != (self._peek()[0] == "range"):
            raise NotPromQl(f"{self.text}: a range where none is due, or none where one is")
        if with_range and not RANGE.fullmatch(self._take()):
            raise NotPromQl(f"{self.text}: no such range")
