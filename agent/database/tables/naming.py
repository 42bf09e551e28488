"""From a table's name as somebody writes it to the one table that it means."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from agent.database.guard import RelationName
from agent.database.nearest import nearest
from agent.database.schema import TableSchema

MAX_NEAREST: Final = 5

_PART: Final = re.compile(r'"((?:[^"]|"")+)"|([^".\s]+)')


class TableNames:
    """Finds tables by name, quoted or not, with or without a schema, in the wrong case even."""

    def __init__(
        self, schemas: Mapping[RelationName, TableSchema], search_path: tuple[str, ...]
    ) -> None:
        self._schemas = schemas
        self._search_path = search_path
        self._folded: dict[str, list[RelationName]] = defaultdict(list)
        for schema, name in schemas:
            self._folded[name.casefold()].append((schema, name))
            self._folded[f"{schema}.{name}".casefold()].append((schema, name))

    def find(self, written: str) -> TableSchema | None:
        """Return the table that `written` means, or None for none or more than one."""
        written = written.strip()
        for schema, name in _readings(written):
            found = self._exact(schema, name)
            if found:
                return found
        loose = written.replace('"', "").casefold()
        candidates = self._folded.get(loose, [])
        return self._schemas[candidates[0]] if len(candidates) == 1 else None

    def nearest(self, written: str) -> list[str]:
        """Return the names, as SQL writes them, that look most like `written`."""
        by_name: dict[str, list[str]] = defaultdict(list)
        for (schema, name), table in self._schemas.items():
            by_name[f"{schema}.{name}" if "." in written else name].append(table.name)
        near = nearest(written.replace('"', ""), by_name, limit=MAX_NEAREST, at_least=50)
        return [table for name in near for table in by_name[name]][:MAX_NEAREST]

    def _exact(self, schema: str, name: str) -> TableSchema | None:
        for candidate in (schema,) if schema else self._search_path:
            if (candidate, name) in self._schemas:
                return self._schemas[candidate, name]
        if schema:
            return None
        elsewhere = [key for key in self._schemas if key[1] == name]
        return self._schemas[elsewhere[0]] if len(elsewhere) == 1 else None


def _readings(written: str) -> Iterable[RelationName]:
    """Yield (schema, name) as SQL reads the text, then as it stands, blanks and dots and all."""
    parts = [
        quoted.replace('""', '"') if quoted else plain.lower()
        for quoted, plain in _PART.findall(written)
    ]
    if len(parts) == 1:
        yield "", parts[0]
    elif len(parts) == 2:
        yield parts[0], parts[1]
    yield "", written
    schema, dot, name = written.partition(".")
    if dot:
        yield schema, name
