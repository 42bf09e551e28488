"""Which rows an answer is about: its filters, its period, its ties."""

from __future__ import annotations

from agent.models.offline.frame import Frame
from agent.models.offline.tool_texts import Ran


def say_scope(frame: Frame) -> str:
    """Say which rows were looked at: the filters and the period."""
    parts = [
        test.words
        for test in frame.tests
        if test.words and test.op not in ("range", "months", "weekdays")
    ]
    parts += [p.words for p in frame.presences if p.words]
    parts += [g.words for g in frame.group_tests if g.words]
    period = f" ({frame.period})" if frame.period else ""
    return (f" where {' and '.join(dict.fromkeys(parts))}" if parts else "") + period


def say_tie(frame: Frame, ran: Ran) -> str:
    if frame.limit is not None and ran.count > frame.limit:
        return f" The last place is tied, so {ran.count} rows are shown instead of {frame.limit}."
    return ""
