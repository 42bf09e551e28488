"""Puts the job of a run into the line."""

from __future__ import annotations

from typing import Any, Final

import psycopg
from procrastinate import App, PsycopgConnector

QUEUE: Final = "questions"
ANSWER: Final = "answer"
"""The one task there is: to answer the question of a run."""


class Queue:
    """The end of the line; safe to share between threads. It opens nothing by itself."""

    def __init__(self) -> None:
        self._app = App(connector=PsycopgConnector())

    def put(
        self,
        connection: psycopg.Connection[Any],
        run_id: str,
        *,
        team: str,
        channel: str,
        thread: str,
        person: str,
    ) -> None:
        """Defer the job of a run within the caller's transaction.

        `connection` finds the line's tables by its search path. The questions of one thread are
        answered one after the other, in the order in which they were put in.
        """
        job = self._app.configure_task(
            ANSWER, queue=QUEUE, lock=f"{team}/{channel}/{thread}", connection=connection
        )
        job.defer(run_id=run_id)
