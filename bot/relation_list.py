"""The tables that `db-agent check-sql --relations` names: a list, or a file with one on each line.

Names are written as in SQL: `film`, `sales.orders`, `"Odd Table"`, and, where columns matter,
`film(film_id, title)`. In a file, `#` begins a comment.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from agent.database.guard import RelationName
from agent.errors import SettingsInvalid

Listed = dict[RelationName, frozenset[str]]
"""Each relation with its columns (none: not said); its schema is "" where none was written."""

_WORD: Final = r'(?:"(?:[^"]|"")+"|[^\W\d][\w$]*)'
_ENTRY: Final = re.compile(
    rf"\s*(?:(?P<schema>{_WORD})\s*\.\s*)?(?P<name>{_WORD})\s*"
    rf"(?:\((?P<columns>\s*{_WORD}\s*(?:,\s*{_WORD}\s*)*)\)\s*)?(?:,|$)"
)
_COMMENT: Final = re.compile(r'^((?:"[^"]*"|[^"#])*)#.*')
_FILE_ENDINGS: Final = (".txt", ".lst", ".list", ".csv", ".tsv", ".json", ".sql", ".md")


def read_relations(given: str) -> Listed:
    """Return the relations of `given`: the name of a file, where there is one, else the list.

    Raises `SettingsInvalid` for a file that cannot be read, and for what is no list of names.
    """
    looks_like_a_file = os.sep in given or given.lower().endswith(_FILE_ENDINGS)
    if not looks_like_a_file and not Path(given).is_file():
        return _found(_read_line(given, "--relations"), "--relations")
    try:
        lines = Path(given).read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        reason = error.strerror or error
        raise SettingsInvalid(f"The relations in {given} cannot be read: {reason}.") from error
    except UnicodeError:
        raise SettingsInvalid(f"The file {given} is no text in UTF-8.") from None
    found: Listed = {}
    for number, line in enumerate(lines, start=1):
        bare = _COMMENT.sub(r"\1", line).strip()
        found |= _read_line(bare, f"{given}, line {number},") if bare else {}
    return _found(found, given)


def _found(relations: Listed, where: str) -> Listed:
    if not relations:
        raise SettingsInvalid(f"{where} names no table; write names such as film,customer.")
    return relations


def _read_line(line: str, where: str) -> Listed:
    found: Listed = {}
    rest = line.strip().rstrip(",")
    while rest:
        entry = _ENTRY.match(rest)
        if entry is None:
            raise SettingsInvalid(
                f"{where} holds no name of a table at {rest[:40]!r}; write names as in SQL: "
                'film, sales.orders or "Odd Table".'
            )
        columns = re.findall(_WORD, entry["columns"] or "")
        name = (_unquoted(entry["schema"] or ""), _unquoted(entry["name"]))
        found[name] = frozenset(map(_unquoted, columns))
        rest = rest[entry.end() :]
    return found


def _unquoted(word: str) -> str:
    """Return a name as the catalogue stores it: lower case where it is not in quotes."""
    return word[1:-1].replace('""', '"') if word.startswith('"') else word.lower()
