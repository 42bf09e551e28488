"""The questions that wait for a person, as a list; pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.render.blocks import context
from bot.render.card import MAX_TEXT, Card
from bot.render.counting import counted, waiting_time
from bot.render.lists import in_sections
from bot.render.people import in_a_line, link, member
from bot.render.text import fallback


@dataclass(frozen=True)
class Waiting:
    """One of them. Members are ids; links are "" where Slack gave none."""

    question: str
    asker: str
    seconds: float
    """For how long it has waited."""
    holder: str = ""
    thread_link: str = ""
    post_link: str = ""


def render_queue(waiting: Sequence[Waiting], *, more: int = 0, hidden: int = 0) -> Card:
    """Return the list, the longest wait first.

    `more` did not fit in it; `hidden` ones are not for this reader's eyes.
    """
    if waiting:
        title = f"*{counted(len(waiting) + more, 'question')} waiting for a person*, oldest first:"
    elif hidden:
        title = "*No question of yours waits for a person.*"
    else:
        title = "*No question waits for a person.*"
    lines = [title, *(f"• {_line(each)}" for each in waiting)]
    notes = [f"{counted(more, 'more question')} after these."] if more else []
    if hidden:
        notes.append(f"{counted(hidden, 'more question')} from conversations that you are not in.")
    blocks = [*in_sections(lines, "question"), *(context(note) for note in notes)]
    return Card(blocks, fallback("\n".join(lines), MAX_TEXT))


def render_reminder(waiting: Sequence[Waiting]) -> Card:
    """Return the message that brings up what has waited too long."""
    title = f"⏰ *Still waiting for a person:* {counted(len(waiting), 'question')}"
    lines = [title, *(f"• {_line(each)}" for each in waiting)]
    return Card(in_sections(lines, "question"), fallback("\n".join(lines), MAX_TEXT))


def _line(one: Waiting) -> str:
    held = f"{member(one.holder)} has it" if one.holder else "nobody has it yet"
    asked = link("asked", one.thread_link)
    post = f" · {link('open', one.post_link)}" if one.post_link else ""
    return (
        f"{waiting_time(one.seconds)} ago: {member(one.asker)} {asked} {in_a_line(one.question)}: "
        f"{held}{post}"
    )
