"""What people thought of an answer, one vote each, and private answers that were shared."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from bot.store.cells import clean
from bot.store.connection import StoreConnection, read_id
from bot.store.errors import RunUnknown
from bot.store.records import Sharing, SharingStatus, Vote

LEASE_S: Final = 60.0
"""After so many seconds, whoever was sharing an answer is taken for dead."""

# A click that was overtaken by a later one changes nothing. Who finds it bad once more has still
# said why.
VOTE: Final = """
insert into db_agent.feedback as old (run_id, person, vote, voted_at)
values (%(run_id)s, %(person)s, %(vote)s, %(at)s)
on conflict (run_id, person) do update set
    vote = excluded.vote, voted_at = excluded.voted_at,
    reason = case when excluded.vote = old.vote then old.reason else '' end
where old.voted_at <= excluded.voted_at
"""
EXPLAIN: Final = """
insert into db_agent.feedback (run_id, person, vote, reason, voted_at)
values (%(run_id)s, %(person)s, 'down', %(reason)s, now())
on conflict (run_id, person) do update set vote = 'down', reason = excluded.reason
"""
VOTE_OF: Final = """
select vote, reason from db_agent.feedback where run_id = %(run_id)s and person = %(person)s
"""
KNOWN: Final = "select from db_agent.runs where id = %(run_id)s"

BEGIN_SHARE: Final = """
insert into db_agent.shares as old (run_id) values (%(run_id)s)
on conflict (run_id) do update set begun_at = now()
where old.message_ts is null and old.begun_at < now() - make_interval(secs => %(lease_s)s)
returning xmax = 0 as is_new
"""
SHARED: Final = "select message_ts from db_agent.shares where run_id = %(run_id)s"
WAS_SHARED: Final = "select from db_agent.shares where run_id = %(run_id)s"
END_SHARE: Final = "update db_agent.shares set message_ts = %(ts)s where run_id = %(run_id)s"
DROP_SHARE: Final = "delete from db_agent.shares where run_id = %(run_id)s and message_ts is null"


class FeedbackStore(StoreConnection):
    """Votes and shares. A run that is not in the store raises `RunUnknown`."""

    def vote(self, run_id: str, person: str, *, is_good: bool, at: datetime) -> Vote:
        """Note what a person thinks of a run, as of the moment `at`; returns what stands now."""
        given = {"person": person, "vote": "up" if is_good else "down", "at": at}
        return self._note(VOTE, run_id, given)

    def explain(self, run_id: str, person: str, reason: str) -> Vote:
        """Note why a person finds a run bad; returns what stands now."""
        return self._note(EXPLAIN, run_id, {"person": person, "reason": clean(reason)})

    def begin_share(self, run_id: str, *, lease_s: float = LEASE_S) -> Sharing:
        """Make the sharing of a run ours, unless it is shared, or another one is at it.

        Who has not ended it within `lease_s` seconds has lost it.
        """
        given = self._key(run_id)
        with self._connection() as connection:
            if connection.execute(KNOWN, given).fetchone() is None:
                raise RunUnknown.of(run_id)
            row = connection.execute(BEGIN_SHARE, {**given, "lease_s": lease_s}).fetchone()
            if row is not None:
                return Sharing(SharingStatus.NEW if row["is_new"] else SharingStatus.LEFT_BEHIND)
            found = connection.execute(SHARED, given).fetchone()
        ts = found["message_ts"] if found else None
        return Sharing(SharingStatus.DONE if ts else SharingStatus.UNDER_WAY, ts)

    def was_shared(self, run_id: str) -> bool:
        """Has whoever asked shared the answer, or begun to? False where there is no such run."""
        with self._connection() as connection:
            return connection.execute(WAS_SHARED, self._key(run_id)).fetchone() is not None

    def end_share(self, run_id: str, ts: str) -> None:
        """Remember which message the shared answer is."""
        with self._connection() as connection:
            connection.execute(END_SHARE, {**self._key(run_id), "ts": ts})

    def drop_share(self, run_id: str) -> None:
        """Nothing was posted: the answer may be shared again."""
        with self._connection() as connection:
            connection.execute(DROP_SHARE, self._key(run_id))

    def _note(self, query: str, run_id: str, given: Mapping[str, Any]) -> Vote:
        values = {**self._key(run_id), **given}
        with self._connection() as connection:
            if connection.execute(KNOWN, values).fetchone() is None:
                raise RunUnknown.of(run_id)
            connection.execute(query, values)
            row = connection.execute(VOTE_OF, values).fetchone()
        assert row is not None  # just written, in the same transaction
        return Vote(is_good=row["vote"] == "up", reason=row["reason"])

    @staticmethod
    def _key(run_id: str) -> dict[str, Any]:
        key = read_id(run_id)
        if key is None:
            raise RunUnknown.of(run_id)
        return {"run_id": key}
