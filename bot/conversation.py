"""Our own record of a thread -> what the agent needs to know of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.asker import Asker
from agent.messages import Exchange, QueryResult
from bot.people import People
from bot.store import Question, Store

MAX_EXCHANGES = 6
MAX_ROWS = 30
"""Rows of one earlier result."""
MAX_CELLS = 1500
"""Cells of all earlier results together; the newest come first."""
MAX_ANSWER = 2000
"""Characters of one earlier answer."""


def history_of(store: Store, question: Question) -> tuple[Exchange, ...]:
    """Return the earlier exchanges of the question's thread, oldest first and bounded.

    Taken from what we answered, never from Slack's history, where anybody may have written. Who
    asked is told by the member's id. Raises `StoreUnavailable`.
    """
    exchanges = store.exchanges(question, limit=MAX_EXCHANGES, rows=MAX_ROWS)
    bounded: list[Exchange] = []
    left = MAX_CELLS
    for exchange in reversed(exchanges):
        results, left = _within(exchange.results, left)
        bounded.append(replace(exchange, answer=exchange.answer[:MAX_ANSWER], results=results))
    return tuple(reversed(bounded))


def by_name(
    history: Sequence[Exchange], asked_by: str, people: People
) -> tuple[tuple[Exchange, ...], Asker]:
    """Return the history with names in place of members' ids, and who asks, the member `asked_by`.

    Where nobody else asked in the thread there is nobody to be kept apart, and nobody is named.
    """
    asker = people.asker(asked_by)
    if all(each.asked_by == asked_by for each in history):
        return tuple(replace(each, asked_by="") for each in history), asker
    names = people.names([asked_by, *(each.asked_by for each in history)])
    named = tuple(replace(each, asked_by=names[each.asked_by]) for each in history)
    return named, replace(asker, name=names[asked_by])


def _within(results: Sequence[QueryResult], cells: int) -> tuple[tuple[QueryResult, ...], int]:
    kept = []
    for result in reversed(results):
        width = max(1, len(result.columns))
        rows = result.rows[: cells // width]
        cells -= len(rows) * width
        cut = result.truncated or len(rows) < len(result.rows)
        kept.append(replace(result, rows=rows, truncated=cut))
    return tuple(reversed(kept)), cells
