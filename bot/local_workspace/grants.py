"""What lets somebody do something: tokens, trigger ids, response addresses."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Literal

TokenKind = Literal["bot", "app", "user"]


@dataclass(frozen=True, slots=True)
class Token:
    """Who a token speaks for, and what it may do."""

    text: str
    kind: TokenKind
    user_id: str
    app_id: str
    scopes: frozenset[str]
    team_id: str = ""
    expires: float = math.inf
    """When it ends, in monotonic seconds."""
    revoked: bool = False

    @property
    def is_good(self) -> bool:
        """Whether it still opens anything."""
        return not self.revoked and self.expires > time.monotonic()


@dataclass(slots=True)
class Trigger:
    """A trigger_id: three seconds, one use. `issued` is in monotonic seconds."""

    user_id: str
    app_id: str
    issued: float
    used: bool = False


@dataclass(slots=True)
class ReplyAddress:
    """A response_url: five uses within thirty minutes. `issued` is in monotonic seconds."""

    key: str
    app_id: str
    user_id: str
    channel: str
    issued: float
    message_ts: str | None = None
    thread_ts: str | None = None
    uses: int = 0
    team_id: str = ""
