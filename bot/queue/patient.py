"""A connection to the line that waits where the server is away, and goes on when it is back."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final, LiteralString, TypeVar

from procrastinate import PsycopgConnector
from procrastinate.connector import Notify
from procrastinate.exceptions import ConnectorException

log = logging.getLogger(__name__)

T = TypeVar("T")

PAUSE_S: Final = 0.5
"""Between two tries while the server is away, in seconds."""


class PatientConnector(PsycopgConnector):
    """What a worker asks of its server is asked until it answers.

    Else a worker ends with the first lost connection, while its jobs go on.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._gives_up = False
        self._fails_since: float | None = None
        self.failed_at = -float("inf")
        """When the server did not answer last, by `time.monotonic`."""

    @property
    def away_s(self) -> float:
        """For how long the server has not answered by now, in seconds; 0 where it does."""
        since = self._fails_since
        return 0.0 if since is None else time.monotonic() - since

    def give_up(self) -> None:
        """Wait for nothing any more: the process ends."""
        self._gives_up = True

    async def execute_query_async(self, query: LiteralString, **arguments: Any) -> None:
        inner = super().execute_query_async
        await self._until_it_answers(lambda: inner(query, **arguments))

    async def execute_query_one_async(
        self, query: LiteralString, **arguments: Any
    ) -> dict[str, Any]:
        inner = super().execute_query_one_async
        return await self._until_it_answers(lambda: inner(query, **arguments))

    async def execute_query_all_async(
        self, query: LiteralString, **arguments: Any
    ) -> list[dict[str, Any]]:
        inner = super().execute_query_all_async
        return await self._until_it_answers(lambda: inner(query, **arguments))

    async def listen_notify(self, on_notification: Notify, channels: Iterable[str]) -> None:
        inner = super().listen_notify
        await self._until_it_answers(lambda: inner(on_notification, channels))

    async def _until_it_answers(self, ask: Callable[[], Awaitable[T]]) -> T:
        while True:
            try:
                answer = await ask()
            except ConnectorException as error:
                if self._gives_up or not _may_pass(error):
                    raise
                self._note_failure(error)
                await asyncio.sleep(PAUSE_S)
            else:
                self._note_answer()
                return answer

    def _note_failure(self, error: ConnectorException) -> None:
        self.failed_at = time.monotonic()
        if self._fails_since is None:
            self._fails_since = self.failed_at
            log.warning("the line of questions cannot be reached: %s", type(error.__cause__))

    def _note_answer(self) -> None:
        if self._fails_since is not None:
            log.warning("the line of questions is back after %.0f s", self.away_s)
            self._fails_since = None


def _may_pass(error: ConnectorException) -> bool:
    """Is it the server, or the way to it, and not what it was asked?"""
    from psycopg import InterfaceError, OperationalError
    from psycopg_pool import PoolClosed, PoolTimeout

    cause = error.__cause__
    if isinstance(cause, PoolClosed):
        return False
    return isinstance(cause, OperationalError | InterfaceError | PoolTimeout)
