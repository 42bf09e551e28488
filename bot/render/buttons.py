"""The buttons under a card; pure."""

from __future__ import annotations

from typing import Final

from agent.messages import AgentResult, QueryResult
from bot.render.blocks import Block, Button, buttons
from bot.render.endings import CLAIMS_AN_ANSWER
from bot.render.feedback import thumbs
from bot.render.handoff import CONFIRM, Handoff

SHOW_SQL: Final = "show_sql"
WHY: Final = "why"
CSV: Final = "csv"
ASK_A_PERSON: Final = "ask_a_person"
SHARE: Final = "share"
WHOLE_ANSWER: Final = "whole_answer"

_SHARE: Final[Block] = {
    "title": {"type": "plain_text", "text": "Share with the channel?"},
    "text": {
        "type": "plain_text",
        "text": "Everybody in this channel will see your question, this answer and your name.",
    },
    "confirm": {"type": "plain_text", "text": "Share"},
    "deny": {"type": "plain_text", "text": "Cancel"},
}


def render_buttons(
    result: AgentResult,
    shown: QueryResult | None,
    run_id: str,
    handoff: Handoff,
    *,
    is_cut: bool = False,
) -> list[Block]:
    """Return the rows of buttons under an answer whose card shows the rows of `shown`.

    `is_cut`: some of its words are not on the card.
    """
    has_sql = bool(result.results or result.set_aside)
    may_share = handoff.can_share and result.outcome in CLAIMS_AN_ANSWER
    row = [
        *([Button(WHOLE_ANSWER, "Whole answer")] if is_cut else []),
        *([Button(SHOW_SQL, "Show SQL")] if has_sql else []),
        Button(WHY, "Why"),
        *([Button(CSV, "CSV")] if shown is not None else []),
        Button(ASK_A_PERSON, "Ask a person", confirm=CONFIRM if handoff.has_channel else None),
        *([Button(SHARE, "Share", confirm=_SHARE)] if may_share else []),
    ]
    return [buttons(row, run_id), thumbs(run_id)]
