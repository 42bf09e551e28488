"""What the store holds of a person, and its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.store import forget_queries as queries
from bot.store.connection import StoreConnection


@dataclass(frozen=True)
class Traces:
    """What there is of a person in a workspace, in numbers."""

    questions: int
    """With all that their runs have produced."""
    under_way: int
    """How many of the questions have not ended."""
    votes: int
    """On answers to others."""
    helped: int
    """Questions of others for which they asked for a person, or which they took or settled."""
    settings: int
    """Channels that they have set, and installations of the app."""

    @property
    def is_nothing(self) -> bool:
        return not any((self.questions, self.votes, self.helped, self.settings))


@dataclass(frozen=True)
class SlackMessage:
    """A message in Slack that a person's question has left there."""

    channel: str
    ts: str
    what: str
    """Such as "question" or "answer"."""


class ForgetStore(StoreConnection):
    """Finds and deletes what is of the member `person`, in the workspace `team` alone."""

    def teams_of(self, person: str) -> tuple[str, ...]:
        """Return the workspaces in which there is something of a member."""
        with self._connection() as connection:
            rows = connection.execute(queries.TEAMS, {"person": person}).fetchall()
        return tuple(row["team_id"] for row in rows)

    def traces_of(self, team: str, person: str) -> Traces:
        """Return how much there is."""
        with self._connection() as connection:
            given = {"team": team, "person": person}
            row = connection.execute(queries.TRACES, given).fetchone()
        assert row is not None
        return Traces(**row)

    def messages_of(self, team: str, person: str) -> tuple[SlackMessage, ...]:
        """Return the messages in Slack that are known, by the age of their questions."""
        with self._connection() as connection:
            given = {"team": team, "person": person}
            rows = connection.execute(queries.MESSAGES, given).fetchall()
        return tuple(SlackMessage(row["channel_id"], row["ts"], row["what"]) for row in rows)

    def stop_runs_of(self, team: str, person: str) -> int:
        """Tell the runs that have not ended to stop, in whatever process; returns how many."""
        with self._connection() as connection:
            return connection.execute(queries.STOP, {"team": team, "person": person}).rowcount

    def under_way_of(self, team: str, person: str) -> int:
        """Return how many runs have not ended."""
        with self._connection() as connection:
            given = {"team": team, "person": person}
            row = connection.execute(queries.UNDER_WAY, given).fetchone()
        return int(row["n"]) if row else 0

    def drop_runs_of(self, team: str, person: str, *, limit: int) -> int:
        """Delete at most `limit` of the runs with all that they have produced; returns how many.

        What they cost stays, as nobody's. One that has not ended goes too: whoever works on it
        finds that it is none of theirs any more.
        """
        given: dict[str, Any] = {"team": team, "person": person, "limit": limit}
        with self._connection() as connection:
            rows = connection.execute(queries.NEXT, given).fetchall()
            given["ids"] = [row["id"] for row in rows]
            given["conversations"] = sorted({row["conversation_id"] for row in rows})
            given["channels"] = sorted({row["channel_id"] for row in rows})
            for query in (
                queries.FIND_JOBS,
                queries.DROP_JOBS,
                queries.DROP_RUNS,
                queries.DROP_CHECKPOINTS,
                queries.DROP_CONVERSATIONS,
                queries.DROP_DIRECT,
                queries.DROP_DIRECT_SETTINGS,
            ):
                connection.execute(query, given)
        return len(rows)

    def take_name_off(self, team: str, person: str) -> None:
        """Delete a member's votes, and their id from what is of others."""
        with self._connection() as connection:
            for query in queries.NAMELESS:
                connection.execute(query, {"team": team, "person": person})
