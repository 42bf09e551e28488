"""What a query's columns and the things computed from them are called in words; pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sqlglot import exp

from agent.audit.wording import words_of

_PLAIN: Final = (exp.Lower, exp.Upper, exp.Trim)
"""Functions that change how a text is written, not what it says."""
_COUNTED: Final = {
    exp.Sum: "sum of",
    exp.Avg: "average of",
    exp.Min: "least",
    exp.Max: "greatest",
}


@dataclass(frozen=True)
class Names:
    """Names columns: with their table where several are read."""

    tables: Mapping[str, str]
    """The tables, by how the query calls them."""

    @classmethod
    def of(cls, condition: exp.Expr) -> Names:
        """Return the names for the columns of a condition, as its own SELECT calls them."""
        select = condition.find_ancestor(exp.Select)
        if select is None:
            return cls({})
        start = select.args.get("from_") or select.args.get("from")
        parts = [start, *(select.args.get("joins") or [])]
        sources = [part.this for part in parts if part is not None]
        return cls({each.alias_or_name: each.name for each in sources if type(each) is exp.Table})

    def subject(self, node: exp.Expr) -> str | None:
        """Return what a condition is about, in words; None for what has no short ones."""
        node = node.unnest()
        if isinstance(node, exp.Column):
            return self.column(node)
        if isinstance(node, (*_PLAIN, exp.Cast)):
            return self.subject(node.this)
        if isinstance(node, exp.Extract) and isinstance(node.expression.unnest(), exp.Column):
            about = self.subject(node.expression)
            return f"{node.this.name.lower()} of {about}" if about else None
        if isinstance(node, exp.Count):
            return self._count(node)
        for kind, words in _COUNTED.items():
            if type(node) is kind and not node.expressions:
                about = self.subject(node.this)
                return f"{words} {about}" if about else None
        return None

    def column(self, column: exp.Column) -> str | None:
        """Return a column in words: "rating", or "film rating" beside other tables.

        None where its table is read twice, and words would not say which one is meant.
        """
        words, source = words_of(column.name), self.tables.get(column.table, "")
        if list(self.tables.values()).count(source) > 1:
            return None
        table = words_of(source)
        is_told = not table or len(self.tables) < 2 or words.startswith(table)
        return words if is_told else f"{table} {words}"

    def _count(self, node: exp.Count) -> str | None:
        counted = node.this
        if isinstance(counted, exp.Star):
            return "number of rows"
        is_distinct = isinstance(counted, exp.Distinct)
        if is_distinct:
            counted = counted.expressions[0] if len(counted.expressions) == 1 else None
        about = self.subject(counted) if counted is not None else None
        return f"number of {'different ' * is_distinct}{about}" if about else None
