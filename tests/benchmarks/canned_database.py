"""A database and a renderer that give again, in process, what real ones gave once.

For measuring what lies above them: neither a server nor a drawing process is at work then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agent.database.schema import TableSchema, TableSearch
from agent.errors import ToolError
from agent.messages import QueryResult
from agent.protocols import ChartRenderer, Database


class CannedDatabase:
    """A `Database` that asks a real one the first time, and itself ever after.

    With `is_closed` set, it raises for what was never asked: the measurement would be of a server.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._given: dict[tuple[str, str], Any] = {}
        self.is_closed = False

    def fetch(self, sql: str) -> QueryResult:
        return self._once("fetch", sql, lambda: self._database.fetch(sql))

    def get_table(self, name: str) -> TableSchema:
        return self._once("get_table", name, lambda: self._database.get_table(name))

    def find_tables(self, words: str) -> TableSearch:
        return self._once("find_tables", words, lambda: self._database.find_tables(words))

    def ping(self) -> None:
        """It is always there."""

    def _once(self, what: str, about: str, ask: Callable[[], Any]) -> Any:
        if (what, about) not in self._given:
            if self.is_closed:
                raise AssertionError(f"{what}({about!r}) was never asked before the measurement")
            try:
                self._given[what, about] = ask()
            except ToolError as error:
                self._given[what, about] = error
        given = self._given[what, about]
        if isinstance(given, ToolError):
            raise given.with_traceback(None)
        return given


class CannedRenderer:
    """A `ChartRenderer` that gives the first picture again."""

    def __init__(self, renderer: ChartRenderer) -> None:
        self._renderer = renderer
        self._png = b""

    def render(self, spec: dict[str, object]) -> bytes:
        self._png = self._png or self._renderer.render(spec)
        return self._png
