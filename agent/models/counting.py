"""Tokens as a server counts them, as far as that can be believed; any model's adapter may ask."""

from __future__ import annotations

import json
from typing import Final

from agent.digest import CHARS_PER_TOKEN
from agent.messages import Usage

MAX_TOKENS: Final = 10_000_000
"""No model reads or writes more in one call."""


def believed(count: object) -> int | None:
    """Return a number of tokens; None where it cannot be one.

    A bill must neither shrink by a negative count nor be met by an absurd one.
    """
    if isinstance(count, float) and count.is_integer():
        count = int(count)
    if isinstance(count, bool) or not isinstance(count, int):
        return None
    return count if 0 <= count <= MAX_TOKENS else None


def estimated(sent: object, got: object) -> Usage:
    """Return about how many tokens a call took: a bill that is a little off beats none."""
    read, written = (len(json.dumps(each, ensure_ascii=False)) for each in (sent, got))
    return Usage(read // CHARS_PER_TOKEN + 1, written // CHARS_PER_TOKEN)
