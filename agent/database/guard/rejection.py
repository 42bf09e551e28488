"""Why a query is refused: a closed set of codes, and texts that are always short and one line."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Final, Literal

from agent.errors import SqlRejected

RejectionCode = Literal[
    "empty", "too_long", "control_character", "invisible_character", "syntax", "too_deep",
    "several_statements", "not_a_query", "into", "row_lock", "write_in_cte", "parameter",
    "construct", "function", "user_function", "attribute_call", "operator", "type",
    "sample_method", "session_value", "relation", "system_catalog", "other_database", "cte_name",
    "size", "second_opinion", "guard_fault", "too_costly",
]  # fmt: skip

REJECTION_CODES: Final[Mapping[RejectionCode, str]] = {
    "empty": "There is nothing but blanks and comments.",
    "too_long": "More than 20,000 bytes, or a run of 2,000 signs.",
    "control_character": "A control character other than tab and line end.",
    "invisible_character": "A blank outside ASCII, or a character that nobody sees.",
    "syntax": "PostgreSQL's grammar cannot read it.",
    "too_deep": "It is nested too deeply to be read safely.",
    "several_statements": "More than one statement.",
    "not_a_query": "A statement other than SELECT, VALUES and TABLE.",
    "into": "SELECT … INTO, which makes a table.",
    "row_lock": "FOR UPDATE, FOR SHARE and their like.",
    "write_in_cte": "A WITH query that writes.",
    "parameter": "A parameter such as $1, which has no value.",
    "construct": "Grammar that is on no list, such as XML expressions.",
    "function": "A function that is not among the harmless built-in ones.",
    "user_function": "A function written with a schema other than pg_catalog.",
    "attribute_call": "A name behind a dot that would call a function or cast to a type.",
    "operator": "An operator that is not built in, or that somebody has added to.",
    "type": "A type that reads the catalogue, runs somebody's code, or does not exist.",
    "sample_method": "A TABLESAMPLE method other than SYSTEM and BERNOULLI.",
    "session_value": "CURRENT_USER and its like, which tell about the server.",
    "relation": "A table or view that is not on the list.",
    "system_catalog": "A table of the system, or of a temporary schema.",
    "other_database": "A table name with the name of a database before it.",
    "cte_name": "A WITH query named like a table of the system, or with too long a name.",
    "size": "A call or a type that would make a huge value or a huge set.",
    "second_opinion": "The second reader sees something that the first one did not.",
    "guard_fault": "The guard itself failed on it: a fault of ours, which the log tells of.",
    "too_costly": "PostgreSQL expects it to cost more than is allowed; given by the session.",
}
"""Each code, and what it is given for. Codes are stable: logs and other programs rely on them."""

MAX_NAME: Final = 80
_MAX_SENTENCE: Final = 180
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})


def rejection(code: RejectionCode, name: str, reason: str, hint: str) -> SqlRejected:
    """Return the exception to raise. Names in it may come from the text: they are made visible."""
    sentences = (_cut(_visible(sentence), _MAX_SENTENCE) for sentence in (reason, hint))
    return SqlRejected(code, shown(name), *sentences)


def shown(name: str) -> str:
    """Return a name for a message: cut, and with what nobody sees written as U&'…' writes it."""
    return _cut(_visible(name), MAX_NAME)


def _visible(text: str) -> str:
    return "".join(map(_visible_character, text))


def _visible_character(char: str) -> str:
    if char == " " or unicodedata.category(char) not in _UNSEEN:
        return char
    point = ord(char)
    return f"\\{point:04X}" if point <= 0xFFFF else f"\\+{point:06X}"


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"
