"""The buttons under a card; pure."""

from __future__ import annotations

from typing import Final

from agent.messages import AgentResult, QueryResult
from bot.render.blocks import Block, Button, buttons
from bot.render.feedback import thumbs
from bot.render.handoff import CONFIRM, Handoff

SHOW_SQL: Final = "show_sql"
WHY: Final = "why"
CSV: Final = "csv"
ASK_A_PERSON: Final = "ask_a_person"


def render_buttons(
    result: AgentResult, shown: QueryResult | None, run_id: str, handoff: Handoff
) -> list[Block]:
    """Return the rows of buttons under an answer whose card shows the rows of `shown`."""
    has_sql = bool(result.results or result.set_aside)
    row = [
        *([Button(SHOW_SQL, "Show SQL")] if has_sql else []),
        Button(WHY, "Why"),
        *([Button(CSV, "CSV")] if shown is not None else []),
        Button(ASK_A_PERSON, "Ask a person", confirm=CONFIRM if handoff.has_channel else None),
    ]
    return [buttons(row, run_id), thumbs(run_id)]
