"""The card: one message for one run, always in the same order; pure.

Warnings, answer, table, charts, plan, how it was found, caveats, buttons, cost. What does not
apply is left out. Where space is short the warnings keep theirs, and the answer comes before the
table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from agent.messages import AgentResult, QueryResult
from bot.render.answer import answer_pieces
from bot.render.blocks import MAX_SECTION, Block, context, section, size
from bot.render.endings import due_warnings, shown_result
from bot.render.foot import render_charts, render_foot
from bot.render.handoff import Handoff, turn_to
from bot.render.markdown import Piece, pack
from bot.render.prose import in_notation
from bot.render.reader import ENGLISH, Reader
from bot.render.small import in_words
from bot.render.table import ROUNDED, render_table
from bot.render.text import escape, fallback, plain, split

MAX_TEXT: Final = 3_900
"""Slack advises at most 4,000 characters for the text beside the blocks."""
MAX_BLOCK_TEXT: Final = 12_500
"""Slack refuses a message with about 13,200 characters in its blocks."""

TOO_LONG: Final = "more warnings are too long to stand here."
_MAX_WARNINGS: Final = 8_000  # far more than our own warnings ever take
_MAX_TEXT_WARNINGS: Final = 3_300
_ONE_WARNING: Final = 2_800
_MIN_ANSWER: Final = 600
_FOR_THE_TABLE: Final = 2_500  # what a long answer leaves to the table
_FOR_NOTES: Final = 300


@dataclass(frozen=True)
class Card:
    """A message: its blocks, and the text that notifications and screen readers use."""

    blocks: list[dict[str, Any]]
    text: str


def render_card(
    result: AgentResult,
    *,
    run_id: str,
    chart_file_ids: Sequence[str | None] = (),
    handoff: Handoff | None = None,
    opening: str = "",
    reader: Reader = ENGLISH,
) -> Card:
    """Return the card of a run.

    `run_id` is what its buttons carry. `chart_file_ids` are the uploaded files of the charts, in
    their order; None, or a missing one, stands for a picture that could not be shown. `handoff`
    says what becomes of a run that a person has to look at. `opening` is mrkdwn of our own that
    stands between the warnings and the answer. `reader` is for whose eyes its figures, dates and
    times are written.
    """
    result, how_to_read = in_notation(result, reader)
    handoff = handoff or turn_to("")
    due = due_warnings(result)
    shown = shown_result(result)
    warnings = _kept(due, _MAX_WARNINGS)
    head = [section(text) for text in pack(_bold(warnings), MAX_SECTION)]
    head += [section(opening)] if opening else []
    charts = render_charts(result.charts, chart_file_ids)
    foot = render_foot(result, shown, run_id, handoff, reader)
    room = MAX_BLOCK_TEXT - size([*head, *charts, *foot])
    answer = answer_pieces(result, has_table=shown is not None, handoff=handoff)
    limit = max(_MIN_ANSWER, room - (_FOR_THE_TABLE if shown else 0))
    sections, left = _sections(answer, limit, reader)
    if left or any(text.endswith(TOO_LONG) for text in warnings[-1:]):
        foot = render_foot(result, shown, run_id, handoff, reader, is_cut=True)
    sections += [context(how_to_read)] if how_to_read else []
    table = [] if shown is None else _table(shown, room - size(sections) - _FOR_NOTES, reader)
    return Card([*head, *sections, *table, *charts, *foot], _text(due, opening, answer))


def reduced(card: Card) -> Card:
    """Return the card without table, pictures and thumbs, for a Slack that refused the whole."""
    plainer = [block for block in card.blocks if block["type"] != "context_actions"]
    kept = [block for block in plainer if block["type"] not in ("table", "image")]
    if len(kept) == len(plainer):
        return Card(kept, card.text)
    at = next((at for at, block in enumerate(kept) if block["type"] == "context"), len(kept))
    note = context("Slack did not take the table or the picture of this answer.")
    return Card([*kept[:at], note, *kept[at:]], card.text)


def _kept(due: Sequence[str], limit: int) -> list[str]:
    """The warnings as lines of mrkdwn, whole; past `limit` a last line counts what is missing."""
    lines = [part for text in due for part in split(plain(text), _ONE_WARNING)]
    sizes = [sum(len(line) + 6 for line in lines[: at + 1]) for at in range(len(lines))]
    kept = [line for line, reached in zip(lines, sizes, strict=True) if reached <= limit]
    missing = len(lines) - len(kept)
    return [*kept, f"{missing} {TOO_LONG}"] if missing else kept


def _bold(lines: Sequence[str]) -> list[Piece]:
    return [Piece(f"⚠️ *{line}*", close=True) for line in lines]


def _sections(answer: Sequence[Piece], limit: int, reader: Reader) -> tuple[list[Block], int]:
    """The answer in as many sections as `limit` allows, a note where it goes on, and how far."""
    room = limit - 150
    texts = pack(answer, min(MAX_SECTION, room))
    kept: list[str] = []
    for text in texts:
        if sum(map(len, kept)) + len(text) > room:
            break
        kept.append(text)
    blocks = [section(text) for text in kept]
    left = sum(map(len, texts[len(kept) :]))
    if left:
        blocks.append(
            section(
                f"✂️ _The answer goes on: {reader.count(left)} more characters did not fit into a"
                " Slack message. *Whole answer* brings it as a file._"
            )
        )
    return blocks, left


def _table(shown: QueryResult, room: int, reader: Reader) -> list[Block]:
    small = in_words(shown, reader)
    if small is not None and len(small.mrkdwn) <= room:
        note = [context(ROUNDED)] if small.rounded else []
        return [section(small.mrkdwn), *note]
    table = render_table(shown, room, reader=reader)
    block = [table.block] if table.block else []
    return [*block, *([context(escape(" ".join(table.notes)))] if table.notes else [])]


def _text(due: Sequence[str], opening: str, answer: Sequence[Piece]) -> str:
    lines = [f"⚠️ {line}" for line in _kept(due, _MAX_TEXT_WARNINGS)]
    lines += [opening] if opening else []
    words = "\n\n".join(pack(answer, MAX_SECTION))
    return fallback("\n".join(lines) + ("\n\n" if lines else "") + words, MAX_TEXT)
