"""A result -> a CSV file that a spreadsheet opens safely; pure."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from agent.messages import Cell, QueryResult
from agent.untrusted import without_invisible

_BOM: Final = "\ufeff"  # without it a spreadsheet takes UTF-8 for something else
# A spreadsheet takes a cell that begins so for a formula. Wide and small forms and the minus sign
# count too, also behind blanks: some programs fold or trim a cell before they read it.
_FORMULA: Final = re.compile(r"[\t\r\n]|\s*[=+\-@＝＋－＠﹦﹢﹣﹫−]")
_MONEY = re.compile(r"-[^\w\s=+@(]?[\d.,]+")
_LONGEST: Final = 100  # digits before a figure keeps its power of ten


def render_csv(result: QueryResult) -> bytes:
    """Return the rows as CSV in UTF-8 with a byte order mark, CRLF at line ends.

    NULL is an empty field without quotes and the empty text is "" in quotes, as PostgreSQL's COPY
    writes them. Text that a spreadsheet would run as a formula gets a ' in front; numbers stay
    numbers, negative ones too.
    """
    lines = [",".join(_text(column.name) for column in result.columns)]
    types = [column.type_name for column in result.columns]
    for row in result.rows:
        lines.append(",".join(_cell(*pair) for pair in zip(row, types, strict=True)))
    return (_BOM + "".join(f"{line}\r\n" for line in lines)).encode("utf-8", "replace")


def _cell(value: Cell, type_name: str) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        is_amount = type_name == "money" and _MONEY.fullmatch(value)
        return _quoted(value) if is_amount else _text(value)
    number = Decimal(str(value))
    if not number.is_finite():
        return _text(str(value))
    return f"{number:f}" if abs(number.adjusted()) < _LONGEST else str(number)


def _text(value: str) -> str:
    may_run = _FORMULA.match(value) or _FORMULA.match(without_invisible(value))
    return _quoted(f"'{value}" if may_run else value)


def _quoted(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'
