"""The bot's own record of who asked what and what came of it, in PostgreSQL."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psycopg
from psycopg.rows import DictRow, dict_row
from psycopg_pool import ConnectionPool

from agent.messages import AgentResult, Exchange, Outcome, QueryResult
from bot.store import queries
from bot.store.cells import ROWS_KEPT, clean
from bot.store.errors import StoreUnavailable
from bot.store.migrate import migrate
from bot.store.records import CutOff, Question, RunRecord, Thread
from bot.store.rows import ending, read_result, read_run, result_rows, transition_rows

WAIT_S = 1.5
"""A claim has to be made before Slack's three seconds are over."""
STATEMENT_TIMEOUT_MS = 5000
CONNECTIONS = 10
NOT_TO_RECALL = (Outcome.SYSTEM_FAULT, Outcome.CANCELLED)
"""Endings that say nothing about the conversation."""

Connection = psycopg.Connection[DictRow]


class Store:
    """Few plain methods; each is one transaction, and each may raise `StoreUnavailable`."""

    def __init__(self, url: str, *, wait_s: float = WAIT_S) -> None:
        """`url` is PostgreSQL's; nothing is connected before `open`.

        `wait_s` is how long one call waits for a connection, in seconds.
        """
        self._url = url
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            url,
            connection_class=psycopg.Connection[DictRow],
            kwargs={"row_factory": dict_row, "connect_timeout": 3},
            min_size=1,
            max_size=CONNECTIONS,
            timeout=wait_s,
            check=ConnectionPool.check_connection,
            configure=_configure,
            name="store",
            open=False,
        )

    def open(self) -> None:
        """Bring the schema up to date and connect."""
        migrate(self._url)
        self._pool.open()

    def close(self) -> None:
        """Give the connections back. May be called more than once."""
        self._pool.close()

    def claim(self, question: Question) -> str | None:
        """Make the question ours and return the id of its run; None if it was claimed before."""
        run_id = str(uuid.uuid4())
        values = {**_keys(question.thread), "ts": question.ts, "asked_by": question.asked_by}
        values |= {"run_id": run_id, "text": clean(question.text)}
        with self._connection() as connection:
            row = connection.execute(queries.CLAIM, values).fetchone()
        return run_id if row else None

    def place_card(self, run_id: str, card_ts: str) -> None:
        """Remember which message is the run's card."""
        with self._connection() as connection:
            connection.execute(queries.PLACE_CARD, {"run_id": run_id, "card_ts": card_ts})

    def finish(self, run_id: str, result: AgentResult) -> bool:
        """Record how the run ended, whole; False, and nothing changed, if it had ended before."""
        with self._connection() as connection:
            ended = connection.execute(queries.FINISH, ending(run_id, result)).rowcount == 1
            if ended:
                cursor = connection.cursor()
                cursor.executemany(queries.ADD_RESULT, result_rows(run_id, result.results))
                cursor.executemany(queries.ADD_TRANSITION, transition_rows(run_id, result.trail))
        return ended

    def turn_away(self, run_id: str, reason: str) -> None:
        """End a run that never reached the agent."""
        with self._connection() as connection:
            connection.execute(queries.TURN_AWAY, {"run_id": run_id, "reason": clean(reason)})

    def engaged(self, thread: Thread) -> bool:
        """Has anyone asked us something in this thread?"""
        with self._connection() as connection:
            row = connection.execute(queries.ENGAGED, _keys(thread)).fetchone()
        return bool(row and row["engaged"])

    def exchanges(self, question: Question, *, limit: int, rows: int) -> tuple[Exchange, ...]:
        """Return what was asked and answered in the thread beside `question`, oldest first.

        At most `limit` exchanges, with at most `rows` rows of each result.
        """
        values: dict[str, Any] = {**_keys(question.thread), "ts": question.ts, "limit": limit}
        values["left_out"] = [str(outcome) for outcome in NOT_TO_RECALL]
        with self._connection() as connection:
            runs = connection.execute(queries.EARLIER_RUNS, values).fetchall()[::-1]
            results = _results_of(connection, [run["id"] for run in runs], rows)
        return tuple(
            Exchange(
                question=run["question"],
                answer=run["answer"] or run["summary"],
                sql=tuple(result.sql for result in results[run["id"]]),
                results=tuple(results[run["id"]]),
            )
            for run in runs
        )

    def run(self, run_id: str) -> RunRecord | None:
        """Return a run with its results, or None if there is none of that id."""
        try:
            key = uuid.UUID(run_id)
        except ValueError:
            return None
        with self._connection() as connection:
            row = connection.execute(queries.RUN, {"run_id": key}).fetchone()
            if row is None:
                return None
            results = _results_of(connection, [key], ROWS_KEPT)[key]
        return read_run(row, results)

    def renew(self, run_ids: Collection[str]) -> None:
        """Say that this process still works on these runs."""
        with self._connection() as connection:
            connection.execute(queries.RENEW, {"run_ids": list(run_ids)})

    def take_cut_off(self, *, unseen_s: float) -> tuple[CutOff, ...]:
        """End the runs whose process has not renewed for `unseen_s` seconds, and return them."""
        with self._connection() as connection:
            rows = connection.execute(queries.TAKE_CUT_OFF, {"unseen_s": unseen_s}).fetchall()
        return tuple(CutOff(str(row["id"]), row["channel_id"], row["card_ts"]) for row in rows)

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        try:
            with self._pool.connection() as connection:
                yield connection
        except psycopg.Error as error:  # gone, too slow, full, or not as we left it
            raise StoreUnavailable.because(error) from error


def _configure(connection: Connection) -> None:
    connection.execute(f"set statement_timeout = {STATEMENT_TIMEOUT_MS}")
    connection.execute("set application_name = 'db-agent store'")
    connection.commit()


def _keys(thread: Thread) -> dict[str, Any]:
    return {"team": thread.team, "channel": thread.channel, "thread_ts": thread.ts}


def _results_of(
    connection: Connection, run_ids: Sequence[uuid.UUID], rows: int
) -> dict[uuid.UUID, list[QueryResult]]:
    found: dict[uuid.UUID, list[QueryResult]] = {run_id: [] for run_id in run_ids}
    values = {"run_ids": list(run_ids), "rows": rows}
    for row in connection.execute(queries.RESULTS_OF, values):
        found[row["run_id"]].append(read_result(row))
    return found
