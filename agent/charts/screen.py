"""The last look at a specification before a renderer gets it.

Our own builder makes none of what is refused here. A renderer that fetches addresses, reads local
images or evaluates expressions is too dangerous to rest on that alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

from agent.errors import ChartRejected

FORBIDDEN_KEYS: Final = frozenset(
    {"url", "href", "expr", "calculate", "params", "param", "signal", "lookup", "sequence"}
    | {"graticule", "sphere", "transform", "datasets", "labelExpr", "test", "filter", "repeat"}
    | {"hconcat", "vconcat", "concat", "usermeta", "projection", "name", "events", "update"}
)
ALLOWED_MARKS: Final = frozenset({"bar", "line", "area", "point", "arc", "rect", "rule", "text"})
MAX_ROWS: Final = 5_000
MAX_PIXELS: Final = 1_600
MAX_DEPTH: Final = 24
MAX_TEXT: Final = 500
MAX_NODES: Final = 150_000


def refuse_unsafe(spec: dict[str, Any]) -> None:
    """Raise `ChartRejected` if `spec` may reach out, run code, or take too much."""
    for count, (key, value, depth) in enumerate(_walk(spec)):
        if count > MAX_NODES or depth > MAX_DEPTH:
            raise ChartRejected("The chart is too large to draw.")
        _refuse_key(key, value)
        _refuse_value(key, value)


def _walk(spec: dict[str, Any]) -> Iterator[tuple[str, Any, int]]:
    """Yield every value with its key and depth, without recursion."""
    waiting: list[tuple[str, Any, int]] = [("", spec, 0)]
    while waiting:
        key, value, depth = waiting.pop()
        yield key, value, depth
        if isinstance(value, dict):
            waiting += [(str(name), each, depth + 1) for name, each in value.items()]
        elif isinstance(value, list):
            waiting += [(key, each, depth + 1) for each in value]


def _refuse_key(key: str, value: Any) -> None:
    if key in FORBIDDEN_KEYS:
        raise ChartRejected(f"A chart may not contain {key!r}.")
    if key == "data" and not (isinstance(value, dict) and set(value) == {"values"}):
        raise ChartRejected("A chart's data are the rows of a query result and nothing else.")
    if key == "mark":
        mark = value.get("type") if isinstance(value, dict) else value
        if mark not in ALLOWED_MARKS:
            raise ChartRejected(f"The mark {str(mark)[:40]!r} is not allowed.")
    if key == "values" and (not isinstance(value, (list, dict)) or len(value) > MAX_ROWS):
        raise ChartRejected(f"A chart has at most {MAX_ROWS:,} rows.")


def _refuse_value(key: str, value: Any) -> None:
    if isinstance(value, str):
        if len(value) > MAX_TEXT:
            raise ChartRejected(f"A text in the chart is longer than {MAX_TEXT} characters.")
        if key != "$schema" and "://" in value and key in ("image", "src", "shape", "symbolType"):
            raise ChartRejected("A chart may not point at an address.")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        if not math.isfinite(value):
            raise ChartRejected("A chart can only show finite numbers.")
        if key in ("width", "height") and not 0 < value <= MAX_PIXELS:
            raise ChartRejected(f"A chart is at most {MAX_PIXELS} pixels wide and high.")
    elif value is not None and not isinstance(value, (bool, dict, list)):
        raise ChartRejected("A chart may only hold plain JSON values.")
