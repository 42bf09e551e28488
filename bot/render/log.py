"""What was found in the log, as a list; pure."""

from __future__ import annotations

from collections.abc import Sequence

from bot.render.blocks import context, section
from bot.render.card import MAX_TEXT, Card
from bot.render.counting import counted
from bot.render.lists import in_sections
from bot.render.text import fallback

NOTHING = "I found no such question in the log."
ONLY_YOURS = (
    "You see your own questions, those of this channel, and those of public channels. "
    "`/ask log help` says what to look for. A question that was deleted stays here."
)


def render_log(sentences: Sequence[str], *, limit: int) -> Card:
    """Return the entries, each a sentence of mrkdwn; `limit` is how many were asked for at most."""
    if not sentences:
        return Card([section(NOTHING), context(ONLY_YOURS)], NOTHING)
    count = counted(len(sentences), "question")
    newest = f"The newest {len(sentences)} questions" if len(sentences) >= limit else count
    lines = [f"*{newest}:*", *(f"• {sentence}" for sentence in sentences)]
    blocks = [*in_sections(lines, "question"), context(ONLY_YOURS)]
    return Card(blocks, fallback("\n".join(lines), MAX_TEXT))
