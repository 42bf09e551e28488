"""Columns that hold the same for different things: one count each for Bremen, Porto and Leeds."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from agent.evidence.rows.labels import Key, key_of
from agent.evidence.text.nouns import name_words


def split_columns(outputs: Sequence[exp.Expr], names: Sequence[str]) -> dict[Key, frozenset[int]]:
    """Return what sets the columns apart that a query fills by one condition on one thing.

    In `count(*) FILTER (WHERE store = 1) AS bremen, count(*) FILTER (WHERE store = 2) AS porto`
    these are "bremen" and "porto", and with texts in place of 1 and 2 those texts, too.
    """
    kin: dict[str, list[tuple[int, str]]] = {}
    for column, (output, _) in enumerate(zip(outputs, names, strict=False)):
        conditions = [
            eq for eq in output.find_all(exp.EQ) if isinstance(eq.expression, exp.Literal)
        ]
        inside = [eq for eq in conditions if eq.find_ancestor(exp.Filter, exp.Case) is not None]
        if len(inside) == 1:
            kin.setdefault(inside[0].this.sql(), []).append((column, inside[0].expression.this))
    found: dict[Key, set[int]] = {}
    for members in kin.values():
        if len({literal for _, literal in members}) < 2:
            continue
        shared = frozenset.intersection(*(frozenset(name_words(names[c])) for c, _ in members))
        for column, literal in members:
            own = tuple(word for word in name_words(names[column]) if word not in shared)
            for key in (own, key_of(literal)):
                if key and not all(word.isdigit() for word in key):
                    found.setdefault(key, set()).add(column)
    return {key: frozenset(columns) for key, columns in found.items()}
