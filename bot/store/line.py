"""Puts runs into the line of those that wait for a worker."""

from __future__ import annotations

import psycopg
from psycopg.rows import DictRow

from bot.queue import Queue
from bot.store.records import Thread

_QUEUE = Queue()


def put_in_line(
    connection: psycopg.Connection[DictRow], run_id: str, thread: Thread, asked_by: str
) -> None:
    """Put a run into the line, within the transaction of `connection`: both come true, or none."""
    _QUEUE.put(
        connection,
        run_id,
        team=thread.team,
        channel=thread.channel,
        thread=thread.ts,
        person=asked_by,
    )
