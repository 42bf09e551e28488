"""The tables that `db-agent check-sql --relations` names: a list, or a file with one on each line.

Names are written as in SQL: `film`, `sales.orders`, `"Odd Table"`, and, where columns matter,
`film(film_id, title)`. `type rating` names a type of the database. In a file, `#` begins a comment.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agent.database.guard import RelationName
from agent.errors import SettingsInvalid


@dataclass(frozen=True)
class Listed:
    """What is named; a schema is "" where none was written."""

    relations: Mapping[RelationName, frozenset[str]]
    """Each relation with its columns (none: not said)."""
    types: frozenset[RelationName] = frozenset()


_WORD: Final = r'(?:"(?:[^"]|"")+"|[^\W\d][\w$]*)'
_ENTRY: Final = re.compile(
    rf"\s*(?P<type>(?i:type)\s+(?!,|$|\(|\.))?(?:(?P<schema>{_WORD})\s*\.\s*)?(?P<name>{_WORD})\s*"
    rf"(?:\((?P<columns>\s*{_WORD}\s*(?:,\s*{_WORD}\s*)*)\)\s*)?(?:,|$)"
)
_Entry = tuple[bool, RelationName, frozenset[str]]
"""Whether it is a type, its name, and its columns."""
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
    found: list[_Entry] = []
    for number, line in enumerate(lines, start=1):
        bare = _COMMENT.sub(r"\1", line).strip()
        found += _read_line(bare, f"{given}, line {number},") if bare else []
    return _found(found, given)


def _found(entries: list[_Entry], where: str) -> Listed:
    if not entries:
        raise SettingsInvalid(f"{where} names no table; write names such as film,customer.")
    relations = {name: columns for is_type, name, columns in entries if not is_type}
    return Listed(relations, frozenset(name for is_type, name, _ in entries if is_type))


def _read_line(line: str, where: str) -> list[_Entry]:
    found: list[_Entry] = []
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
        found.append((bool(entry["type"]), name, frozenset(map(_unquoted, columns))))
        rest = rest[entry.end() :]
    return found


def _unquoted(word: str) -> str:
    """Return a name as the catalogue stores it: lower case where it is not in quotes."""
    return word[1:-1].replace('""', '"') if word.startswith('"') else word.lower()
