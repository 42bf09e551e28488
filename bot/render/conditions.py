"""How the rows of a card were chosen, in words: filters, time window, zone; pure.

Nothing is left out silently: what does not fit is counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from agent.found import Found, found
from agent.messages import QueryResult
from bot.render.counting import counted
from bot.render.text import inert, plain

MAX_QUERIES: Final = 3
"""Queries whose conditions differ and are told one by one."""

_MAX_CHARS: Final = 420  # over all queries, as Slack counts them
_ALL_ROWS: Final = "no filters"
_ALL_DATES: Final = "all dates"


def conditions(results: Mapping[int, QueryResult], zone: str) -> list[str]:
    """Return what the queries asked of their rows, as parts of a line, not yet escaped.

    `results` are those that a card rests on, by the number of their query; `zone` is the time zone
    in which they were read.
    """
    numbers: dict[Found, list[int]] = {}
    for number, result in results.items():
        numbers.setdefault(found(result.sql), []).append(number)
    told = list(numbers.items())[:MAX_QUERIES]
    if not told:
        return []
    room = _MAX_CHARS // len(told)
    if len(numbers) == 1:
        return _told(told[0][0], zone, room)
    parts = [
        f"query {' and '.join(map(str, of))}: {', '.join(_told(each, zone, room))}"
        for each, of in told
    ]
    more = len(numbers) - len(told)
    return [*parts, f"{counted(more, 'more query')}, see SQL"] if more else parts


def _told(each: Found, zone: str, room: int) -> list[str]:
    if not each.is_read:
        return ["filters: see SQL"]
    windows, left_out = _fitting(each.windows, room // 2)
    filters, too_long = _fitting(each.filters, room - sum(map(_length, windows)))
    left_out += too_long + each.left_out
    parts = [_where(filters, left_out) or (_ALL_ROWS if not windows else "")]
    is_whole = not windows and not left_out
    when = " and ".join(windows) or (_ALL_DATES if is_whole else "")
    zones = [inert(name) for name in each.zones or (zone,)] if each.is_about_time else []
    parts.append(", ".join(part for part in (when, *zones) if part))
    return [part for part in parts if part]


def _where(filters: Sequence[str], left_out: int) -> str:
    more = f"{counted(left_out, 'more condition' if filters else 'condition')}, see SQL"
    return " and ".join([*filters, *([more] if left_out else [])]) if filters or left_out else ""


def _fitting(texts: Sequence[str], room: int) -> tuple[list[str], int]:
    """Return the texts that fit into `room` characters, whole, and how many do not."""
    kept: list[str] = []
    for text in texts:
        words = inert(text)
        if words and _length(words) <= room:
            kept.append(words)
            room -= _length(words)
    return kept, len(texts) - len(kept)


def _length(words: str) -> int:
    return len(plain(words)) + len(" and ")
