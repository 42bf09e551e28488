"""The table block. Its limits are the ones most often met by an app that answers with data."""

from __future__ import annotations

from bot.local_workspace.blocks.elements import BLOCK_ID
from bot.local_workspace.blocks.rich_text import RICH_TEXT
from bot.local_workspace.blocks.rules import (
    Json,
    Nullable,
    Report,
    boolean,
    by_type,
    choice,
    listing,
    shape,
    text,
)

MAX_ROWS = 100
MAX_COLUMNS = 20
MAX_CELL_CHARACTERS = 10_000  # over all cells of a message

# raw_number is documented, yet a live workspace was seen to refuse it; the strict side is taken.
_CELL = by_type({"raw_text": shape({"text": text(1)}), "rich_text": RICH_TEXT})
# A null stands for a column with the default settings.
_COLUMN = Nullable(shape({}, {"align": choice("left", "center", "right"), "is_wrapped": boolean}))


def _equal_rows(value: Json, path: str, report: Report) -> None:
    """All rows have the same number of cells."""
    rows = value.get("rows")
    if isinstance(rows, list) and all(isinstance(row, list) for row in rows):
        widths = {len(row) for row in rows}
        if len(widths) > 1:
            report.add(f"{path}/rows", "all rows must have the same number of cells")


TABLE = shape(
    {"rows": listing(listing(_CELL, 1, MAX_COLUMNS), 1, MAX_ROWS)},
    {"column_settings": listing(_COLUMN, 0, MAX_COLUMNS), "block_id": BLOCK_ID},
    _equal_rows,
)
