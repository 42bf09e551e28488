"""The grey lines under an answer: the plan, how it was found, what else is to be known; pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from agent.critique import results_behind
from agent.found import found
from agent.messages import AgentResult, QueryResult
from bot.render.conditions import conditions
from bot.render.counting import counted
from bot.render.endings import CLAIMS_AN_ANSWER
from bot.render.reader import ENGLISH, Reader
from bot.render.text import clip, inert, plain

MIN_PLAN: Final = 2
"""A plan of one step says nothing that the answer does not."""

_MAX_TABLES: Final = 8
_MAX_NAMES: Final = 250
_MAX_NOTE: Final = 1_200
_ONE_STEP: Final = 140


def plan_line(plan: Sequence[str]) -> str:
    """Return mrkdwn such as "Plan: 1. look at payment · 2. add it up by month"; "" without one."""
    words = plan_words(plan)
    return f"Plan: {plain(words)}" if words else ""


def plan_words(plan: Sequence[str]) -> str:
    """Return the steps of a plan on one line, as plain text; "" where there are not several."""
    steps = [clip(inert(step), _ONE_STEP).rstrip(".") for step in plan if step.strip()]
    if len(steps) < MIN_PLAN:
        return ""
    return " · ".join(f"{number}. {step}" for number, step in enumerate(steps, 1))


def how_line(result: AgentResult, shown: QueryResult | None, reader: Reader = ENGLISH) -> str:
    """Return mrkdwn of what the card rests on, whose table shows `shown`; "" where on nothing."""
    parts = [_tables(result.tables)] if result.tables else []
    basis = _basis(result, shown)
    parts += conditions(basis, result.time_zone)
    if result.n_queries:
        parts.append(counted(result.n_queries, "query", reader))
    parts += _rows(
        shown or max(basis.values(), key=lambda each: len(each.rows), default=None), reader
    )
    if result.outcome in CLAIMS_AN_ANSWER:
        parts += checks(result)
    return f"How: {plain(' · '.join(parts))}" if parts else ""


def _rows(result: QueryResult | None, reader: Reader) -> list[str]:
    if result is None or not result.rows:
        return []
    rows = counted(len(result.rows), "row", reader)
    return [f"first {rows}" if found(result.sql).limit == len(result.rows) else rows]


def _tables(names: Sequence[str]) -> str:
    told = clip(", ".join(map(inert, names[:_MAX_TABLES])), _MAX_NAMES)
    return told + (f" and {len(names) - _MAX_TABLES} more" if len(names) > _MAX_TABLES else "")


def _basis(result: AgentResult, shown: QueryResult | None) -> dict[int, QueryResult]:
    """Return the results that the card rests on, by their number: shown ones, and of figures."""
    numbers: set[int] = set()
    if result.outcome in CLAIMS_AN_ANSWER:
        numbers.update(results_behind(result.evidence, len(result.results)))
    numbered = enumerate(result.results, 1)
    return {at: each for at, each in numbered if at in numbers or each is shown}


def note_line(result: AgentResult) -> str:
    """Return mrkdwn of what must be known beside the answer: caveats, then what was cut."""
    notes = dict.fromkeys(result.caveats)
    for each in result.results:
        fallback = ("There is more than was read: only the first rows are here.",)
        notes.update(dict.fromkeys(each.notes or (fallback if each.truncated else ())))
    text = " ".join(dict.fromkeys(_sentence(note) for note in notes if note.strip()))
    return f"Note: {clip(plain(text), _MAX_NOTE)}" if text else ""


def checks(result: AgentResult) -> list[str]:
    """Return what was done to see whether the answer is right, in plain words."""
    figures = result.evidence.figures
    traced = sum(1 for figure in figures if figure.source)
    return [
        *([_traced(traced, len(figures))] if figures else []),
        *([f"second look: {clip(inert(result.judge), 60)}"] if result.judge else []),
    ]


def _traced(traced: int, total: int) -> str:
    if not traced:
        return f"no figure found in the rows ({total:,} in the answer)"
    found = "checked" if traced == total else "found in the rows"
    return f"{traced:,} of {counted(total, 'figure')} {found}"


def _sentence(note: str) -> str:
    text = " ".join(note.split())
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?" else ".")
