"""An answer in other words: what stands in the rows and nothing else, for a draft was refused."""

from __future__ import annotations

from agent.models.offline.frame import Frame
from agent.models.offline.saying import plural, say_cell, singular
from agent.models.offline.tool_texts import Ran

_ROWS: int = 3
_CELLS: int = 4


def write_plainly(frame: Frame, ran: Ran, refused: int) -> str:
    """Return the first rows, cell by cell as the database wrote them.

    `refused` is how many drafts were refused before: after the second one the rows stand for
    themselves.
    """
    told = "".join(f" {sentence}" for sentence in frame.told)
    return f"{_rows(frame, ran, refused)}{told}"


def _rows(frame: Frame, ran: Ran, refused: int) -> str:
    if not ran.rows:
        return f"No {singular(frame.subject_words)} was found for this question."
    if refused > 1:
        return "What was found for this question stands in the rows below."
    rows = [
        ", ".join(
            f"{label.replace('_', ' ')} {say_cell(cell)}"
            for label, cell in list(zip(ran.columns, row, strict=True))[:_CELLS]
            if cell is not None
        )
        for row in ran.rows[:_ROWS]
    ]
    what = plural(frame.subject_words)
    more = " The rest stands in the rows below." if len(ran.rows) > _ROWS else ""
    return f"Found for {what}: {'; '.join(row for row in rows if row)}.{more}"
