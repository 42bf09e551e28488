"""sqlglot as a second opinion: an independent reader that must see nothing more than we did."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Final

from sqlglot import TokenType, exp
from sqlglot.dialects.postgres import Postgres
from sqlglot.parsers.postgres import PostgresParser

from agent.database.guard.rejection import rejection
from agent.errors import SqlRejected

# An honest query needs one step a token, seldom two; 30,000 steps take a sixth of a second.
_STEPS_PER_TOKEN: Final = 60
_STEPS_AT_LEAST: Final = 5_000
_STEPS_AT_MOST: Final = 30_000
_MOST_TOKENS: Final = 8_000

_WRITES: Final = (exp.Command, exp.DML, exp.DDL, exp.Into, exp.Lock, exp.Set, exp.Transaction)


class _OutOfSteps(Exception):
    """sqlglot went back and forth too often: some nestings double its work at each level."""


class _BoundedParser(PostgresParser):
    """Gives up after a number of steps that grows with the text, instead of after minutes."""

    steps_left = 0

    def _advance(self, times: int = 1) -> None:
        self.steps_left -= 1
        if self.steps_left < 0:
            raise _OutOfSteps
        super()._advance(times)

    def _parse_bracket(self, this: exp.Expr | None = None) -> exp.Expr | None:
        if this is not None and self._curr and self._curr.token_type == TokenType.L_BRACKET:
            self.steps_left -= self._index  # it looks again at all that is subscripted
        return super()._parse_bracket(this)


def check_with_sqlglot(sql: str, known_names: Collection[str]) -> None:
    """Raise `SqlRejected` ("second_opinion") if sqlglot sees a second statement, a write or a table
    that PostgreSQL's own grammar did not show.

    What sqlglot cannot read, or only after too much work, passes: it is the second reader.
    """
    statements = read_with_sqlglot(sql)
    if len(statements) > 1:
        raise _refuse(";", "several statements")
    for statement in statements:
        for node in statement.walk():
            if isinstance(node, _WRITES):
                raise _refuse(node.key.upper(), "something other than a query")
            if isinstance(node, exp.Table) and node.name and node.name.lower() not in known_names:
                raise _refuse(node.name, f"a table {node.name!r}")


@lru_cache(maxsize=16)  # a tree has up to 5 MB
def read_with_sqlglot(sql: str) -> tuple[exp.Expr, ...]:
    """Return the statements of `sql`, none where it cannot be read; kept for the next who asks, so
    whoever wants to change a tree takes a copy.
    """
    dialect = Postgres()
    try:
        tokens = dialect.tokenize(sql)
        if len(tokens) > _MOST_TOKENS:
            return ()
        parser = _BoundedParser(dialect=dialect)
        steps = max(_STEPS_AT_LEAST, _STEPS_PER_TOKEN * len(tokens))
        parser.steps_left = min(steps, _STEPS_AT_MOST)
        found = parser.parse(tokens, sql)
    except Exception:  # whatever it raises, it has no opinion; ValueError has been seen as well
        return ()
    return tuple(node for node in found if node is not None and not isinstance(node, exp.Semicolon))


def _refuse(name: str, what: str) -> SqlRejected:
    return rejection(
        "second_opinion", name, f"A second reader of the query sees {what}.",
        "Write the query more plainly.",
    )  # fmt: skip
