"""A query that failed, mended by what the error says; each mend is tried once."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from agent.models.offline.atlas import Atlas
from agent.models.offline.tool_texts import Ran


def repaired(sql: str, ran: Sequence[Ran], atlas: Atlas) -> str | None:
    """Return the next version of a query whose last version failed; None where none is known."""
    last = ran[-1]
    tried = {one.sql for one in ran}
    for mend in _MENDS:
        mended = mend(last.sql, last.error, atlas)
        if mended is not None and mended not in tried:
            return mended
    return None


def _unknown_column(sql: str, error: str, atlas: Atlas) -> str | None:
    """Take the column name that is nearest in spelling, or the one the server hints at."""
    match = re.search(r'column "?(?:(?P<table>\w+)\.)?(?P<column>\w+)"? does not exist', error)
    if match is None:
        return None
    hint = re.search(r'Perhaps you meant to reference the column "(?:\w+\.)?(\w+)"', error)
    better = hint[1] if hint else _nearest(match["column"], match["table"], atlas)
    if better is None:
        return None
    return re.sub(rf"\b{re.escape(match['column'])}\b", better, sql)


def _nearest(column: str, table: str | None, atlas: Atlas) -> str | None:
    from rapidfuzz import fuzz, process

    names = [c for t, known in atlas.tables.items() if table in (None, t) for c in known.columns]
    best = process.extractOne(column, names, scorer=fuzz.ratio, score_cutoff=60)
    return None if best is None else str(best[0])


def _type_mismatch(sql: str, error: str, atlas: Atlas) -> str | None:
    """Compare as text where the server says that two types do not compare."""
    if "operator does not exist" not in error and "invalid input" not in error:
        return None
    return re.sub(r"(\b[\w.\"]+) (=|IN|IS DISTINCT FROM) (\(?')", r"\1::text \2 \3", sql)


def _ties(sql: str, error: str, atlas: Atlas) -> str | None:
    """Write the limit in the common form where a reader of the guard does not know the other."""
    if "syntax" not in error.lower() and "WITH TIES" not in error:
        return None
    return re.sub(r"FETCH FIRST (\d+) ROWS WITH TIES", r"LIMIT \1", sql)


def _too_slow(sql: str, error: str, atlas: Atlas) -> str | None:
    """Ask for no order where the order is only for looks."""
    if "57014" not in error and "timeout" not in error.lower():
        return None
    if "FETCH FIRST" in sql or "LIMIT" in sql:
        return None
    return re.sub(r"\nORDER BY [^\n]+$", "", sql)


_MENDS: Final[tuple[Callable[[str, str, Atlas], str | None], ...]] = (
    _unknown_column,
    _type_mismatch,
    _ties,
    _too_slow,
)
