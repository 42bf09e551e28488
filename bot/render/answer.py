"""The words of a card: its lead, the answer or the summary, and what belongs right after; pure."""

from __future__ import annotations

from collections.abc import Iterator

from agent.messages import AgentResult, Outcome
from bot.render.endings import LEADS, UNFINISHED, found_so_far
from bot.render.markdown import Piece, pieces
from bot.render.text import plain

GO_ON = "Answer here in the thread and I will go on."


def answer_pieces(result: AgentResult, *, has_table: bool, next_step: str) -> list[Piece]:
    """Return the card's words; tables inside them are left out where the card has its own.

    `next_step` is said where a person has to look at the run; mrkdwn of our own.
    """
    without_words = "Here is what the query returned." if has_table else "No answer came back."
    return list(_words(result, has_table, next_step)) or [Piece(without_words)]


def _words(result: AgentResult, has_table: bool, next_step: str) -> Iterator[Piece]:
    lead = f"*{LEADS[result.outcome]}*" if LEADS[result.outcome] else ""
    if result.outcome is Outcome.NEEDS_CLARIFICATION:
        yield Piece(lead)
        yield from _question(result)
        return
    is_refused = result.outcome is Outcome.ESCALATED
    # What was refused is no answer, whatever the run says of it.
    answer = [] if is_refused else pieces(result.answer, tables=not has_table)
    is_summary_due = result.outcome in UNFINISHED or not answer
    opening = f"{lead} {plain(result.summary.strip()) if is_summary_due else ''}".strip()
    if opening:
        yield Piece(opening)
    yield from answer
    if is_refused:
        yield Piece(next_step)
    so_far = found_so_far(result, has_table)
    if so_far:
        yield Piece(so_far)


def _question(result: AgentResult) -> Iterator[Piece]:
    asked = result.clarification
    question = asked.question if asked and asked.question.strip() else result.answer
    yield from pieces(question or result.summary)
    for option in asked.options if asked else ():
        yield Piece(f"• {plain(' '.join(option.split()))}", close=True)
    yield Piece(GO_ON)
