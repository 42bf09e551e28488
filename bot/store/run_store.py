"""Runs: claimed, finished, and read again."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from typing import Any, Final

from agent.messages import AgentResult, Exchange, Outcome, Transition
from agent.question import about_message
from bot.store import queries, values
from bot.store.cells import ROWS_KEPT, clean
from bot.store.connection import StoreConnection, held_by, keys, read_id
from bot.store.line import put_in_line
from bot.store.loading import Results, results_of, runs_of
from bot.store.records import Hold, HowAsked, Question, RunRecord, Thread
from bot.store.rows import ending, read_transition, result_rows, transition_rows
from bot.store.values import from_jsonb, to_jsonb

_ID_START: Final = re.compile(r"[0-9a-fA-F-]{1,36}")
FROM_A_MESSAGE: Final = HowAsked()
NOT_TO_RECALL = (Outcome.SYSTEM_FAULT, Outcome.CANCELLED)
"""Endings that say nothing about the conversation."""


class RunStore(StoreConnection):
    """The life of a run."""

    def claim(self, question: Question, how: HowAsked = FROM_A_MESSAGE) -> str | None:
        """Take a question on for good, and put its run in the line of those to be answered.

        Returns the id of its run; None if it was taken before.
        """
        run_id = str(uuid.uuid4())
        given = {**keys(question.thread), "ts": question.ts, "asked_by": question.asked_by}
        given |= {"run_id": run_id, "text": clean(question.text), "about": clean(question.about)}
        given["how"] = to_jsonb(values.HOW, how)
        with self._connection() as connection:
            row = connection.execute(queries.CLAIM, given).fetchone()
            if row:
                put_in_line(connection, run_id, question.thread, question.asked_by)
        return run_id if row else None

    def place_card(self, run_id: str, card_ts: str, *, hold: Hold | None = None) -> None:
        """Remember which message is the run's card; with `hold`, unless it is another's by now."""
        with self._connection() as connection:
            given = {"run_id": run_id, "card_ts": card_ts, **held_by(hold)}
            connection.execute(queries.PLACE_CARD, given)

    def finish(self, run_id: str, result: AgentResult, *, hold: Hold | None = None) -> bool:
        """Record how the run ended, whole; False, and nothing changed, if it had ended before.

        With `hold` neither is anything changed of a run that is another's by now.
        """
        with self._connection() as connection:
            given = ending(run_id, result) | held_by(hold)
            ended = connection.execute(queries.FINISH, given).rowcount == 1
            if ended:
                cursor = connection.cursor()
                cursor.executemany(queries.ADD_RESULT, result_rows(run_id, result))
                cursor.executemany(queries.ADD_TRANSITION, transition_rows(run_id, result.trail))
        return ended

    def turn_away(
        self,
        run_id: str,
        reason: str,
        *,
        failed: bool = False,
        card_ts: str | None = None,
        hold: Hold | None = None,
    ) -> None:
        """End a run that never reached the agent, or (`failed`) that broke on our side.

        `card_ts` is the message that says so, if there is one. With `hold` nothing is changed of a
        run that is another's by now.
        """
        given = {"run_id": run_id, "reason": clean(reason), "failed": failed, "card_ts": card_ts}
        given |= held_by(hold)
        with self._connection() as connection:
            connection.execute(queries.TURN_AWAY, given)

    def engaged(self, thread: Thread) -> bool:
        """Has anyone asked us something in this thread?"""
        with self._connection() as connection:
            row = connection.execute(queries.ENGAGED, keys(thread)).fetchone()
        return bool(row and row["engaged"])

    def exchanges(self, question: Question, *, limit: int, rows: int) -> tuple[Exchange, ...]:
        """Return what was asked and answered in the thread beside `question`, oldest first.

        Who asked is told by the member's id. What only one person saw is among it where that
        person asks, and alone sees the answer.

        At most `limit` exchanges, with at most `rows` rows of each result.
        """
        given: dict[str, Any] = {**keys(question.thread), "ts": question.ts, "limit": limit}
        given["asked_by"] = question.asked_by
        given["left_out"] = [str(outcome) for outcome in NOT_TO_RECALL]
        with self._connection() as connection:
            runs = connection.execute(queries.EARLIER_RUNS, given).fetchall()[::-1]
            results = results_of(connection, [run["id"] for run in runs], rows)
        return tuple(_exchange(run, results[run["id"]]) for run in runs)

    def run(self, run_id: str) -> RunRecord | None:
        """Return a run with its results, or None if there is none of that id."""
        key = read_id(run_id)
        if key is None:
            return None
        with self._connection() as connection:
            return runs_of(connection, [key], ROWS_KEPT).get(key)

    def run_ids(self, prefix: str, *, limit: int = 2) -> tuple[str, ...]:
        """Return the ids of runs that begin with `prefix`; () for what is no beginning of an id."""
        if not _ID_START.fullmatch(prefix):
            return ()
        given = {"prefix": prefix.lower(), "limit": limit}
        with self._connection() as connection:
            return tuple(str(row["id"]) for row in connection.execute(queries.RUN_IDS, given))

    def last_run(self, thread: Thread, *, only_for: str = "") -> RunRecord | None:
        """Return the newest run of a thread that has ended with a card, or None.

        `only_for` is who alone will hear of it: what only they saw counts too.
        """
        with self._connection() as connection:
            row = connection.execute(
                queries.LAST_RUN, {**keys(thread), "only_for": only_for}
            ).fetchone()
            return runs_of(connection, [row["id"]], ROWS_KEPT).get(row["id"]) if row else None

    def trail(self, run_id: str) -> tuple[Transition, ...]:
        """Return the transitions of a run that has ended, in order; () if there is none."""
        key = read_id(run_id)
        if key is None:
            return ()
        with self._connection() as connection:
            rows = connection.execute(queries.TRAIL, {"run_id": key}).fetchall()
        return tuple(read_transition(row) for row in rows)


def _exchange(run: Mapping[str, Any], results: Results) -> Exchange:
    asked_back = run["outcome"] == Outcome.NEEDS_CLARIFICATION
    return Exchange(
        question=about_message(run["question"], run["about"]),
        answer=run["answer"] or run["summary"],
        sql=tuple(result.sql for result in results.kept),
        # A result that has lost its rows would read as one that never had any.
        results=() if results.rows_gone else tuple(results.kept),
        tables=tuple(dict.fromkeys([*run["schemas_read"], *run["tables_read"]])),
        clarification=(
            from_jsonb(values.CLARIFICATION, run["clarification"]) if asked_back else None
        ),
        asked_by=run["asked_by"],
    )
