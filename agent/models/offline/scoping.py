"""Which rows an answer is about: its filters, its period, its ties."""

from __future__ import annotations

import re
from typing import Final

from agent.models.offline.frame import Frame, Test
from agent.models.offline.tool_texts import Ran
from agent.models.offline.ways import plain


def say_scope(frame: Frame) -> str:
    """Say which rows were looked at: the filters and the period."""
    tests = [t for t in frame.tests if t.words and t.op not in ("range", "months", "weekdays")]
    adjectives = [t.words for t in tests if t.op == "flag"]
    # Whatever ranks, or is compared, has a value anyway.
    told = [order.spot for order in frame.order] + [t.spot for t in tests if t.op != "null"]
    held = [_with(t.words) for t in tests if t.op == "null" and t.spot not in told]
    held += [p.words for p in frame.presences if p.words]
    held += [g.words for g in frame.group_tests if g.words]
    said_with = [t for t in tests if t.op not in ("flag", "null") and not t.negated]
    held += [words for t in said_with if (words := _said_with(t, frame))]
    values = [t.words for t in tests if t.op not in ("flag", "null") and not _said_with(t, frame)]
    values = [words.replace(" exactly ", " is exactly ") for words in values]
    said = [f" that are {_joined(adjectives)}"] if adjectives else []
    said += [f" {_joined(held)}".replace(" and with ", " and ")] if held else []
    said += [f" where {_joined(values)}"] if values else []
    return "".join(said) + (f" ({frame.period})" if frame.period else "")


def say_none(things: str, frame: Frame) -> str:
    """Say that there is nothing: a lone adjective stands before its noun (no failed runs)."""
    scope = say_scope(frame)
    lone = re.match(r" that are (?P<word>[a-z]+)(?P<rest>$| \(.*)", scope)
    if lone is None:
        return f"There are no {things}{scope}."
    return f"There are no {lone['word']} {things}{lone['rest']}."


def _with(words: str) -> str:
    return words if words.startswith(("with ", "without ")) else f"with {words}"


def _said_with(test: Test, frame: Frame) -> str:
    """Say a condition as what rows have: with rating R, with length more than 120."""
    if test.negated or test.either or test.op not in ("=", *_COMPARED):
        return ""
    own = "" if test.spot.path else f"{plain(test.spot.table)} "
    words = test.words
    if test.op == "=" and " is " in words:
        what, _, value = words.partition(" is ")
        if what == f"{own.strip()}" and own:
            return ""
        return f"with {what.removeprefix(own)} {value}"
    return f"with {words}" if test.op in _COMPARED else ""


_COMPARED: Final = (">", "<", ">=", "<=", "between")


def _joined(parts: list[str]) -> str:
    return " and ".join(dict.fromkeys(parts))


def say_tie(frame: Frame, ran: Ran) -> str:
    """Say that the last place is tied: that more rows are shown, or that some may not be."""
    if frame.limit is None or frame.partition:
        return ""
    if ran.count > frame.limit:
        return f" The last place is tied, so rows past the first {frame.limit} are shown too."
    column = _ranked_column(frame, ran)
    if not frame.exact or column is None or frame.limit != len(ran.rows) or frame.limit < 2:
        return ""
    last, before = ran.rows[-1][column], ran.rows[-2][column]
    return " Others may share the last place." if last == before else ""


def _ranked_column(frame: Frame, ran: Ran) -> int | None:
    """Return which column of the result the rows are ranked by."""
    order = frame.order[0] if frame.order else None
    if order is None or order.kind == "dimension":
        return None
    label = (
        frame.figures[order.index].label
        if order.kind == "figure"
        else (order.spot.column.strip('"') if order.spot is not None else "")
    )
    return ran.columns.index(label) if label in ran.columns else None
