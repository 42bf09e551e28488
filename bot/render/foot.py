"""What stands under an answer: charts, how it was found, caveats, buttons, cost; pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from agent.messages import AgentResult, Chart, QueryResult
from bot.render.blocks import Block, context, picture
from bot.render.buttons import render_buttons
from bot.render.counting import cost, counted, duration
from bot.render.handoff import Handoff
from bot.render.how import how_line, note_line, plan_line
from bot.render.reader import ENGLISH, Reader
from bot.render.text import clip, inert, plain

_MAX_CHARTS: Final = 5
_MAX_ALT: Final = 1_500  # characters, over all charts of a card


def render_charts(charts: Sequence[Chart], file_ids: Sequence[str | None]) -> list[Block]:
    """Return a block for each chart: its picture, or a line that says it could not be shown."""
    shown = charts[:_MAX_CHARTS]
    blocks = []
    for at, chart in enumerate(shown):
        file_id = file_ids[at] if at < len(file_ids) else None
        title = clip(plain(" ".join(chart.title.split())), 150)
        if file_id:
            alt = inert(chart.alt_text) or inert(chart.title) or "A chart of the result"
            blocks.append(picture(file_id, clip(alt, _MAX_ALT // len(shown))))
        else:
            blocks.append(context(f"The chart {title} could not be shown.".replace("  ", " ")))
    if len(charts) > len(shown):
        blocks.append(context(f"{len(charts) - len(shown)} more charts are left out here."))
    return blocks


def render_foot(
    result: AgentResult,
    shown: QueryResult | None,
    run_id: str,
    handoff: Handoff,
    reader: Reader = ENGLISH,
    *,
    is_cut: bool = False,
) -> list[Block]:
    """Return the lines and buttons under an answer whose card shows the rows of `shown`.

    `is_cut`: some of the run's words are not on the card.
    """
    lines = (plan_line(result.plan), how_line(result, shown, reader), note_line(result))
    return [
        *(context(line) for line in lines if line),
        *render_buttons(result, shown, run_id, handoff, is_cut=is_cut),
        context(_cost(result, reader)),
    ]


def _cost(result: AgentResult, reader: Reader) -> str:
    parts = [clip(inert(result.model), 80), duration(result.duration_ms, reader)]
    if result.hops:
        parts.append(counted(result.hops, "step", reader))
    parts.append(cost(result.cost_usd, result.usage, reader))
    return plain(" · ".join(part for part in parts if part))
