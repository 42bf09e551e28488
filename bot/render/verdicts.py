"""What people say of a run, as it reaches whoever asked; pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from bot.render.blocks import MAX_SECTION, Block, context, section
from bot.render.card import MAX_TEXT, Card
from bot.render.people import in_a_line, member, own_words
from bot.render.text import fallback, split

_FOUR_LINES: Final = 4


def render_answer(*, asker: str, who: str, answer: str, question: str) -> Card:
    """Return a person's answer, for the thread of the question."""
    return _told(f"{member(asker)}: *{member(who)} answers:*", answer, question)


def render_wrong(*, asker: str, who: str, note: str, question: str) -> Card:
    """Return the news that an answer is wrong, for its thread."""
    lead = f"⚠️ {member(asker)}: *{member(who)} says that my answer is wrong:*"
    return _told(lead, note, question)


def render_closed(*, asker: str, who: str, question: str) -> Card:
    """Return the news that nobody will answer, for the thread of the question."""
    return _told(f"{member(asker)}: {member(who)} has closed this without an answer.", "", question)


def render_called(caller: str) -> Card:
    """Return the news that somebody has called for a person, for the thread of the card."""
    words = f"🙋 {member(caller)} has asked a person to look at this."
    return Card([section(words)], words)


def with_warning(blocks: Sequence[dict[str, Any]], text: str, *, who: str, note: str) -> Card:
    """Return a card, given by its blocks and its text, with a person's warning on top."""
    words = f"⚠️ *{member(who)} says that this answer is wrong:* {own_words(note)}"
    warning = [section(part) for part in split(words, MAX_SECTION)]
    return Card([*warning, *blocks], fallback(f"{words}\n\n{text}", MAX_TEXT))


def _told(lead: str, words: str, question: str) -> Card:
    text = f"{lead}\n{own_words(words)}".strip()
    parts: list[Block] = [section(part) for part in split(text, MAX_SECTION)[:_FOUR_LINES]]
    return Card([*parts, context(f"About: {in_a_line(question)}")], fallback(text, MAX_TEXT))
