"""What stands under an answer: charts, how it was found, caveats, buttons, cost; pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from agent.messages import AgentResult, Chart, QueryResult
from bot.render.blocks import Block, buttons, context, picture
from bot.render.text import clip, inert, plain

SHOW_SQL: Final = "show_sql"
CSV: Final = "csv"

_MAX_CHARTS: Final = 5
_MAX_ALT: Final = 1_500  # characters, over all charts of a card
_MAX_TABLES: Final = 8
_MAX_NOTE: Final = 600


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


def render_foot(result: AgentResult, shown: QueryResult | None, run_id: str) -> list[Block]:
    """Return the lines and buttons under an answer whose card shows the rows of `shown`."""
    labels = {}
    if result.n_queries:
        labels[SHOW_SQL] = "Show SQL"
    if shown is not None:
        labels[CSV] = "CSV"
    how, notes = _how(result, shown), _notes(result)
    return [
        *([context(how)] if how else []),
        *([context(notes)] if notes else []),
        *([buttons(labels, run_id)] if labels else []),
        context(_cost(result)),
    ]


def duration(milliseconds: float) -> str:
    """Return a length of time as people say it: "0.4 s", "12 s", "1 min 5 s"."""
    seconds = milliseconds / 1_000
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def counted(number: int, noun: str) -> str:
    """Return a count and its noun: "1 row", "1,024 rows", "2 queries"."""
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number:,} {noun if number == 1 else plural}"


def _how(result: AgentResult, shown: QueryResult | None) -> str:
    tables = [inert(name) for name in result.tables]
    parts = [", ".join(tables[:_MAX_TABLES])] if tables else []
    if len(tables) > _MAX_TABLES:
        parts[0] += f" and {len(tables) - _MAX_TABLES} more"
    if result.n_queries:
        parts.append(counted(result.n_queries, "query"))
    if shown is not None:
        parts.append(counted(len(shown.rows), "row"))
    return f"How: {clip(plain(' · '.join(parts)), _MAX_NOTE)}" if parts else ""


def _notes(result: AgentResult) -> str:
    notes: dict[str, None] = {}
    for each in result.results:
        fallback = ("There is more than was read: only the first rows are here.",)
        notes.update(dict.fromkeys(each.notes or (fallback if each.truncated else ())))
    text = " ".join(_sentence(note) for note in notes if note.strip())
    return f"Note: {clip(plain(text), _MAX_NOTE)}" if text else ""


def _sentence(note: str) -> str:
    text = " ".join(note.split())
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?" else ".")


def _cost(result: AgentResult) -> str:
    parts = [clip(inert(result.model), 80), duration(result.duration_ms)]
    if result.hops:
        parts.append(counted(result.hops, "step"))
    return plain(" · ".join(part for part in parts if part))
