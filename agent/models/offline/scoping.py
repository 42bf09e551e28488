"""Which rows an answer is about: its filters, its period, its ties."""

from __future__ import annotations

from agent.models.offline.frame import Frame
from agent.models.offline.tool_texts import Ran


def say_scope(frame: Frame) -> str:
    """Say which rows were looked at: the filters and the period."""
    tests = [t for t in frame.tests if t.words and t.op not in ("range", "months", "weekdays")]
    adjectives = [t.words for t in tests if t.op == "flag"]
    ranked = [order.spot for order in frame.order]
    held = [_with(t.words) for t in tests if t.op == "null" and t.spot not in ranked]
    held += [p.words for p in frame.presences if p.words]
    held += [g.words for g in frame.group_tests if g.words]
    values = [t.words for t in tests if t.op not in ("flag", "null")]
    said = [f" that are {_joined(adjectives)}"] if adjectives else []
    said += [f" {_joined(held)}"] if held else []
    said += [f" where {_joined(values)}"] if values else []
    return "".join(said) + (f" ({frame.period})" if frame.period else "")


def _with(words: str) -> str:
    return words if words.startswith(("with ", "without ")) else f"with {words}"


def _joined(parts: list[str]) -> str:
    return " and ".join(dict.fromkeys(parts))


def say_tie(frame: Frame, ran: Ran) -> str:
    """Say that more rows are shown than were asked for, since the last place is tied."""
    if frame.limit is not None and ran.count > frame.limit:
        return f" The last place is tied, so {ran.count} rows are shown instead of {frame.limit}."
    return ""
