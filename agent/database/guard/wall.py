"""The last wall: what the guard fails on is refused, and our fault is logged."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator

from agent.database.guard.rejection import rejection
from agent.errors import SqlRejected

logger = logging.getLogger(__name__)


@contextlib.contextmanager
def fail_closed() -> Iterator[None]:
    """Turn any exception but `SqlRejected` into one ("guard_fault"), and log it with its trace."""
    try:
        yield
    except SqlRejected:
        raise
    except Exception as error:
        logger.exception("The guard failed on a query, which is refused for that.")
        raise rejection(
            "guard_fault", type(error).__name__, "The guard failed on this query.",
            "Write it in another way.",
        ) from error  # fmt: skip
