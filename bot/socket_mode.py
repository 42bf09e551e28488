"""The connection over which Slack sends events, and the watch over it."""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
import time
from typing import Any

from bot.clients import is_loopback, make_clients
from bot.event_client import EventHandler
from bot.http.way_in import Dispatcher
from bot.settings import BotSettings
from bot.slack_errors import SLACK_TROUBLE, SlackUnavailable, what_went_wrong

log = logging.getLogger(__name__)

HELLO_WITHIN_S = 15.0
LOOK_EVERY_S = 0.5
CLOSE_WITHIN_S = 8.0
MAX_PAUSE_S = 15.0
"""Between attempts to connect again, in seconds."""
SELDOM_S = 600.0
"""A connection that ends is nothing to warn of unless another ended so short a time before."""
NO_SOCKET = (
    "Slack's event connection (Socket Mode) does not come up: check the network, the proxy, and "
    "that Socket Mode is on for the app."
)


class EventSocket:
    """Slack's events, for one Bolt app or for several.

    The SDK's own client notices a connection that the other side dropped only after five failed
    pings, most of a minute, and burns a core until then. So a thread looks for itself.
    """

    def __init__(self, app: Dispatcher, settings: BotSettings) -> None:
        """Nothing is connected before `connect`."""
        token = settings.slack_app_token.get_secret_value()
        self._handler = EventHandler(app, token, make_clients("", settings.slack_url).patient)
        if is_loopback(settings.slack_url):
            self._handler.client.proxy = None  # the SDK takes HTTP_PROXY even for this machine
        self._over = threading.Event()
        self._greeted = threading.Event()
        """Slack has said hello, and the connection has not been found broken since."""
        self._last_end = -SELDOM_S
        self._watch = threading.Thread(
            target=self._keep_connected, name="socket-watch", daemon=True
        )

    def connect(self, *, within_s: float = HELLO_WITHIN_S) -> None:
        """Connect and wait for Slack's hello, so that no question is asked of a bot that is deaf.

        From then on a connection that ends is replaced. Raises `SlackUnavailable`.
        """

        def listen(client: object, message: dict[str, Any], raw: str | None) -> None:
            if message.get("type") == "hello":
                self._greeted.set()

        self._handler.client.message_listeners.append(listen)
        try:
            self._handler.connect()  # type: ignore[no-untyped-call]
        except SLACK_TROUBLE as error:
            raise SlackUnavailable(NO_SOCKET, detail=what_went_wrong(error)) from error
        if not self._greeted.wait(within_s):
            raise SlackUnavailable(NO_SOCKET, detail=f"no hello within {within_s} s")
        self._watch.start()

    @property
    def connected(self) -> bool:
        """Do Slack's events reach us? A break is seen within about half a second."""
        return self._greeted.is_set() and not self._over.is_set()

    def close(self) -> None:
        """Take no more events, acknowledge those that are being taken, and disconnect for good."""
        self._over.set()
        self._handler.client.session_ended.set()
        # In a thread, since the SDK may be waiting for Slack, and nobody waits for that at the end.
        closing = threading.Thread(target=self._close, name="socket-close", daemon=True)
        closing.start()
        closing.join(CLOSE_WITHIN_S)

    def _close(self) -> None:
        """Wake the SDK's threads one by one; left to itself it waits for its reads to time out."""
        client = self._handler.client
        client.auto_reconnect_enabled = False
        receiving = self._socket()
        if receiving is not None:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(receiving, socket.SHUT_RD)
        reader = client.current_session_runner
        reader.event.set()
        while reader.is_alive():
            client.current_session_state.terminated = True  # a reader that starts takes it back
            reader.thread.join(0.02)
        client.closed = True
        client.message_queue.put(None)
        client.message_processor.shutdown()  # type: ignore[no-untyped-call]
        client.message_workers.shutdown()
        self._handler.close()  # type: ignore[no-untyped-call]
        if self._watch.is_alive():
            self._watch.join()

    def _socket(self) -> socket.socket | None:
        session = self._handler.client.current_session
        return session.sock if session is not None else None

    def _keep_connected(self) -> None:
        pause_s, ended = LOOK_EVERY_S, self._handler.client.session_ended
        while not self._over.is_set():
            ended.wait(pause_s)
            ended.clear()
            connection = self._socket()
            if connection is not None and not _is_over(connection):
                pause_s = LOOK_EVERY_S
                continue
            # Only attempts that come to nothing become rarer.
            pause_s = LOOK_EVERY_S if self._greeted.is_set() else min(pause_s * 2, MAX_PAUSE_S)
            if not self._over.wait(max(0.0, self._last_end + pause_s - time.monotonic())):
                self._greeted.clear()
                self._reconnect(connection)

    def _reconnect(self, broken: socket.socket | None) -> None:
        client = self._handler.client
        now = time.monotonic()
        level = logging.INFO if now - self._last_end >= SELDOM_S else logging.WARNING
        self._last_end = now
        log.log(level, "the Socket Mode connection ended; connecting again")
        try:
            if self._socket() is broken:  # else the SDK has another already
                client.disconnect()
            client.connect_to_new_endpoint()
        except SLACK_TROUBLE as error:
            log.warning("not connected: %s", what_went_wrong(error))


def _is_over(connection: socket.socket) -> bool:
    """Has the other side ended this connection? May wait as long as its reads do."""
    try:
        # Not the TLS layer's recv: nothing may be taken away from the SDK's reader.
        return socket.socket.recv(connection, 1, socket.MSG_PEEK) == b""
    except (TimeoutError, BlockingIOError, InterruptedError):
        return False
    except OSError:
        return True
