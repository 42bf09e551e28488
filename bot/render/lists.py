"""Lists that may be longer than a message: as many lines as fit, and how many did not; pure."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from typing import Final

from bot.render.blocks import MAX_SECTION, Block, context, section
from bot.render.counting import counted
from bot.render.markdown import Piece, pack

SECTIONS: Final = 4
"""Of a list, beside which a message has room for little else."""


def in_sections(lines: Sequence[str], what: str, *, most: int = SECTIONS) -> list[Block]:
    """Return lines of mrkdwn in `most` sections, and a note that counts the lines left out.

    `what` is what a line stands for, in the singular.
    """
    fitting = bisect.bisect_right(
        range(1, len(lines) + 1), most, key=lambda count: len(_texts(lines[:count]))
    )
    left = len(lines) - fitting
    note = [context(f"{counted(left, f'more {what}')} did not fit here.")] if left else []
    return [*map(section, _texts(lines[:fitting])), *note]


def _texts(lines: Sequence[str]) -> list[str]:
    return pack([Piece(line, close=True) for line in lines], MAX_SECTION)
