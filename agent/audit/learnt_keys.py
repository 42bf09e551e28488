"""Keys that no constraint tells: each film has one category, though its table would bear more."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Final

from agent.audit.grain import Key
from agent.audit.probes import Probes
from agent.database.schema import TableSchema

BELIEVED_S: Final = 300.0
"""How long a key is believed that was found in the rows: as long as the catalogue."""
MAX_ROWS: Final = 500_000
"""A larger table, by its estimate, is not looked through."""

_Question = tuple[str, Key]


class LearntKeys:
    """What columns were found to tell the rows of a table apart; safe to share between threads."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._answers: dict[_Question, tuple[bool, float]] = {}

    def learn(self, tables: Iterable[tuple[TableSchema, Key]], probes: Probes) -> list[_Question]:
        """Return those of the wanted keys that are keys of the rows that there are, by the name of
        the table. Raises `DatabaseUnavailable`.
        """
        wanted = [
            (table.name, key)
            for table, key in dict.fromkeys(tables)
            if key and (table.row_estimate or 0) <= MAX_ROWS
        ]
        unknown = [each for each in wanted if self._answer(each) is None]
        rows = probes.ask(f"SELECT {', '.join(map(_is_unique, unknown))}") if unknown else ()
        if rows:
            now = self._clock()
            for each, cell in zip(unknown, rows[0], strict=True):
                self._answers[each] = (cell is True, now)
        return [each for each in wanted if self._answer(each)]

    def _answer(self, question: _Question) -> bool | None:
        answer, at = self._answers.get(question, (None, 0.0))
        return answer if self._clock() - at < BELIEVED_S else None


def _is_unique(question: _Question) -> str:
    table, key = question
    columns = ", ".join('"' + name.replace('"', '""') + '"' for name in sorted(key))
    return f"NOT EXISTS (SELECT 1 FROM {table} GROUP BY {columns} HAVING count(*) > 1)"
