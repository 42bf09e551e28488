"""The labels of a result, under each spelling by which a text may name them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sqlglot import exp

from agent.evidence.rows.cells import Table
from agent.evidence.rows.labels import NULL_KEYS, PERSON, Key, forms_of, key_of, keys_of
from agent.evidence.rows.meanings import Holds
from agent.evidence.rows.shortened import may_be_said, other_names, short_names
from agent.evidence.text.nouns import name_words
from agent.messages import Cell

_MAX_CHARS: Final = 80
"""Of a text that is a label; longer ones are descriptions."""
_MANY: Final = 100
"""Rows from which on labels are looked at only if a word of theirs is said."""
_NAME_PARTS: Final = frozenset(("first_name", "last_name", "firstname", "lastname", "surname"))


@dataclass(frozen=True)
class Label:
    """A cell that names its row."""

    table: int
    column: int
    row: int
    text: str
    is_null: bool
    is_short: bool = False
    """The spelling is a shortened one."""


def labels_of(table: Table, said: frozenset[str]) -> Iterator[tuple[Key, Label]]:
    """Yield the labels of a result, by spelling; those that begin with no word of `said` are left.

    A spelling is given once for each row. A short one that could mean two labels is not given.
    """
    for column, meaning in enumerate(table.meanings):
        if meaning.holds is not Holds.TEXT or column in table.moments:
            continue
        is_person = bool(meaning.words & PERSON) or _is_of_names(table, column)
        short: dict[Key, set[Cell]] = {}
        long: set[Key] = set()
        made: list[tuple[Key, Label]] = []
        for row, cells in enumerate(table.rows):
            cell = cells[column]
            if isinstance(cell, str) and (first := key_of(cell[:_MAX_CHARS])[:1]):
                short.setdefault(first, set()).add(cell)
            for key, is_short in _keys(table, column, cell, is_person, said):
                if key and key[0] in said:
                    label = Label(
                        table.number, column, row, str(cell or ""), cell is None, is_short
                    )
                    made.append((key, label))
                    if is_short:
                        short.setdefault(key, set()).add(cell)
                    else:
                        long.add(key)
        for key, label in made:
            if not label.is_short or (len(short[key]) == 1 and key not in long):
                yield key, label


def _is_of_names(table: Table, column: int) -> bool:
    """Whether a column is put together from first and last names."""
    outputs = table.statement.outputs
    if column >= len(outputs):
        return False
    return any(one.name.lower() in _NAME_PARTS for one in outputs[column].find_all(exp.Column))


def _keys(
    table: Table, column: int, cell: Cell, is_person: bool, said: frozenset[str]
) -> Iterator[tuple[Key, bool]]:
    if cell is None:
        yield from ((key, False) for key in (*NULL_KEYS, *_without(table, column)))
    elif isinstance(cell, str) and 0 < len(cell) <= _MAX_CHARS:
        if len(table.rows) > _MANY and not may_be_said(cell, said):
            return
        yield from ((key, False) for key in keys_of(cell, is_person=is_person))
        yield from ((key, False) for key in other_names(cell))
        yield from ((key, True) for key in short_names(cell))


def _without(table: Table, column: int) -> Iterator[Key]:
    """Yield how a text says that a column is empty: "no rating", "without a rating"."""
    for word in name_words(table.column_name(column))[-1:]:
        for one in (word, word + "s"):
            yield from (("no", one), ("without", one), ("without", "a", one), ("missing", one))


def spoken_forms(text: str) -> frozenset[str]:
    """Return the words of a text, each with its neighbours in number."""
    return frozenset(form for word in set(key_of(text)) for form in forms_of(word))
