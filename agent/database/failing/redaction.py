"""A message of the server without values of the data; pure.

PostgreSQL quotes what it could not read: `invalid input syntax for type integer: "Mary Smith"`.
What may stay of a message is what its reader knows already: the server's own words, what the query
wrote itself, and the names of the tables, columns and types that it reads. All else becomes "…".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from agent.database.failing.server_words import WORDS
from agent.database.schema import TableSchema

HIDDEN: Final = "…"

_TOKEN: Final = re.compile(r"[\w$]+(?:\.\d+)?(?:'t\b)?|[^\x00-\x7f]|[\x00-\x1f\x7f]")
_DOTTED: Final = re.compile(r"(?:[^\W\d][\w$]*\.)*[^\W\d][\w$]*")
_LONGEST_NAME: Final = 63  # the server cuts longer ones, and its messages say the rest
_SEVERAL_HIDDEN: Final = re.compile(rf"{HIDDEN}(?:[^\w\"]*{HIDDEN})+")
_LONGEST_MESSAGE: Final = 2_000  # a message may quote megabytes; nobody reads more than this
_FOREIGN_QUOTES: Final = re.compile('[»„“«‹]\\s?([^»„“”«‹›"]+?)\\s?[«“”»›]|"([^"]+)"')
_WORDS_FOR_EACH: Final = 2  # where fewer are left for each gap, a message says nothing any more
# What stands between two quotations of one message; anything else may be part of a value.
_BETWEEN: Final = frozenset(
    {" for ", " in ", " of relation ", " of ", " is out of range for type ", " for type "}
    | {" not recognized for type ", " not supported for type ", " violates check constraint "}
)
_DATA_ERROR: Final = "22"
_ENDINGS: Final = frozenset({"overflow", "underflow"})
_TEXT_AFTER_COLON: Final = ("invalid regular expression: ", "regular expression failed: ")


@dataclass(frozen=True)
class Known:
    """What the reader of a message knows: the text of the query, and single names and numbers."""

    text: str
    tokens: frozenset[str]

    def has(self, token: str) -> bool:
        """Say whether a name or a number is known, in whatever case it is written."""
        token = token.casefold()
        if token in self.tokens:
            return True
        is_cut = len(token.encode()) >= _LONGEST_NAME - 3
        return is_cut and any(each.startswith(token) for each in self.tokens)

    def has_quoted(self, piece: str) -> bool:
        """Say whether what a message quotes stands in the query as it is, or is a known name."""
        if not piece or (_DOTTED.fullmatch(piece) and all(map(self.has, piece.split(".")))):
            return True
        if len(piece) > len(self.text):
            return False
        found = re.escape(piece.casefold())
        before = r"(?<!\w)" if piece[0].isalnum() else ""
        after = r"(?!\w)" if piece[-1].isalnum() else ""
        return re.search(f"{before}{found}{after}", self.text) is not None


def known_to_reader(sql: str, tables: Iterable[TableSchema] = ()) -> Known:
    """Return what is known to whoever wrote the query `sql`, which reads `tables`."""
    names = " ".join(name for table in tables for name in _names(table))
    text = f"{sql}\n{names}".casefold()
    return Known(text, frozenset(_TOKEN.findall(text)))


def _names(table: TableSchema) -> Iterator[str]:
    yield table.name
    for column in table.columns:
        yield column.name
        yield column.type_name


def without_values(message: str, known: Known, sqlstate: str = "") -> str:
    """Return the message on one line with "…" for all that `known` and the server's words lack."""
    parts = _unquoted_and_quoted(message[:_LONGEST_MESSAGE], known)
    may_end = sqlstate.startswith(_DATA_ERROR) and not message.startswith(_TEXT_AFTER_COLON)
    shown = []
    for at, part in enumerate(parts):
        if at % 2:
            shown.append(f'"{part if known.has_quoted(part) else HIDDEN}"')
            continue
        head, colon, rest = part.rpartition(": ") if may_end and ": " in part else (part, "", "")
        shown.append(_words(head, known, WORDS) + colon + _words(rest, known, _ENDINGS))
    return " ".join(_SEVERAL_HIDDEN.sub(HIDDEN, "".join(shown)).split())


def is_mostly_hidden(message: str) -> bool:
    """Say whether so little of a message is left that it says nothing any more."""
    plain = re.sub(r'"[^"]*"', "", message)
    words = [token for token in _TOKEN.findall(plain) if token != HIDDEN]
    hidden = plain.count(HIDDEN)
    return bool(hidden) and len(words) <= _WORDS_FOR_EACH * hidden


def quoted_names(message: str, known: Known) -> tuple[str, ...]:
    """Return the names that a message in whatever language quotes, as far as they are known."""
    found = (
        piece for pair in _FOREIGN_QUOTES.findall(message[:_LONGEST_MESSAGE]) for piece in pair
    )
    return tuple(dict.fromkeys(piece for piece in found if piece and known.has_quoted(piece)))


def _unquoted_and_quoted(message: str, known: Known) -> list[str]:
    """Return what stands outside and inside of quotation marks in turn, beginning outside.

    A value may hold quotation marks itself; then all from the first to the last is one quotation.
    """
    parts = message.split('"')
    quoted, between = parts[1::2], parts[2:-1:2]
    is_plain = len(parts) % 2 == 1 and all(each in _BETWEEN for each in between)
    if len(parts) < 3 and len(parts) % 2 == 1:
        return parts
    if is_plain or (len(parts) % 2 == 1 and all(map(known.has_quoted, quoted))):
        return parts
    if len(parts) == 2:  # an opening mark alone: what follows is the beginning of a value
        return [parts[0], parts[1], ""]
    return [parts[0], '"'.join(parts[1:-1]), parts[-1]]


def _words(text: str, known: Known, vocabulary: frozenset[str]) -> str:
    def shown(found: re.Match[str]) -> str:
        token = found[0]
        is_known = token.casefold() in vocabulary or known.has(token)
        return token if is_known else " " if token.isspace() else HIDDEN

    return _TOKEN.sub(shown, text)
