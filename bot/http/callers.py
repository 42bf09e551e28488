"""Who holds a connection and asks nothing, or takes for ever to ask, is let go for the others."""

from __future__ import annotations

import time
from typing import Any, Final

from waitress.channel import HTTPChannel

CONNECTIONS: Final = 500
"""So many are open at once; others wait at the door."""
CROWDED: Final = 400
"""From so many on, nobody keeps a connection that they do not use."""
IDLE_S: Final = 60.0
"""A connection on which nothing comes for so long is closed, in seconds."""
ASK_WITHIN_S: Final = 20.0
"""A request is all there so long after it began, in seconds, however steadily it trickles in."""
IN_A_CROWD_S: Final = 1.0
"""Both of them in a crowd."""


class Caller(HTTPChannel):  # type: ignore[misc]
    """A connection that knows since when a request is coming in on it."""

    asks_since: float | None = None
    """In seconds since 1970; None between two requests."""

    def received(self, data: bytes) -> Any:
        """Take in what comes."""
        before = self.request
        taken = super().received(data)
        if self.request is None:
            self.asks_since = None
        elif self.request is not before:
            self.asks_since = time.time()
        return taken

    def is_overdue(self, now: float, *, is_crowded: bool) -> bool:
        """Has it been waited for long enough? Never where a request of it is worked on."""
        if self.requests:
            return False
        patience_s = IDLE_S if self.asks_since is None else ASK_WITHIN_S
        if is_crowded:
            patience_s = min(patience_s, IN_A_CROWD_S)
        return bool(now - (self.asks_since or self.last_activity) > patience_s)


def let_go(server: Any, now: float) -> None:
    """Close the connections of waitress's `server` that are overdue; its loop calls this."""
    callers: list[Caller] = list(server.active_channels.values())
    is_crowded = len(callers) >= CROWDED
    for caller in callers:
        if caller.is_overdue(now, is_crowded=is_crowded):
            caller.will_close = True
