"""Several connections over which Slack sends events: each event comes over any one of them."""

from __future__ import annotations

import logging
from concurrent.futures import ThreadPoolExecutor

from bot.http.way_in import Dispatcher
from bot.settings import BotSettings
from bot.slack_errors import SlackUnavailable
from bot.socket_mode import EventSocket

log = logging.getLogger(__name__)


class EventSockets:
    """As many as the settings say. While one is left, Slack's events reach us."""

    def __init__(self, app: Dispatcher, settings: BotSettings) -> None:
        """Nothing is connected before `connect`."""
        self._sockets = [EventSocket(app, settings) for _ in range(settings.sockets)]

    def connect(self) -> None:
        """Connect all, one after the other. Raises `SlackUnavailable`; then none is left open."""
        for number, each in enumerate(self._sockets):
            try:
                each.connect()
            except SlackUnavailable as fault:
                if number:
                    log.error("event connection %d of %d fails", number + 1, len(self._sockets))
                self.close()
                raise fault

    @property
    def connected(self) -> bool:
        """Do Slack's events reach us?"""
        return any(each.connected for each in self._sockets)

    def close(self) -> None:
        """Take no more events, acknowledge those that are being taken, and disconnect for good."""
        with ThreadPoolExecutor(len(self._sockets)) as threads:
            list(threads.map(EventSocket.close, self._sockets))
