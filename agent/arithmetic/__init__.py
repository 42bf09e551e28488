"""Exact arithmetic over named cells of query results: read, checked and worked out, never `eval`.

    r1.revenue[1] / sum(r1.revenue) * 100
    (r2.total[1] - r1.total[1]) / r1.total[1] * 100
    round(avg(r1["Revenue (USD)"][1:3]), 2)

`r1` is the first query result, rows are counted from 1, `[1:3]` are the rows 1 to 3.
"""

from agent.arithmetic.cells import Cells
from agent.arithmetic.evaluation import evaluate
from agent.arithmetic.honesty import check_origin
from agent.arithmetic.reading import read_expression
from agent.arithmetic.tree import Node, Reference, references, with_references

__all__ = [
    "Cells",
    "Node",
    "Reference",
    "check_origin",
    "evaluate",
    "read_expression",
    "references",
    "with_references",
]
