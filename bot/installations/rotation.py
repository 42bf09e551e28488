"""Renews tokens that end: each refresh token is good once, and so is spent by one thread alone.

A refresh token is spent the moment Slack answers. What comes with the answer is written down before
anything else happens, and again until it is written: a process that dies in between takes the way
into the workspace with it, and the app has to be installed there once more.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError, SlackTokenRotationError
from slack_sdk.oauth.installation_store import Bot
from slack_sdk.oauth.token_rotation import TokenRotator

from bot.installations.directory import Directory, Installed
from bot.slack_errors import SLACK_TROUBLE, error_code, what_went_wrong
from bot.store import StoreUnavailable

log = logging.getLogger(__name__)

RENEW_BEFORE_S: Final = 2 * 3600.0
"""A token that ends in less than that is renewed; it lives twelve hours."""
WHENEVER: Final = 10**6
"""For the SDK, in minutes: that it is time has been seen already."""
SAVE_TRIES: Final = 3
SAVE_PAUSE_S: Final = 0.2
FOR_GOOD: Final = frozenset(
    {"invalid_refresh_token", "token_revoked", "account_inactive", "invalid_grant"}
)
"""Slack's words for a refresh token that will never be taken."""


class State(Enum):
    """How a workspace's token stands."""

    GOOD = "good"
    GONE = "gone"  # the app is not installed there any more
    SHUT_OUT = "shut out"  # no new token is to be had, ever


@dataclass(frozen=True)
class Outcome:
    """What came of a wish for a good token."""

    state: State
    installed: Installed | None = None
    """The newest that is known; its token may be near its end where Slack gave no other now."""


class Rotation:
    """Renews the tokens of all workspaces; safe to share between threads and processes."""

    def __init__(
        self,
        directory: Directory,
        client: WebClient,
        *,
        client_id: str,
        client_secret: str,
        now: Callable[[], float] = time.time,
    ) -> None:
        """`client` must not repeat a call on its own: that would spend the token twice."""
        self._directory = directory
        self._rotator = TokenRotator(
            client_id=client_id, client_secret=client_secret, client=client
        )
        self._now = now
        self._lock = threading.Lock()
        self._unsaved: dict[str, Bot] = {}
        """Renewed tokens that the store did not take yet: nobody else has them."""
        self._spent: dict[str, str | None] = {}
        """Refresh tokens that Slack will never take: it is not asked again."""

    def newest(self, team: str, *, refused: str = "") -> Outcome:
        """Return a token that lives for a while, renewed where it is due.

        It is due as well where it is the one that Slack has `refused`. What goes wrong for the
        moment leaves the token as it is. Raises `StoreUnavailable`, or `TokensUnreadable`.
        """
        self._save_what_is_left(team)
        found = self._directory.find(team)
        if found is None or not self._is_due(found, refused):
            return _outcome(found)
        with self._directory.alone_with(team):
            # Whoever had the lock before us may have renewed it, or thrown it out.
            bot = self._directory.bot_of(team)
            if bot is None or not self._is_due(Installed.of(bot), refused):
                return _outcome(None if bot is None else Installed.of(bot))
            return self._renew(bot)

    def _renew(self, bot: Bot) -> Outcome:
        team = str(bot.team_id)
        if bot.bot_refresh_token is None or self._spent.get(team) == bot.bot_refresh_token:
            return Outcome(State.SHUT_OUT, Installed.of(bot))
        try:
            renewed = self._rotator.perform_bot_token_rotation(
                bot=bot, minutes_before_expiration=WHENEVER
            )
        except SlackTokenRotationError as error:
            return self._refused(bot, error.api_error)
        except SLACK_TROUBLE as error:
            log.warning("the token of workspace %s is kept: %s", team, what_went_wrong(error))
            return _outcome(Installed.of(bot))
        if renewed is None:
            log.error("Slack gave no token of a bot for workspace %s", team)
            return _outcome(Installed.of(bot))
        self._save(renewed)
        log.info("the token of workspace %s is renewed", team)
        return _outcome(Installed.of(renewed))

    def _refused(self, bot: Bot, error: SlackApiError) -> Outcome:
        team, code = str(bot.team_id), error_code(error)
        if code in FOR_GOOD:
            log.error(
                "the token of workspace %s cannot be renewed any more: %s. The app has to be "
                "installed there again.",
                team,
                code,
            )
            self._spent[team] = bot.bot_refresh_token
            return Outcome(State.SHUT_OUT, Installed.of(bot))
        log.error("the token of workspace %s is not renewed: %s", team, what_went_wrong(error))
        return _outcome(Installed.of(bot))

    def _save(self, renewed: Bot) -> None:
        team = str(renewed.team_id)
        with self._lock:
            self._unsaved[team] = renewed
        for _ in range(SAVE_TRIES):
            try:
                self._save_what_is_left(team)
            except StoreUnavailable as fault:
                log.error("the renewed token of workspace %s is not kept: %s", team, fault.detail)
                time.sleep(SAVE_PAUSE_S)
            else:
                return

    def _save_what_is_left(self, team: str) -> None:
        with self._lock:
            left = self._unsaved.get(team)
            if left is not None:
                self._directory.keep(left)
                del self._unsaved[team]

    def _is_due(self, installed: Installed, refused: str) -> bool:
        ends = installed.expires_at
        if ends is None:
            return False
        return ends - self._now() < RENEW_BEFORE_S or installed.token == refused


def _outcome(installed: Installed | None) -> Outcome:
    return Outcome(State.GONE if installed is None else State.GOOD, installed)
