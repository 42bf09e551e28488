"""The smaller messages: the SQL, the story, a notice; pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.render.blocks import MAX_SECTION, Block, context, section
from bot.render.card import MAX_BLOCK_TEXT, MAX_TEXT, Card
from bot.render.counting import counted
from bot.render.markdown import Piece, pack, pieces
from bot.render.text import code_blocks, fallback, plain

SHOWN_OF_ID: Final = 8
CUT_STORY: Final = (
    "✂️ The story goes on: the button *Why* under the answer brings it whole, as a file."
)
_MAX_QUERIES: Final = 20
_OF_A_STORY: Final = 4  # sections


def render_sql(sql: Sequence[str], set_aside: Sequence[str] = ()) -> Card:
    """Return the queries of a run, numbered, each as it was sent; a long one is cut and says so.

    `set_aside` are queries that ran, but whose rows the run took back.
    """
    total = len(sql) + len(set_aside)
    if not total:
        return render_notice("No query was run, so there is no SQL to show.")
    kept, aside = sql[:_MAX_QUERIES], set_aside[: max(0, _MAX_QUERIES - len(sql))]
    shown = len(kept) + len(aside)
    limit = _room_for_each(shown)
    blocks = [_query(f"Query {number}", query, limit) for number, query in enumerate(kept, 1)]
    if aside:
        blocks.append(section("*Set aside:* these ran, but nothing on the card rests on them."))
        blocks += [_query(f"Set aside {at}", query, limit) for at, query in enumerate(aside, 1)]
    if total > shown:
        blocks.append(context(f"{counted(total - shown, 'more query')} did not fit here."))
    words = f"The SQL of this answer: {counted(len(sql), 'query')}"
    return Card(blocks, f"{words}, {len(set_aside)} set aside." if set_aside else f"{words}.")


def sql_fits(sql: Sequence[str], set_aside: Sequence[str] = ()) -> bool:
    """Whether a message holds all that `render_sql` shows, nothing cut."""
    every = [*sql, *set_aside]
    room = _room_for_each(max(1, min(len(every), _MAX_QUERIES)))
    return len(every) <= _MAX_QUERIES and all(len(code_blocks(q, room)) < 2 for q in every)


def _room_for_each(queries: int) -> int:
    return min(MAX_SECTION, (MAX_BLOCK_TEXT - 700) // queries) - 120


def render_why(story: str, run_id: str = "") -> Card:
    """Return what a run did and why, in plain words; names in it stand between backticks.

    The beginning of `run_id`, where it is given, stands below: `db-agent trail` takes it.
    """
    texts = _told(story)
    kept = texts[:_OF_A_STORY]
    cut = [context(CUT_STORY)] if len(texts) > len(kept) else []
    below = [context(f"Run {plain(run_id[:SHOWN_OF_ID])}")] if run_id else []
    return Card([*map(section, kept), *cut, *below], fallback("\n\n".join(kept), MAX_TEXT))


def story_fits(story: str) -> bool:
    """Whether a message holds the whole of what `render_why` shows."""
    return len(_told(story)) <= _OF_A_STORY


def _told(story: str) -> list[str]:
    return pack([Piece("*What I did, and why*"), *pieces(story)], MAX_SECTION)


def render_notice(text: str) -> Card:
    """Return a message of plain words: a refusal, a fault, a hint."""
    words = plain(text).strip() or "There is nothing to say."
    kept = pack([Piece(words)], MAX_SECTION)[:4]
    return Card([section(part) for part in kept], fallback(words, MAX_TEXT))


def render_words(mrkdwn: str) -> Card:
    """Return a message of our own mrkdwn, mentions and links alive."""
    return Card([section(mrkdwn)], fallback(mrkdwn, MAX_TEXT))


def _query(title: str, query: str, limit: int) -> Block:
    parts = code_blocks(query, limit) or ["(empty)"]
    left = sum(len(part) for part in parts[1:])
    note = f"\n✂️ _Cut here: about {left:,} more characters._" if left else ""
    return section(f"*{title}*\n{parts[0]}{note}")
