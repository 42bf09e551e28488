"""The log: runs that people look for, each only by whom it is meant for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from agent.messages import Outcome
from bot.store import log_queries as queries
from bot.store.cells import clean
from bot.store.connection import StoreConnection
from bot.store.records import EscalationStatus, LogEntry, LogSearch

SMALL_TALK = "no question"
"""The reason with which a greeting is turned away: it is in no log."""

_PLURAL: Final = re.compile(r"(?<=[^\W\d_]{3})(?:ies|(?<=ch|sh)es|(?<=[xz])es|(?<=[^\W\d_s])s)$")
_SPECIAL: Final = re.compile(r"[\\%_]")


class LogStore(StoreConnection):
    """What was asked, by whom, and how it ended."""

    def find_runs(self, search: LogSearch, limit: int = 20) -> tuple[LogEntry, ...]:
        """Return the runs that `search` asks for and its viewer may see, newest first."""
        outcomes = search.outcomes
        given: dict[str, Any] = {
            "team": search.team,
            "viewer": search.viewer,
            "here": search.here,
            "small_talk": SMALL_TALK,
            "outcomes": None if outcomes is None else [str(outcome) for outcome in outcomes],
            "failed": search.failed,
            "warned": search.warned,
            "escalated": search.escalated,
            "thumbs_up": search.thumbs_up,
            "thumbs_down": search.thumbs_down,
            "asked_by": search.asked_by,
            "channel": search.channel,
            "since": search.since,
            "until": search.until,
            "words": [_pattern(clean(word)) for word in search.words],
            "limit": limit,
        }
        with self._connection() as connection:
            return tuple(_entry(row) for row in connection.execute(queries.FIND, given))

    def note_channel(self, team: str, channel: str, *, is_public: bool) -> None:
        """Remember whether everybody in the workspace may read a channel.

        A channel that was never noted counts as private.
        """
        given = {"team": team, "channel": channel, "is_public": is_public}
        with self._connection() as connection:
            connection.execute(queries.NOTE_CHANNEL, given)


def _pattern(word: str) -> str:
    """Return the LIKE pattern for a word in any number, "categories" and "category", or a phrase.

    Full-text search would do more, but needs an index of every answer for a rare question.
    """
    beginning = _PLURAL.sub("", word.lower())
    return "%" + _SPECIAL.sub(r"\\\g<0>", beginning) + "%"


def _entry(row: Mapping[str, Any]) -> LogEntry:
    return LogEntry(
        run_id=str(row["id"]),
        question=row["question"],
        asked_by=row["asked_by"],
        channel=row["channel_id"],
        thread_ts=row["thread_ts"],
        message_ts=row["message_ts"],
        card_ts=row["card_ts"],
        outcome=Outcome(row["outcome"]) if row["outcome"] else None,
        failed=row["failed"],
        created_at=row["created_at"],
        summary=row["summary"],
        answer=row["answer"],
        duration_ms=row["duration_ms"],
        cost_usd=row["cost_usd"],
        warnings=tuple(row["warnings"]),
        escalation=EscalationStatus(row["escalation"]) if row["escalation"] else None,
        held_by=row["held_by"],
        thumbs_up=row["thumbs_up"],
        thumbs_down=row["thumbs_down"],
        complaint=row["complaint"],
    )
