"""What the bot may read, as `/ask tables` and the Home tab tell it; pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.render.blocks import MAX_SECTION, context, section
from bot.render.card import MAX_TEXT, Card
from bot.render.counting import counted
from bot.render.markdown import Piece, pack
from bot.render.reader import ENGLISH, Reader
from bot.render.text import clip, code, fallback, plain

MAX_NAME: Final = 80
MAX_COMMENT: Final = 140
MAX_LISTED: Final = 10_000
"""Characters of all lines together; the rest is counted."""

NOTHING: Final = (
    "I may read no table here. Whoever runs this bot can allow some to my login: SELECT on them."
)
NO_CATALOGUE: Final = "I cannot list the tables here."
FOUND_BY_WORDS: Final = "`/ask tables customer payment` finds those that fit some words."
NAMES_ONLY: Final = (
    "You see names and remarks, no rows; sizes are estimates. If you meant a question about"
    " tables of another kind, put it as a whole sentence."
)


@dataclass(frozen=True)
class ListedTable:
    """A table in a list. `rows` is an estimate; None where nobody has counted."""

    name: str
    kind: str
    comment: str
    rows: int | None


def render_tables(
    tables: Sequence[ListedTable],
    *,
    total: int,
    words: str = "",
    fits: bool = True,
    reader: Reader = ENGLISH,
) -> Card:
    """Return the tables, as many as fit a message.

    `total` is how many may be read in all. `words` are what they were looked for by, if at all;
    not `fits`: none does, and these are others.
    """
    if not total:
        return Card([section(NOTHING)], NOTHING)
    lines = listed(tables, MAX_LISTED, reader)
    heading = _heading(len(tables), total, words, reader, fits=fits)
    texts = pack([Piece(line, close=True) for line in (f"*{heading}*", *lines)], MAX_SECTION)
    left = len(tables) - len(lines)
    more = f"{counted(left, 'more table', reader)} did not fit here. " if left else ""
    hint = "" if words and fits else f"{FOUND_BY_WORDS} "
    blocks = [*(section(text) for text in texts), context(f"{more}{hint}{NAMES_ONLY}")]
    return Card(blocks, fallback("\n".join((heading, *lines)), MAX_TEXT))


def listed(tables: Sequence[ListedTable], limit: int, reader: Reader = ENGLISH) -> list[str]:
    """Return a line of mrkdwn for each of the first tables, at most `limit` characters in all."""
    lines: list[str] = []
    for table in tables:
        line = _line(table, reader)
        limit -= len(line) + 1
        if limit < 0:
            break
        lines.append(line)
    return lines


def _heading(count: int, total: int, words: str, reader: Reader, *, fits: bool) -> str:
    if not words:
        return f"I may read {counted(total, 'table', reader)}:"
    looked_for = f"“{plain(clip(words, 80))}”"
    if fits:
        return f"{counted(count, 'table', reader)} of {reader.count(total)} for {looked_for}:"
    return f"No table fits {looked_for}. Some of the {reader.count(total)} that I may read:"


def _line(table: ListedTable, reader: Reader) -> str:
    about = [] if table.kind == "table" else [plain(table.kind)]
    about += [] if table.rows is None else [f"about {counted(table.rows, 'row', reader)}"]
    size = f" ({', '.join(about)})" if about else ""
    comment = plain(clip(" ".join(table.comment.split()), MAX_COMMENT))
    return f"• {code(clip(table.name, MAX_NAME))}{size}{': ' if comment else ''}{comment}"
