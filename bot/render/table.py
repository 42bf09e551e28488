"""A query result -> Slack's table block, as much of it as fits; pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent.messages import QueryResult
from bot.render.blocks import Block
from bot.render.reader import ENGLISH, Reader
from bot.render.text import clip
from bot.render.values import Shown, readable

MAX_ROWS: Final = 40
"""Rows that a person still reads in a thread; Slack takes 99 below the headings."""
MAX_COLUMNS: Final = 20
MAX_CHARS: Final = 9_500
"""Slack refuses more than 10,000 over all cells."""

ROUNDED: Final = "Some figures are rounded here; the CSV has them in full."

_CELL_CAPS: Final = (160, 80, 40, 20)
_MAX_FIGURE: Final = 60  # a figure is never cut short of this


@dataclass(frozen=True)
class Table:
    """A table block and what a reader must know of it: what is not in it."""

    block: Block | None
    notes: tuple[str, ...]


def render_table(
    result: QueryResult, budget: int, *, rows: int = MAX_ROWS, reader: Reader = ENGLISH
) -> Table:
    """Return the first `rows` of a result within `budget` characters; no block where none fits."""
    kept = result.rows[:rows]
    columns = [
        readable(column, [row[at] for row in kept], reader)
        for at, column in enumerate(result.columns[:MAX_COLUMNS])
    ]
    for cap in _CELL_CAPS:
        fitted = [_clipped(column, cap) for column in columns]
        if _size(fitted) <= min(budget, MAX_CHARS):
            break
    else:
        fitted = _shortened(fitted, min(budget, MAX_CHARS))
    if not fitted:
        return Table(None, ("The table did not fit here; the CSV has it.",))
    cut = any(
        one.cells != full.cells[: len(one.cells)]
        for one, full in zip(fitted, columns, strict=False)
    )
    return Table(_block(fitted), _notes(result, fitted, cut, reader))


def _clipped(column: Shown, cap: int) -> Shown:
    cells = tuple(clip(cell, max(cap, _MAX_FIGURE * column.is_number)) for cell in column.cells)
    return Shown(clip(column.heading, cap), cells, column.is_number, column.rounded)


def _shortened(columns: list[Shown], budget: int) -> list[Shown]:
    """Leave out rows from the end, and once only one is left, columns."""
    while columns and _size(columns) > budget:
        count = len(columns[0].cells)
        if count > 1:
            kept = max(1, min(count - 1, count * budget // _size(columns)))
            columns = [
                Shown(each.heading, each.cells[:kept], each.is_number, each.rounded)
                for each in columns
            ]
        else:
            columns = columns[:-1]
    return columns


def _size(columns: Sequence[Shown]) -> int:
    return sum(len(each.heading) + sum(map(len, each.cells)) for each in columns)


def _block(columns: Sequence[Shown]) -> Block:
    lines = zip(*((each.heading, *each.cells) for each in columns), strict=True)
    return {
        "type": "table",
        "column_settings": [
            {"align": "right"} if each.is_number else {"align": "left", "is_wrapped": True}
            for each in columns
        ],
        "rows": [[{"type": "raw_text", "text": cell} for cell in line] for line in lines],
    }


def _notes(
    result: QueryResult, shown: Sequence[Shown], cut: bool, reader: Reader
) -> tuple[str, ...]:
    notes = []
    rows, all_rows = len(shown[0].cells), len(result.rows)
    total = reader.count(all_rows)
    if rows < all_rows and result.truncated:
        notes.append(f"First {rows} of the {total} rows that were read; the CSV has those.")
    elif rows < all_rows:
        notes.append(f"First {rows} of {total} rows; the CSV has all.")
    if len(shown) < len(result.columns):
        notes.append(f"First {len(shown)} of {len(result.columns)} columns; the CSV has all.")
    rounded = any(column.rounded for column in shown)
    if rounded or cut:
        what = " and ".join(
            words
            for words, due in (("Some figures are rounded", rounded), ("long texts are cut", cut))
            if due
        )
        notes.append(f"{what[0].upper()}{what[1:]} here; the CSV has them in full.")
    return tuple(notes)
