"""Slack's events off the wire, one by one, as many as come."""

from __future__ import annotations

import logging
import select
import socket
import ssl
import threading
import time

from slack_bolt import BoltRequest
from slack_bolt.adapter.socket_mode.base_handler import BaseSocketModeHandler
from slack_bolt.adapter.socket_mode.internals import build_headers, send_response
from slack_sdk import WebClient
from slack_sdk.errors import SlackClientNotConnectedError
from slack_sdk.socket_mode.builtin import SocketModeClient
from slack_sdk.socket_mode.builtin.connection import Connection
from slack_sdk.socket_mode.client import BaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from wsproto.connection import Connection as Protocol
from wsproto.connection import ConnectionType
from wsproto.events import CloseConnection, Event, Ping, Pong, TextMessage

from bot.http.way_in import Dispatcher
from bot.slack_errors import SLACK_TROUBLE, what_went_wrong

log = logging.getLogger(__name__)

READ_BYTES = 65_536
PING_EVERY_S = 10.0
LOOK_S = 0.5
"""How long a reader waits before it looks whether its connection is still the one, in seconds."""


class EventClient(SocketModeClient):
    """The SDK's client, with a reader that hands each event on as soon as it is there.

    The SDK's own reads on, by recursion, until a read happens to end where a frame does: while many
    events come, none is handed on, and at about a thousand they are lost. It also waits for more
    after a frame of two bytes, and spins where the other side has ended the connection.
    """

    session_ended: threading.Event
    """Set as a connection ends, whoever ended it; whoever waits for it clears it."""

    def __init__(self, app_token: str, web_client: WebClient) -> None:
        """Its threads start; nothing is connected before `connect`."""
        self.session_ended = threading.Event()
        super().__init__(
            app_token=app_token,
            logger=logging.getLogger("bot.bolt"),
            web_client=web_client,
            proxy=web_client.proxy,
            ping_interval=PING_EVERY_S,
        )

    def connect_to_new_endpoint(self, force: bool = False) -> None:
        """Connect anew; where that fails, the old connection serves until Slack ends it."""
        try:
            super().connect_to_new_endpoint(force)
        except SLACK_TROUBLE as error:
            self.logger.warning("not connected anew: %s", what_went_wrong(error))

    def _run_current_session(self) -> None:
        session = self.current_session
        if session is None or not session.is_active():
            return
        state = self.current_session_state
        state.terminated = False
        protocol, parts = Protocol(ConnectionType.CLIENT), list[str]()
        is_first = True
        while not state.terminated and (data := self._read(session)) is not None:
            if is_first and data:
                data, is_first = data.lstrip(b"\r\n"), False  # the rest of the handshake
            protocol.receive_data(data)
            for event in protocol.events():
                self._take(session, event, parts)
        self.session_ended.set()

    def _read(self, session: Connection) -> bytes | None:
        """Return what has come, b"" where nothing came for a while; None at the end.

        The lock is held only for what is there: whoever closes a connection waits for it, and
        meanwhile nothing could be acknowledged.
        """
        try:
            if not _has_come(session.sock):
                return b""
            with session.sock_receive_lock:
                # Whoever watches over the connection replaces one that has ended.
                return (session.sock.recv(READ_BYTES) or None) if session.sock else None
        except TimeoutError:
            return b""
        except (OSError, ValueError) as error:  # ValueError: it was closed while we looked
            self.logger.info("an event connection broke: %s", error)
            session.close()
            return None

    def _take(self, session: Connection, event: Event, parts: list[str]) -> None:
        if isinstance(event, TextMessage):
            parts.append(event.data)
            if event.message_finished:
                self._on_message("".join(parts))
                parts.clear()
        elif isinstance(event, Ping):
            session.pong(bytes(event.payload))
        elif isinstance(event, Pong):
            session.last_ping_pong_time = time.time()
        elif isinstance(event, CloseConnection):
            session.close()


def _has_come(sock: socket.socket | None) -> bool:
    """Is there something to read, or an end to be seen? Waits for it a moment."""
    if sock is None:
        return True
    if isinstance(sock, ssl.SSLSocket) and sock.pending():
        return True
    look = select.poll()
    look.register(sock, select.POLLIN)
    return bool(look.poll(LOOK_S * 1000))


class EventHandler(BaseSocketModeHandler):
    """Hands what comes to the listeners, and acknowledges what they took."""

    client: EventClient

    def __init__(self, app: Dispatcher, app_token: str, web_client: WebClient) -> None:
        """The client's threads start; nothing is connected before `connect`."""
        self._app = app
        self.client = EventClient(app_token, web_client)
        self.client.socket_mode_request_listeners.append(self.handle)

    def handle(self, client: BaseSocketModeClient, req: SocketModeRequest) -> None:
        """Answer one envelope."""
        started = time.time()
        request = BoltRequest(mode="socket_mode", body=req.payload, headers=build_headers(req))
        response = self._app.dispatch(request)
        try:
            send_response(client, req, response, started)
        except SlackClientNotConnectedError as error:  # Slack sends it again
            log.info("an event was taken, and there was no way to say so: %s", error)
