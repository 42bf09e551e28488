"""Counts, lengths of time and money, as people say them; pure."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from agent.messages import Usage
from bot.render.reader import ENGLISH, Reader

_CENT: Final = Decimal("0.01")
_SHORTEST_S: Final = 0.05
_MINUTE_S: Final = 60
_HOUR_S: Final = 3_600
_DAY_S: Final = 86_400


def counted(number: int, noun: str, reader: Reader = ENGLISH) -> str:
    """Return a count and its noun: "1 row", "1,024 rows", "2 queries", "3 days"."""
    plural = noun[:-1] + "ies" if noun.endswith("y") and noun[-2] not in "aeiou" else noun + "s"
    return f"{reader.count(number)} {noun if number == 1 else plural}"


def duration(milliseconds: float, reader: Reader = ENGLISH) -> str:
    """Return a length of time as people say it: "0.4 s", "12 s", "1 min 5 s"."""
    seconds = milliseconds / 1_000
    if seconds < _SHORTEST_S:
        return f"under {reader.figure(Decimal('0.1'), 1)} s"
    if seconds < 9.95:
        return f"{reader.figure(Decimal(f'{seconds:.1f}'), 1)} s"
    minutes, rest = divmod(round(seconds), _MINUTE_S)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def waiting_time(seconds: float) -> str:
    """Return how long something has waited, roughly: "3 min", "2 h", "4 days"."""
    if seconds < _MINUTE_S:
        return "less than a minute"
    if seconds < _HOUR_S:
        return f"{seconds // _MINUTE_S:.0f} min"
    if seconds < 2 * _DAY_S:
        return f"{seconds // _HOUR_S:.0f} h"
    return counted(int(seconds // _DAY_S), "day")


def money(dollars: Decimal | None, reader: Reader = ENGLISH) -> str:
    """Return "$0.02", or "under $0.01"; "" where it cost nothing, or nobody knows what."""
    if dollars is None or dollars <= 0:
        return ""
    if dollars < _CENT:
        return f"under {reader.amount(reader.figure(_CENT, 2), '$')}"
    return reader.amount(reader.figure(dollars.quantize(_CENT, ROUND_HALF_UP), 2), "$")


def cost(dollars: Decimal | None, usage: Usage, reader: Reader = ENGLISH) -> str:
    """Return "12,345 tokens · $0.02"; "cost unknown" for want of a price, "" for nothing."""
    if usage == Usage():
        return money(dollars, reader)
    spent = money(dollars, reader) if dollars is not None else "cost unknown"
    return " · ".join(part for part in (counted(usage.total, "token", reader), spent) if part)
