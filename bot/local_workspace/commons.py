"""What the workspaces behind one server share: the clock, the tokens, the files, the apps."""

from __future__ import annotations

import secrets
import string
import threading
import time
from typing import TYPE_CHECKING

from bot.local_workspace.faults import Faults
from bot.local_workspace.grants import ReplyAddress, Token
from bot.local_workspace.oauth.grants import Code, Refresh, Registration, TokenLife
from bot.local_workspace.values import File

if TYPE_CHECKING:
    from bot.local_workspace.world import World

ALPHABET = string.ascii_uppercase + string.digits


class Commons:
    """One clock and one lock for all, and whatever is found by an id or a secret alone."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.base_url = ""
        self.faults = Faults()
        self.worlds: dict[str, World] = {}
        """By the id of the team."""
        self.files: dict[str, File] = {}
        self.tokens: dict[str, Token] = {}
        self.reply_addresses: dict[str, ReplyAddress] = {}
        self.registered: dict[str, Registration] = {}
        """Every app, by its id, wherever it is installed."""
        self.codes: dict[str, Code] = {}
        self.refreshes: dict[str, Refresh] = {}
        self.token_life = TokenLife()
        self._last_micros = 0

    def new_id(self, prefix: str) -> str:
        """A fresh id such as U7Q2… : the prefix and ten characters."""
        return prefix + "".join(secrets.choice(ALPHABET) for _ in range(10))

    def new_ts(self) -> str:
        """A message id: the time in microseconds, never the same twice, always growing."""
        with self.lock:
            self._last_micros = max(int(time.time() * 1_000_000), self._last_micros + 1)
            return f"{self._last_micros // 1_000_000}.{self._last_micros % 1_000_000:06d}"

    def team_of(self, user_id: str) -> World | None:
        """The workspace that a person or a bot belongs to."""
        return next((each for each in self.worlds.values() if user_id in each.users), None)
