"""The message to those who run the bot, of a run that ended badly; pure."""

from __future__ import annotations

from typing import Final

from bot.render.blocks import section
from bot.render.card import MAX_TEXT, Card
from bot.render.counting import counted
from bot.render.people import link, member
from bot.render.text import clip, code, fallback, plain

_MAX_REASON: Final = 300


def render_alarm(
    ending: str,
    reason: str,
    *,
    run_id: str,
    asker: str,
    link_to_thread: str,
    more: int = 0,
    verb: str = "ended as",
) -> Card:
    """Return the message; `more` runs ended in the same way since the last one.

    `verb` is for what is no end, such as "was".
    """
    lead = f"⚠️ *A run {verb} {plain(ending)}:* {plain(clip(reason, _MAX_REASON))}."
    where = link("Its thread", link_to_thread)
    lines = [
        lead,
        f"{member(asker)} asked. {where if link_to_thread else 'It has no thread'} · "
        + code(f"db-agent trail {run_id}"),
    ]
    if more:
        lines.append(f"{counted(more, 'more run')} the same since the last message like this.")
    return Card([section("\n".join(lines))], fallback(lead, MAX_TEXT))
