"""A small result as words instead of a table; pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent.messages import QueryResult
from bot.render.reader import ENGLISH, Reader
from bot.render.text import plain
from bot.render.values import Shown, readable

MAX_COLUMNS: Final = 4
"""Columns of a single row that are told as words."""
MAX_ROWS: Final = 3
"""Rows of two columns that are told as words."""
MAX_CELL: Final = 40
"""Characters of a heading or a value; longer ones are read better in a table."""


@dataclass(frozen=True)
class Small:
    """A result in words: mrkdwn, and whether some figure has more digits than are shown."""

    mrkdwn: str
    rounded: bool


def in_words(result: QueryResult, reader: Reader = ENGLISH) -> Small | None:
    """Return a result in words; None where it is better read as a table."""
    rows, columns = len(result.rows), len(result.columns)
    is_row = rows == 1 and 1 <= columns <= MAX_COLUMNS
    is_list = 1 < rows <= MAX_ROWS and columns == 2
    if result.truncated or not (is_row or is_list):
        return None
    shown = [
        readable(column, [row[at] for row in result.rows], reader)
        for at, column in enumerate(result.columns)
    ]
    texts = [text for column in shown for text in (column.heading, *column.cells)]
    if max(map(len, texts)) > MAX_CELL:
        return None
    lines = _row(shown) if is_row else _list(shown)
    return Small("\n".join(lines), any(column.rounded for column in shown))


def _row(shown: Sequence[Shown]) -> list[str]:
    return [f"{plain(column.heading)}: {plain(column.cells[0])}" for column in shown]


def _list(shown: Sequence[Shown]) -> list[str]:
    names, values = shown
    heading = f"*{plain(names.heading)}: {plain(values.heading)}*"
    pairs = zip(names.cells, values.cells, strict=True)
    return [heading, *(f"• {plain(name)}: {plain(value)}" for name, value in pairs)]
