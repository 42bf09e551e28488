"""Questions that were changed or deleted after they were asked."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from bot.store import revision_queries as queries
from bot.store import values
from bot.store.cells import clean
from bot.store.connection import StoreConnection, keys
from bot.store.line import put_in_line
from bot.store.records import Dropped, HowAsked, Question, Thread
from bot.store.run_store import FROM_A_MESSAGE
from bot.store.values import to_jsonb


@dataclass(frozen=True)
class Revised:
    """A changed question that is ours to answer again."""

    run_id: str
    before: str
    """The id of the run that its last wording had."""


class RevisionStore(StoreConnection):
    """One message may have several runs, one for each wording; only the last one counts."""

    def revise(
        self, question: Question, revision: str, how: HowAsked = FROM_A_MESSAGE
    ) -> Revised | None:
        """Take a changed question on for good; the runs of its earlier wordings are dropped.

        `revision` is Slack's timestamp of the change. None where the message was no question of
        that person, or this change or a later one was taken before.
        """
        run_id = str(uuid.uuid4())
        given = {**keys(question.thread), "ts": question.ts, "asked_by": question.asked_by}
        given |= {"run_id": run_id, "text": clean(question.text), "revision": revision}
        given |= {"dropped": str(Dropped.EDITED), "how": to_jsonb(values.HOW, how)}
        with self._connection() as connection:
            first = connection.execute(queries.CONVERSATION_OF, given).fetchone()
            if first is None or first["asked_by"] != question.asked_by:
                return None
            given |= {"conversation_id": first["conversation_id"]}
            connection.execute(queries.LOCK_CONVERSATION, given)
            newest = connection.execute(queries.NEWEST_REVISION, given).fetchone()
            if newest is None or newest["revision"] >= revision:
                return None
            connection.execute(queries.DROP_EARLIER, given)
            connection.execute(queries.ADD_REVISION, given)
            put_in_line(connection, run_id, question.thread, question.asked_by)
        return Revised(run_id, str(newest["id"]))

    def drop_deleted(self, thread: Thread, ts: str) -> tuple[str, ...]:
        """Drop what runs for a message that was deleted, and return the ids of those runs."""
        given = {**keys(thread), "ts": ts, "dropped": str(Dropped.DELETED)}
        with self._connection() as connection:
            rows = connection.execute(queries.DROP_RUNNING, given).fetchall()
        return tuple(str(row["id"]) for row in rows)

    def take_card(self, run_id: str) -> str | None:
        """Give a run the card of the wording before it, and return that; None for none."""
        with self._connection() as connection:
            row = connection.execute(queries.TAKE_CARD, {"run_id": run_id}).fetchone()
        return row["card_ts"] if row else None
