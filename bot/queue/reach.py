"""How a worker reaches the line: its connections, and waiting for the first of them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final

import psycopg

from bot.queue.patient import PAUSE_S, PatientConnector

log = logging.getLogger(__name__)

CONNECTIONS: Final = 3
CONNECT_WITHIN_S: Final = 5.0
SCHEMA: Final = "db_agent"
ANSWER_WITHIN_MS: Final = 10_000
"""For one statement, and for the network to take what we send: who hears nothing asks again."""
OPTIONS: Final = f"-c search_path={SCHEMA} -c statement_timeout={ANSWER_WITHIN_MS}"


def connector_to(url: str) -> PatientConnector:
    """Return what asks the server at `url`; nothing is connected yet."""
    return PatientConnector(
        conninfo=url,
        kwargs={
            "connect_timeout": CONNECT_WITHIN_S,
            "tcp_user_timeout": ANSWER_WITHIN_MS,
            "keepalives_idle": 5,
            "keepalives_interval": 2,
            "options": OPTIONS,
            "application_name": "db-agent workers",
        },
        min_size=1,
        max_size=CONNECTIONS,
        timeout=CONNECT_WITHIN_S,
    )


async def wait_for_line(url: str, is_over: Callable[[], bool]) -> None:
    """Wait until there is a server, and the line on it."""
    has_told = False
    while not is_over():
        try:
            link: psycopg.AsyncConnection[Any]
            async with await psycopg.AsyncConnection.connect(
                url, connect_timeout=int(CONNECT_WITHIN_S)
            ) as link:
                await link.execute(f"select from {SCHEMA}.procrastinate_jobs limit 1")
                return
        except psycopg.Error as error:
            if not has_told:
                log.warning("the workers wait for the line of questions: %s", type(error).__name__)
            has_told = True
            await asyncio.sleep(PAUSE_S)
