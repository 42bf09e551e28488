"""The WebSocket end of Socket Mode: tickets, hello, frames out, acknowledgements in."""

from __future__ import annotations

import functools
import json
import logging
import queue
import secrets
import socket
import threading
import time
from typing import Any

import simple_websocket  # type: ignore[import-untyped]  # ships no types
from wsproto.events import Ping

from bot.local_workspace.deliveries import Deliveries
from bot.local_workspace.envelopes import Json

log = logging.getLogger(__name__)

TICKET_LIFE_S = 30.0
PING_EVERY_S = 10.0
PING_WORDS = b"Ping from the local workspace"
"""As Slack's pings do. Slack's client waits for more after a frame of two bytes, and loses it when
nothing comes, so that a ping without words is answered only by chance."""
CONNECTION_LIFE_S = 3600


class _LockedSocket:
    """Two threads write to a connection, frames and pongs: whole frames, one after the other."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._lock = threading.Lock()
        self.to_be_cut = False
        """The next frame is to be the last, and not whole."""

    def send(self, data: bytes) -> int:
        with self._lock:
            if self.to_be_cut:
                self._sock.sendall(data[: len(data) // 2])
                self.drop()
            self._sock.sendall(data)
        return len(data)

    def recv(self, size: int) -> bytes:
        return self._sock.recv(size)

    def close(self) -> None:
        self._sock.close()

    def drop(self) -> None:
        """Ends the connection without a close frame, as a network failure would."""
        try:
            self._sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            log.debug("the socket was closed already")


class SocketConnection:
    """One open WebSocket of an app. `send` only queues, so that nobody waits for a slow reader."""

    def __init__(self, environ: dict[str, Any]) -> None:
        self.id = secrets.token_hex(6)
        self._sock = _LockedSocket(environ["werkzeug.socket"])
        self._outbox: queue.SimpleQueue[Json | None] = queue.SimpleQueue()
        self._ws = simple_websocket.Server.accept(
            {**environ, "werkzeug.socket": self._sock},
            thread_class=functools.partial(threading.Thread, daemon=True),
        )

    def send(self, frame: Json) -> None:
        """Queues a frame for the writing thread."""
        self._outbox.put(frame)

    def disconnect(self, reason: str) -> None:
        """Says goodbye; Slack then closes, unless it is only a warning."""
        self.send({"type": "disconnect", "reason": reason, "debug_info": {"host": "localhost"}})
        if reason != "warning":
            self._outbox.put(None)

    def drop(self) -> None:
        """Cuts the connection without a word."""
        self._sock.drop()

    def close(self) -> None:
        """Ends the connection with a close frame, once what is queued is sent."""
        self._outbox.put(None)

    def cut_next(self) -> None:
        """Lets the connection end in the middle of the next frame."""
        self._sock.to_be_cut = True

    def write_frames(self) -> None:
        """Sends what is queued until the connection ends, and pings; runs in its own thread."""
        try:
            while (frame := self._next_frame()) is not None:
                self._ws.send(json.dumps(frame))
            self._ws.close()
        except (simple_websocket.ConnectionClosed, OSError):
            log.debug("connection %s ended while writing", self.id)
        self._sock.drop()

    def _next_frame(self) -> Json | None:
        while True:
            try:
                return self._outbox.get(timeout=PING_EVERY_S)
            except queue.Empty:
                if not self._ws.pong_received:
                    log.debug("connection %s answers no ping", self.id)
                    return None
                self._ws.pong_received = False
                self._sock.send(self._ws.ws.send(Ping(PING_WORDS)))

    def read_frame(self) -> Any:
        """The next JSON frame of the app, or None when the connection has ended."""
        try:
            return json.loads(self._ws.receive())
        except (simple_websocket.ConnectionClosed, OSError, TypeError):
            return None
        except ValueError:
            log.warning("the app sent a frame that is no JSON")
            return {}

    def stop_writing(self) -> None:
        """Lets the writing thread end once the queue is empty."""
        self._outbox.put(None)


class SocketMode:
    """Hands out tickets and serves the connections opened with them."""

    def __init__(self, deliveries: Deliveries) -> None:
        self._deliveries = deliveries
        self._lock = threading.Lock()
        self._tickets: dict[str, tuple[str, float]] = {}

    def ticket(self, app_id: str) -> str:
        """A ticket for one connection of this app."""
        text = secrets.token_urlsafe(24)
        with self._lock:
            self._tickets[text] = (app_id, time.monotonic())
        return text

    def redeem(self, ticket: str) -> str | None:
        """The app that the ticket was made for; a ticket is good once, and not for long."""
        with self._lock:
            app_id, issued = self._tickets.pop(ticket, ("", 0.0))
        return app_id if app_id and time.monotonic() - issued < TICKET_LIFE_S else None

    def serve(self, environ: dict[str, Any], app_id: str) -> None:
        """Runs a connection from its handshake to its end."""
        connection = SocketConnection(environ)
        writer = threading.Thread(
            target=connection.write_frames, name=f"workspace-link-{connection.id}", daemon=True
        )
        writer.start()
        joined = self._deliveries.join(app_id, connection, lambda place: _hello(app_id, place))
        if not joined:
            connection.disconnect("too_many_websockets")
        else:
            try:
                self._read(connection)
            finally:
                self._deliveries.leave(app_id, connection)
        connection.stop_writing()
        writer.join(timeout=5)

    def _read(self, connection: SocketConnection) -> None:
        while (frame := connection.read_frame()) is not None:
            envelope_id = frame.get("envelope_id") if isinstance(frame, dict) else None
            if isinstance(envelope_id, str):
                self._deliveries.acknowledge(envelope_id, frame.get("payload"), connection)


def _hello(app_id: str, place: int) -> Json:
    return {
        "type": "hello",
        "num_connections": place,
        "connection_info": {"app_id": app_id},
        "debug_info": {
            "host": "localhost",
            "started": time.strftime("%Y-%m-%d %H:%M:%S.000"),
            "build_number": 1,
            "approximate_connection_time": CONNECTION_LIFE_S,
        },
    }
