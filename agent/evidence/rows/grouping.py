"""The numeric columns that name rows: keys, and the prices or lengths that a query groups by."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from agent.evidence.rows.cells import Table
from agent.evidence.rows.meanings import Holds
from agent.evidence.text.nouns import name_concepts


def key_nouns(table: Table, column: int) -> frozenset[str]:
    """Return the concepts of what a key names: film for film_id, for a bare id its table."""
    nouns, tables = table.meanings[column].nouns, table.statement.tables
    return nouns or (name_concepts(tables[0]) if tables else frozenset())


def only_key(table: Table) -> list[int]:
    """Return the one key of a result, if each row has its own: what "no. 118" may mean."""
    keys = [c for c in table.keys if len(set(table.numbers[c])) == len(table.rows)]
    return keys if len(table.keys) == 1 else []


def grouping_columns(table: Table) -> Iterator[int]:
    """Yield the numeric columns that a query groups by, keys and parts of dates aside."""
    tree, outputs = table.statement.tree, table.statement.outputs
    if tree is None or tree.find(exp.Group) is None:
        return
    for column in table.measures:
        is_amount = table.meanings[column].holds in (Holds.MONEY, Holds.NUMBER, Holds.TIME)
        if column >= len(outputs) or not is_amount:
            continue
        output = outputs[column]
        is_plain = not output.find(exp.AggFunc, exp.Div, exp.Sub) and output.find(exp.Column)
        if is_plain and not _is_defined_inside(tree, output):
            yield column


def _is_defined_inside(tree: exp.Expr, output: exp.Expr) -> bool:
    """Whether a column is a name for what a subquery or a CTE aggregates."""
    column = output.find(exp.Column)
    return column is not None and any(
        alias.alias == column.name and alias is not output and alias.find(exp.AggFunc) is not None
        for alias in tree.find_all(exp.Alias)
    )
