"""What a query asks of the rows that it reads, in words: filters and time window; pure.

Read from the SQL alone, so that it can be said of a run that was recorded long ago. What cannot be
put into words, or holds for a part of the rows only, is counted: a filter is never left out
silently.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import lru_cache

from sqlglot import exp

from agent.audit.ctes import MAX_NODES, size
from agent.database.guard.second_reader import read_with_sqlglot
from agent.found.conditions import conditions_of
from agent.found.window import is_about_time, windows_of, zones_in
from agent.found.words import words_of_condition

__all__ = ["Found", "found"]

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Found:
    """How a query chose its rows. Names and values are as the query writes them: untrusted."""

    filters: tuple[str, ...] = ()
    """Conditions that every row meets, each in words: "rating is PG"."""
    windows: tuple[str, ...] = ()
    """Limits in time: "payment date 1 Jan 2024 – 31 Dec 2025"."""
    left_out: int = 0
    """How many more conditions there are."""
    zones: tuple[str, ...] = ()
    """Time zones that the query names itself."""
    is_about_time: bool = False
    """It limits, cuts or groups by time, so the zone in which that is read matters."""
    limit: int | None = None
    """How many rows it asked for at most."""
    is_read: bool = True
    """False: nobody could read it, so nothing is known of its conditions."""


@lru_cache(maxsize=64)
def found(sql: str) -> Found:
    """Return what the query `sql` asks of its rows. Never raises."""
    try:
        trees = read_with_sqlglot(sql)
        tree = trees[0] if len(trees) == 1 else None
        if not isinstance(tree, exp.Query) or size(tree) > MAX_NODES:
            return Found(is_read=False)
        return _read(tree)
    except Exception:  # a reader of SQL meets what nobody thought of; no card is lost for it
        logger.exception("the conditions of a query could not be read")
        return Found(is_read=False)


def _read(tree: exp.Query) -> Found:
    conditions = conditions_of(tree)
    windows, rest = windows_of(conditions.whole)
    told = [words_of_condition(each) for each in rest]
    filters = tuple(dict.fromkeys(words for words in told if words))
    return Found(
        filters=filters,
        windows=tuple(windows),
        left_out=conditions.others + told.count(None),
        zones=zones_in(tree),
        is_about_time=bool(windows) or is_about_time(tree),
        limit=_limit(tree),
    )


def _limit(tree: exp.Query) -> int | None:
    limit = tree.args.get("limit")
    count = limit.args.get("expression") or limit.args.get("count") if limit is not None else None
    is_known = isinstance(count, exp.Literal) and count.name.isdigit()
    return int(count.name) if is_known and count is not None else None
