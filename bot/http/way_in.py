"""Slack's events as it sends them to our port: a way in that is opened and shut."""

from __future__ import annotations

import logging
import threading
from typing import Final, Protocol

from slack_bolt import BoltRequest, BoltResponse

log = logging.getLogger(__name__)

CLOSE_WITHIN_S: Final = 8.0
"""How long `close` waits for requests that are being acknowledged, in seconds."""


class Dispatcher(Protocol):
    """What listens: Bolt's app, or what stands before several."""

    def dispatch(self, req: BoltRequest) -> BoltResponse:
        """Run the listeners to a request; what they acknowledge it with."""


class HttpEvents:
    """Lets requests through to the listeners from `connect` to `close`."""

    def __init__(self, app: Dispatcher) -> None:
        """Nothing is let through before `connect`."""
        self._app = app
        self._change = threading.Condition()
        self._open = False
        self._inside = 0

    def connect(self) -> None:
        """Take requests from now on."""
        with self._change:
            self._open = True

    @property
    def connected(self) -> bool:
        """Are requests taken?"""
        with self._change:
            return self._open

    def take(self, request: BoltRequest) -> BoltResponse | None:
        """Have the listeners run; None where the way is shut, so that Slack sends it again."""
        with self._change:
            if not self._open:
                return None
            self._inside += 1
        try:
            return self._app.dispatch(request)
        finally:
            with self._change:
                self._inside -= 1
                self._change.notify_all()

    def close(self) -> None:
        """Take no more requests; those that are being taken are acknowledged first."""
        with self._change:
            self._open = False
            if not self._change.wait_for(lambda: self._inside == 0, CLOSE_WITHIN_S):
                log.warning("%d requests of Slack's are left without an answer", self._inside)
