"""What holds in a channel: what administrators have set, read again every few seconds.

Where our record is away, what was known last goes on, but for what lets more people ask or read:
that needs a record that can be looked at.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from bot.store import ChannelSettings, Store, StoreUnavailable

log = logging.getLogger(__name__)

KEPT_S = 5.0
"""How long settings are believed, in seconds: so much later another process has heard of them."""


@dataclass(frozen=True)
class Rule:
    """The settings of a channel as far as they are known."""

    settings: ChannelSettings
    is_known: bool = True
    """False: our record is away, so nothing is let that needs an administrator's word."""


class ChannelRules:
    """The settings of all channels of a workspace; safe to share between threads."""

    def __init__(self, store: Store, team: str) -> None:
        self._store = store
        self._team = team
        self._looking = threading.Lock()
        """Held by the one thread that asks the store."""
        self._known: Mapping[str, ChannelSettings] = {}
        self._is_known = False
        self._believed_until = 0.0

    def of(self, channel: str) -> Rule:
        """Return what holds in a channel now. Quick, and never raises."""
        if time.monotonic() >= self._believed_until:
            self._look()
        settings = self._known.get(channel, ChannelSettings())
        if self._is_known:
            return Rule(settings)
        return Rule(replace(settings, shared_with=None, guests=False), is_known=False)

    def learn(self) -> None:
        """Look at what is set before anybody asks, so that our record may go away from then on."""
        self._look()
        self._believed_until = 0.0

    def stored(self, channel: str) -> ChannelSettings:
        """Return what is set, asked of the store now. Raises `StoreUnavailable`."""
        return self._store.channel_settings(self._team).get(channel, ChannelSettings())

    def set(self, channel: str, settings: ChannelSettings) -> None:
        """Keep new settings; here they hold at once. Raises `StoreUnavailable`."""
        with self._looking:
            kept = self._store.set_channel(self._team, channel, settings)
            self._known = {**self._known, channel: kept}
        log.info("channel %s was set by %s: %s", channel, kept.set_by, _in_words(kept))

    def _look(self) -> None:
        # One thread asks; meanwhile the others go by what was known a moment ago, if anything was.
        if not self._looking.acquire(blocking=not self._is_known):
            return
        try:
            if time.monotonic() < self._believed_until:
                return
            try:
                self._known = self._store.channel_settings(self._team)
                self._is_known = True
            except StoreUnavailable as fault:
                log.error("what is set for channels is not known: %s", fault.detail)
                self._is_known = False
            self._believed_until = time.monotonic() + KEPT_S
        finally:
            self._looking.release()


def _in_words(settings: ChannelSettings) -> str:
    shared = settings.shared_with
    outside = "" if shared is None else f" with {', '.join(sorted(shared)) or 'whoever'} reading"
    words = {
        f"answers{outside}": settings.allowed,
        "follow-ups": settings.follow_ups,
        "private answers": settings.private,
        "guests": settings.guests,
    }
    return ", ".join(word for word, is_on in words.items() if is_on) or "nothing"
