"""The words of a card: its lead, the answer or the summary, and what belongs right after; pure."""

from __future__ import annotations

from collections.abc import Iterator

from agent.messages import AgentResult, Outcome
from bot.render.endings import LEADS, UNFINISHED, found_so_far
from bot.render.handoff import Handoff
from bot.render.markdown import Piece, pieces
from bot.render.people import member
from bot.render.text import plain


def answer_pieces(result: AgentResult, *, has_table: bool, handoff: Handoff) -> list[Piece]:
    """Return the card's words; tables inside them are left out where the card has its own.

    `handoff` says what is next where a person has to look at the run, or was asked back.
    """
    without_words = "Here is what the query returned." if has_table else "No answer came back."
    return list(_words(result, has_table, handoff)) or [Piece(without_words)]


def _words(result: AgentResult, has_table: bool, handoff: Handoff) -> Iterator[Piece]:
    lead = f"*{LEADS[result.outcome]}*" if LEADS[result.outcome] else ""
    was_stopped = result.outcome is Outcome.CANCELLED and bool(handoff.stopped_by)
    if was_stopped:
        lead = f"*Stopped by {member(handoff.stopped_by)}.*"
    if result.outcome is Outcome.NEEDS_CLARIFICATION:
        yield Piece(lead)
        yield from _question(result, handoff.go_on)
        return
    is_refused = result.outcome is Outcome.ESCALATED
    # What was refused is no answer, whatever the run says of it.
    answer = [] if is_refused else pieces(result.answer, tables=not has_table)
    is_summary_due = (result.outcome in UNFINISHED or not answer) and not was_stopped
    opening = f"{lead} {plain(result.summary.strip()) if is_summary_due else ''}".strip()
    if opening:
        yield Piece(opening)
    yield from answer
    if is_refused:
        yield Piece(handoff.next_step)
    so_far = found_so_far(result, has_table)
    if so_far:
        yield Piece(so_far)


def _question(result: AgentResult, go_on: str) -> Iterator[Piece]:
    asked = result.clarification
    question = asked.question if asked and asked.question.strip() else result.answer
    yield from pieces(question or result.summary)
    for option in asked.options if asked else ():
        yield Piece(f"• {plain(' '.join(option.split()))}", close=True)
    yield Piece(go_on)
