"""A query that failed, mended by what the error says of its types; pure, text to text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_VALUE: Final = r'(?P<value>[\w."]+(?:\.[\w"]+)?)'
_TEXT_KINDS: Final = r"(?:text|character varying|character|name|citext)"


def mended(sql: str, error: str) -> str | None:
    """Return the query as the error asks for it; None where nothing of it is known to help."""
    for mend in _MENDS:
        changed = mend(sql, error)
        if changed is not None and changed != sql:
            return changed
    return None


def may_pass(error: str) -> bool:
    """Whether the very same query may work a moment later: another session held a lock."""
    return re.search(r"\b(?:55P03|40P01|40001)\b", error) is not None


def is_too_slow(error: str) -> bool:
    """Whether the query was stopped for the time it took, or refused for what it would cost."""
    told = ("timeout", "ask for less at a time")
    return "57014" in error or any(words in error.lower() for words in told)


def _number_in_text(sql: str, error: str) -> str | None:
    """Read a text as a number where it is added up."""
    match = re.search(rf"function (?P<name>sum|avg|min|max|round)\({_TEXT_KINDS}", error)
    if match is None:
        return None
    return re.sub(rf"\b{match['name']}\({_VALUE}\)", rf"{match['name']}(\g<value>::numeric)", sql)


def _date_in_text(sql: str, error: str) -> str | None:
    """Read a text as a date where it is taken apart or compared with one."""
    if re.search(
        rf"function (?:pg_catalog\.)?(?:date_trunc|extract)\(unknown, {_TEXT_KINDS}", error
    ):
        sql = re.sub(rf"(date_trunc\('\w+', ){_VALUE}\)", r"\1\g<value>::timestamptz)", sql)
        return re.sub(rf"(extract\(\w+ FROM ){_VALUE}\)", r"\1\g<value>::timestamptz)", sql)
    if re.search(rf"operator does not exist: {_TEXT_KINDS} (?:>=|<=|<|>|=) date", error):
        return re.sub(rf"{_VALUE} (>=|<=|<|>|=) DATE '", r"\g<value>::timestamptz \2 DATE '", sql)
    return None


def _compared_number(sql: str, error: str) -> str | None:
    """Read a text as a number where it is compared with one."""
    kinds = r"(?:integer|bigint|smallint|numeric|double precision)"
    if not re.search(rf"operator does not exist: {_TEXT_KINDS} (?:>=|<=|<>|<|>|=) {kinds}", error):
        return None
    return re.sub(rf"{_VALUE} (>=|<=|<>|<|>|=) (-?\d)", r"\g<value>::numeric \2 \3", sql)


def _joined_as_text(sql: str, error: str) -> str | None:
    """Compare keys of two types as text."""
    if "operator does not exist" not in error:
        return None
    return re.sub(
        rf"\bON {_VALUE} = (?P<other>[\w.\"]+)", r"ON \g<value>::text = \g<other>::text", sql
    )


def _compared_as_text(sql: str, error: str) -> str | None:
    """Compare as text where a value is none of the column's type."""
    if "operator does not exist" not in error and "invalid input" not in error:
        return None
    return re.sub(rf"{_VALUE} (=|IN|IS DISTINCT FROM) (\(?')", r"\g<value>::text \2 \3", sql)


def _ties(sql: str, error: str) -> str | None:
    """Write the limit in the common form where a reader of the guard does not know the other."""
    if "syntax" not in error.lower() and "WITH TIES" not in error:
        return None
    return re.sub(r"FETCH FIRST (\d+) ROWS WITH TIES", r"LIMIT \1", sql)


_MENDS: Final[tuple[Callable[[str, str], str | None], ...]] = (
    _number_in_text,
    _date_in_text,
    _compared_number,
    _joined_as_text,
    _compared_as_text,
    _ties,
)
