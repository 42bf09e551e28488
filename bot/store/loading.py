"""Runs with their results, read within a transaction."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from agent.messages import QueryResult
from bot.store import queries
from bot.store.connection import Connection
from bot.store.records import RunRecord
from bot.store.rows import read_result, read_run


@dataclass
class Results:
    """The results of one run: those that stand, and those that a rewind took back."""

    kept: list[QueryResult] = field(default_factory=list)
    set_aside: list[QueryResult] = field(default_factory=list)
    rows_gone: bool = False
    """The rows of some were too old to be kept."""


def results_of(
    connection: Connection, run_ids: Collection[uuid.UUID], rows: int
) -> Mapping[uuid.UUID, Results]:
    """Return the results of each run, with at most `rows` rows of each."""
    found = {run_id: Results() for run_id in run_ids}
    values = {"run_ids": list(run_ids), "rows": rows}
    for row in connection.execute(queries.RESULTS_OF, values):
        of_run = found[row["run_id"]]
        of_run.rows_gone |= row["rows_gone"]
        (of_run.set_aside if row["set_aside"] else of_run.kept).append(read_result(row))
    return found


def runs_of(
    connection: Connection, run_ids: Collection[uuid.UUID], rows: int
) -> Mapping[uuid.UUID, RunRecord]:
    """Return those of the runs that there are, with at most `rows` rows of each result."""
    found = connection.execute(queries.RUNS, {"run_ids": list(run_ids)}).fetchall()
    results = results_of(connection, [row["id"] for row in found], rows)
    return {
        row["id"]: replace(
            read_run(row, results[row["id"]].kept, results[row["id"]].set_aside),
            rows_gone=results[row["id"]].rows_gone,
        )
        for row in found
    }
