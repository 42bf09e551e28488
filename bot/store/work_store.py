"""Runs under way: whose they are, and how far they have come."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

from agent.messages import Transition
from bot.store import work_queries as queries
from bot.store.connection import StoreConnection, held_by, read_id
from bot.store.records import Begun, Hold, Renewed, Thread
from bot.store.rows import read_begun, read_renewed, transition_row


@dataclass(frozen=True)
class UnderWay:
    """A run that has not ended, in whatever process."""

    run_id: str
    asked_by: str
    thread: Thread


class NoRoom(Exception):
    """As many questions run as may."""


@dataclass(frozen=True)
class Room:
    """How many questions may run at the same time; None: any number."""

    per_person: int | None = None
    in_all: int | None = None
    """On one record, and so on one database to answer from."""

    def is_full(self, *, of_the_person: int, in_all: int) -> bool:
        """Is there no room for one more?"""
        return (self.per_person is not None and of_the_person >= self.per_person) or (
            self.in_all is not None and in_all >= self.in_all
        )


NO_CEILING: Final = Room()


class WorkStore(StoreConnection):
    """A run has one holder at a time; what others write of it changes nothing."""

    def begin(self, run_id: str, owner: str, room: Room = NO_CEILING) -> Begun | None:
        """Make a run the one of the process `owner`; None where nothing is left to be done.

        Raises `NoRoom` where as many run as `room` allows, in all processes together.
        """
        key = read_id(run_id)
        given = {"run_id": key, "owner": owner}
        with self._connection() as connection:
            if room != NO_CEILING:
                connection.execute(queries.LOCK_ROOM)
                beside = connection.execute(queries.RUNNING_BESIDE, given).fetchone()
                if beside is not None and room.is_full(**beside):
                    raise NoRoom
            row = connection.execute(queries.BEGIN, given).fetchone() if key else None
            if row is None:
                return None
            kept = connection.execute(queries.KEPT, given).fetchall()
        return read_begun(row, owner, kept)

    def keep(
        self,
        run_id: str,
        hold: Hold,
        number: int,
        transition: Transition,
        checkpoint: Mapping[str, Any],
    ) -> bool:
        """Write down a transition as it happens; False where the run is another's by now."""
        given = transition_row(run_id, number, transition) | held_by(hold)
        given["checkpoint"] = json.dumps(checkpoint)
        with self._connection() as connection:
            return connection.execute(queries.KEEP, given).rowcount == 1

    def keep_part(self, run_id: str, hold: Hold, checkpoint: Mapping[str, Any]) -> bool:
        """Write down how far the phase under way has come; False where the run is another's."""
        given = {"run_id": run_id, "checkpoint": json.dumps(checkpoint), **held_by(hold)}
        with self._connection() as connection:
            return connection.execute(queries.KEEP_PART, given).rowcount == 1

    def note_shown(self, run_id: str, hold: Hold, *, card_ts: str | None) -> bool:
        """The person sees how the run ended: nothing is left to be done for it.

        False where the run is another's by now.
        """
        given = {"run_id": run_id, "card_ts": card_ts, **held_by(hold)}
        with self._connection() as connection:
            ours = connection.execute(queries.SHOWN, given).rowcount == 1
            if ours:
                connection.execute(queries.FORGET_CHECKPOINTS, given)
        return ours

    def give_back(self, run_id: str, hold: Hold) -> None:
        """Let go of a run that another process is to go on with: nobody has died over it."""
        with self._connection() as connection:
            connection.execute(queries.GIVE_BACK, {"run_id": run_id, **held_by(hold)})

    def renew(self, run_ids: Collection[str], owner: str) -> dict[str, Renewed]:
        """Say that the process `owner` works on these runs; return those that are still its own."""
        given = {"run_ids": list(run_ids), "owner": owner}
        with self._connection() as connection:
            rows = connection.execute(queries.RENEW, given).fetchall()
        return {str(row["id"]): read_renewed(row) for row in rows}

    def ask_to_stop(self, run_id: str, by: str) -> None:
        """Have a run stopped, in whatever process it is, since the member `by` wants it to."""
        with self._connection() as connection:
            connection.execute(queries.ASK_TO_STOP, {"run_id": run_id, "by": by})

    def is_held(self, run_id: str, hold: Hold) -> bool:
        """Is a run still the one of its holder?"""
        given = {"run_id": run_id, **held_by(hold)}
        with self._connection() as connection:
            return connection.execute(queries.IS_HELD, given).fetchone() is not None

    def under_way(self, thread: Thread) -> tuple[UnderWay, ...]:
        """Return the runs in a thread that have not ended, the newest last."""
        return self._under_way(team=thread.team, channel=thread.channel, thread_ts=thread.ts)

    def under_way_at(self, team: str, channel: str) -> tuple[UnderWay, ...]:
        """Return the runs in a channel that have not ended, the newest last."""
        return self._under_way(team=team, channel=channel)

    def find_under_way(self, run_id: str) -> UnderWay | None:
        """Return a run that has not ended; None where there is none of that id."""
        key = read_id(run_id)
        found = self._under_way(run_id=key) if key else ()
        return found[0] if found else None

    def _under_way(self, **given: Any) -> tuple[UnderWay, ...]:
        given = {"run_id": None, "team": None, "channel": None, "thread_ts": None, **given}
        with self._connection() as connection:
            rows = connection.execute(queries.UNDER_WAY, given).fetchall()
        return tuple(
            UnderWay(
                str(row["id"]),
                row["asked_by"],
                Thread(row["team_id"], row["channel_id"], row["thread_ts"]),
            )
            for row in rows
        )

    def team_of(self, run_id: str) -> str | None:
        """Return the workspace of a run; None where there is no such run."""
        with self._connection() as connection:
            row = connection.execute(queries.TEAM_OF, {"run_id": run_id}).fetchone()
        return row["team_id"] if row else None
