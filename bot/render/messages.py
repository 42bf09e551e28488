"""The smaller messages: steps while it works, the SQL, a notice, help; pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.render.blocks import MAX_SECTION, Block, context, section
from bot.render.card import MAX_BLOCK_TEXT, MAX_TEXT, Card
from bot.render.foot import counted
from bot.render.markdown import Piece, pack
from bot.render.text import clip, code_blocks, fallback, plain

_MAX_STEPS: Final = 12
_ONE_STEP: Final = 180
_MAX_QUERIES: Final = 20


def render_working(steps: Sequence[str], *, model: str) -> Card:
    """Return what stands in the thread while a run goes on; the last step is the one under way."""
    shown = list(steps[-_MAX_STEPS:])
    lines = [clip(plain(" ".join(step.split())), _ONE_STEP) for step in shown]
    marked = [f"✓ {line}" for line in lines[:-1]] + [f"⏳ {line}" for line in lines[-1:]]
    if len(steps) > len(shown):
        marked.insert(0, f"✓ {counted(len(steps) - len(shown), 'earlier step')}")
    title = "*Working on it…*"
    name = plain(clip(model, 80))
    blocks = [section("\n".join([title, *marked])), *([context(name)] if name else [])]
    return Card(blocks, fallback(f"Working on it… {lines[-1] if lines else ''}".rstrip(), MAX_TEXT))


def render_sql(sql: Sequence[str]) -> Card:
    """Return the queries of a run, numbered, each as it was sent; a long one is cut and says so."""
    if not sql:
        return render_notice("No query was run, so there is no SQL to show.")
    shown = sql[:_MAX_QUERIES]
    limit = min(MAX_SECTION, (MAX_BLOCK_TEXT - 500) // len(shown)) - 120
    blocks = [_query(number, query, limit) for number, query in enumerate(shown, 1)]
    if len(sql) > len(shown):
        blocks.append(context(f"{counted(len(sql) - len(shown), 'more query')} did not fit here."))
    return Card(blocks, f"The SQL of this answer: {counted(len(sql), 'query')}.")


def render_notice(text: str) -> Card:
    """Return a message of plain words: a refusal, a fault, a hint."""
    words = plain(text).strip() or "There is nothing to say."
    kept = pack([Piece(words)], MAX_SECTION)[:4]
    return Card([section(part) for part in kept], fallback(words, MAX_TEXT))


def render_help(*, model: str) -> Card:
    """Return what the bot can do and how to ask it; `model` is who answers."""
    how = (
        "*Ask me about your data in plain words.* Mention me in a channel, write to me directly,"
        " or use `/ask`. I look at the tables, run a query that can only read, and show you the"
        " answer with its rows and its SQL."
    )
    examples = "\n".join(
        [
            "Questions I am good at:",
            "• How many customers do we have?",
            "• Top five categories by revenue, as a bar chart",
            "• Revenue by month in 2025",
            "• Which store has the most rentals?",
        ]
    )
    after = (
        "Go on in the same thread: “only last year”, “by store”, “as a line chart”. If something"
        " went wrong, or no query was run, a ⚠️ at the top of the answer says so."
    )
    name = plain(clip(model, 80))
    blocks = [section(how), section(examples), section(after)]
    blocks += [context(f"Answers come from: {name}")] if name else []
    return Card(
        blocks, "Ask me about your data in plain words: mention me, write to me, or use /ask."
    )


def _query(number: int, query: str, limit: int) -> Block:
    parts = code_blocks(query, limit) or ["(empty)"]
    left = sum(len(part) for part in parts[1:])
    note = f"\n✂️ _Cut here: about {left:,} more characters._" if left else ""
    return section(f"*Query {number}*\n{parts[0]}{note}")
