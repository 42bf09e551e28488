"""Runs: claimed, finished, and read again."""

from __future__ import annotations

import re
import uuid
from collections.abc import Collection, Mapping
from typing import Any, Final

from agent.messages import AgentResult, Exchange, Outcome, Transition
from agent.question import about_message
from bot.store import queries, values
from bot.store.cells import ROWS_KEPT, clean
from bot.store.connection import StoreConnection, keys, read_id
from bot.store.loading import Results, results_of, runs_of
from bot.store.records import CutOff, Dropped, Question, RunRecord, Thread
from bot.store.rows import ending, read_cut_off, read_transition, result_rows, transition_rows
from bot.store.values import from_jsonb

_ID_START: Final = re.compile(r"[0-9a-fA-F-]{1,36}")
NOT_TO_RECALL = (Outcome.SYSTEM_FAULT, Outcome.CANCELLED)
"""Endings that say nothing about the conversation."""


class RunStore(StoreConnection):
    """The life of a run."""

    def claim(self, question: Question) -> str | None:
        """Make the question ours and return the id of its run; None if it was claimed before."""
        run_id = str(uuid.uuid4())
        given = {**keys(question.thread), "ts": question.ts, "asked_by": question.asked_by}
        given |= {"run_id": run_id, "text": clean(question.text), "about": clean(question.about)}
        with self._statement() as connection:
            row = connection.execute(queries.CLAIM, given).fetchone()
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
                cursor.executemany(queries.ADD_RESULT, result_rows(run_id, result))
                cursor.executemany(queries.ADD_TRANSITION, transition_rows(run_id, result.trail))
        return ended

    def turn_away(
        self, run_id: str, reason: str, *, failed: bool = False, card_ts: str | None = None
    ) -> None:
        """End a run that never reached the agent, or (`failed`) that broke on our side.

        `card_ts` is the message that says so, if there is one.
        """
        given = {"run_id": run_id, "reason": clean(reason), "failed": failed, "card_ts": card_ts}
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

    def renew(self, run_ids: Collection[str]) -> dict[str, Dropped]:
        """Say that this process still works on these runs; tell which nobody wants any more."""
        with self._connection() as connection:
            rows = connection.execute(queries.RENEW, {"run_ids": list(run_ids)}).fetchall()
        return {str(row["id"]): Dropped(row["dropped"]) for row in rows if row["dropped"]}

    def take_cut_off(self, *, unseen_s: float, team: str | None = None) -> tuple[CutOff, ...]:
        """End the runs whose process has not renewed for `unseen_s` seconds, and return them.

        Those of the workspace `team`; None: of all.
        """
        given = {"unseen_s": unseen_s, "team": team}
        with self._connection() as connection:
            rows = connection.execute(queries.TAKE_CUT_OFF, given).fetchall()
        return tuple(map(read_cut_off, rows))


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
