"""Names and values as the notes write them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

MAX_VALUE: Final = 60
"""Characters of one value in a note."""


def sources_in_words(scope: Scope, aliases: Iterable[str]) -> str:
    """Return the names of the sources: "film", "film and inventory"."""
    return listed(list(dict.fromkeys(_name(scope, alias) for alias in aliases)))


def listed(words: Sequence[str]) -> str:
    """Return words as a list: "a, b and c"."""
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)


def words_of(name: str) -> str:
    """Return a column's name as words: "last name"."""
    return " ".join(name.split("_")).strip() or name


def quoted(value: str, *, as_number: bool = False) -> str:
    """Return a value as SQL writes it, cut to one line, without what could close a fence."""
    text = " ".join(value.split()).replace("<", "‹").replace(">", "›")
    text = text if len(text) <= MAX_VALUE else f"{text[: MAX_VALUE - 1]}…"
    return text if as_number else "'" + text.replace("'", "''") + "'"


def _name(scope: Scope, alias: str) -> str:
    node = scope.selected_sources[alias][0]
    if isinstance(node, exp.Table) and node.name:
        return f"{node.db}.{node.name}" if node.db else node.name
    return "a subquery" if alias.startswith("_") else alias
