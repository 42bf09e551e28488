"""Escalations: opened once a run, claimed by one person, settled once."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from bot.store import escalation_queries as queries
from bot.store.cells import ROWS_KEPT, clean
from bot.store.connection import Connection, StoreConnection, read_id
from bot.store.errors import RunUnknown
from bot.store.loading import runs_of
from bot.store.records import Escalation, EscalationStatus

LISTED_ROWS = 10
"""Rows of each result that come with a list of escalations."""


class EscalationStore(StoreConnection):
    """The life of an escalation. An id that is none, or unknown, is None like one that is gone."""

    def escalate(self, run_id: str, *, reason: str, asked_by: str) -> Escalation:
        """Open an escalation of the run, or return the one that is not settled yet.

        Raises `RunUnknown`, which is a `StoreUnavailable`, for a run that is not in the store.
        """
        key = read_id(run_id)
        given = {"id": uuid.uuid4(), "run_id": key, "reason": clean(reason), "asked_by": asked_by}
        with self._connection() as connection:
            # Between the two statements somebody may settle the one that stood in the way.
            for query in (queries.OPEN, queries.UNSETTLED_OF, queries.OPEN):
                row = connection.execute(query, given).fetchone() if key else None
                if row is not None:
                    return _read_all(connection, [row], ROWS_KEPT)[0]
        raise RunUnknown.of(run_id)

    @contextmanager
    def posting(self, escalation_id: str) -> Iterator[bool]:
        """Be the one who posts an escalation, for as long as the block lasts.

        False where another process is about to; one that dies is so no longer. Holds a connection.
        """
        with self._connection() as connection:
            connection.execute(queries.TAKES_ITS_TIME)
            row = connection.execute(queries.POSTING, {"id": escalation_id}).fetchone()
            yield bool(row and row["is_ours"])

    def place_escalation(self, escalation_id: str, channel: str, ts: str) -> None:
        """Remember which message the escalation was posted as."""
        given = {"id": read_id(escalation_id), "channel": channel, "ts": ts}
        with self._connection() as connection:
            connection.execute(queries.PLACE, given)

    def place_answer(self, escalation_id: str, ts: str) -> None:
        """Remember which message brought the answer into the thread of the question."""
        with self._connection() as connection:
            connection.execute(queries.PLACE_ANSWER, {"id": read_id(escalation_id), "ts": ts})

    def claim_escalation(self, escalation_id: str, user: str) -> Escalation | None:
        """Give the escalation to `user`; None where somebody else was first, or it is settled."""
        return self._change(queries.CLAIM, escalation_id, user=user)

    def answer_escalation(self, escalation_id: str, user: str, answer: str) -> Escalation | None:
        """Record a person's answer, claimed or not; None where it was settled before."""
        return self._settle(escalation_id, EscalationStatus.ANSWERED, user, answer)

    def mark_wrong(self, escalation_id: str, user: str, note: str) -> Escalation | None:
        """Record that the run was wrong, and why; None where it was settled before."""
        return self._settle(escalation_id, EscalationStatus.MARKED_WRONG, user, note)

    def close_escalation(self, escalation_id: str, user: str) -> Escalation | None:
        """Record that nobody needs an answer any more; None where it was settled before."""
        return self._settle(escalation_id, EscalationStatus.CLOSED, user, "")

    def escalation(self, escalation_id: str) -> Escalation | None:
        """Return an escalation with its run, or None if there is none of that id."""
        return self._change(queries.ONE, escalation_id)

    def open_escalations(
        self, limit: int = 20, *, team: str | None = None
    ) -> tuple[Escalation, ...]:
        """Return the escalations of a workspace that nobody has settled, oldest first.

        Their runs come with the first rows of each result only. `team` None, here and below: those
        of all workspaces.
        """
        given = {"limit": limit, "team": team}
        with self._connection() as connection:
            rows = connection.execute(queries.UNSETTLED, given).fetchall()
            return _read_all(connection, rows, LISTED_ROWS)

    def take_overdue(self, *, open_for_s: float, team: str | None = None) -> tuple[Escalation, ...]:
        """Return what has been posted and has waited for so many seconds, each once and for all."""
        given = {"open_for_s": open_for_s, "team": team}
        with self._connection() as connection:
            rows = connection.execute(queries.TAKE_OVERDUE, given).fetchall()
            return _read_all(connection, sorted(rows, key=_opened), LISTED_ROWS)

    def undelivered(
        self, *, settled_for_s: float, limit: int = 20, team: str | None = None
    ) -> tuple[Escalation, ...]:
        """Return what was settled so many seconds ago, and did not reach whoever asked.

        Nothing older than three days: by then nobody waits for it.
        """
        given = {"settled_for_s": settled_for_s, "limit": limit, "team": team}
        with self._connection() as connection:
            rows = connection.execute(queries.UNDELIVERED, given).fetchall()
            return _read_all(connection, rows, ROWS_KEPT)

    def _settle(
        self, escalation_id: str, status: EscalationStatus, user: str, answer: str
    ) -> Escalation | None:
        given = {"status": str(status), "user": user, "answer": clean(answer)}
        return self._change(queries.SETTLE, escalation_id, **given)

    def _change(self, query: str, escalation_id: str, **given: str) -> Escalation | None:
        key = read_id(escalation_id)
        if key is None:
            return None
        with self._connection() as connection:
            row = connection.execute(query, {"id": key, **given}).fetchone()
            return _read_all(connection, [row], ROWS_KEPT)[0] if row else None


def _opened(row: Mapping[str, Any]) -> datetime:
    opened_at: datetime = row["opened_at"]
    return opened_at


def _read_all(
    connection: Connection, rows: Sequence[Mapping[str, Any]], n_rows: int
) -> tuple[Escalation, ...]:
    runs = runs_of(connection, {row["run_id"] for row in rows}, n_rows)
    return tuple(
        Escalation(
            id=str(row["id"]),
            run=runs[row["run_id"]],
            status=EscalationStatus(row["status"]),
            reason=row["reason"],
            asked_by=row["asked_by"],
            opened_at=row["opened_at"],
            channel=row["channel_id"],
            ts=row["message_ts"],
            claimed_by=row["claimed_by"],
            claimed_at=row["claimed_at"],
            answered_by=row["answered_by"],
            answered_at=row["answered_at"],
            answer=row["answer"],
            answer_ts=row["answer_ts"],
        )
        for row in rows
    )
