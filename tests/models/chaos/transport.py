"""Real HTTP in front of the stand-ins: what goes wrong on the way goes wrong here."""

from __future__ import annotations

import json
import select
import socket
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .catalogue import Manner

DRIPS, DRIP_S = 8, 0.02
SHUT_S = 0.06
"""How long nobody listens at the address; the first retries of a model are sooner."""
_HEAD = b"HTTP/1.1 200 OK\r\ncontent-ty"


@dataclass
class Sending:
    """A reply, and how it goes out."""

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    manner: Manner = Manner.WHOLE
    before: Callable[[], None] = lambda: None
    done: Callable[[bool], None] = lambda whole: None
    """Told at the end whether all of it was handed over."""
    then_shut: bool = False
    """After it, nobody listens for a moment."""


Answer = Callable[[str, dict[str, str], bytes], Sending]


class Door:
    """An address at which `answer` is asked, and which can be shut for a while."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.over = threading.Event()
        self.under_way = 0
        self._lock = threading.Lock()
        self._held = _bound(0)  # so that nobody else gets the port while the door is shut
        self.port = int(self._held.getsockname()[1])
        self._server: _Server | None = None
        self.open()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def open(self) -> None:
        """Listen."""
        with self._lock:
            if self._server is not None or self.over.is_set():
                return
            self._server = _Server(self.port, type("Bound", (_Handler,), {"door": self}))
            threading.Thread(
                target=self._server.serve_forever, args=(0.01,), name="door", daemon=True
            ).start()

    def shut(self) -> None:
        """Listen no more; who connects is refused."""
        with self._lock:
            server, self._server = self._server, None
        if server is not None:
            server.shutdown()
            server.server_close()

    def shut_for_a_moment(self) -> None:
        """Shut, and open again a little later."""
        self.shut()
        again = threading.Timer(SHUT_S, self.open)
        again.daemon = True
        again.start()

    def close(self) -> None:
        """Shut for good, and let go of who still waits."""
        self.over.set()
        self.shut()
        self._held.close()

    def count(self, more: int) -> None:
        """Keep count of the requests that are being answered."""
        with self._lock:
            self.under_way += more


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    door: Door

    def do_POST(self) -> None:
        self.door.count(1)
        try:
            headers = {name.lower(): value for name, value in self.headers.items()}
            raw = self.rfile.read(int(headers["content-length"]))
            sending = self.door.answer(self.path, headers, raw)
            sending.before()
            whole = False
            try:
                whole = self._send(sending)
            finally:
                sending.done(whole)
        finally:
            self.door.count(-1)

    def do_GET(self) -> None:
        """A page, for whoever is sent to one."""
        self._send(Sending(200, b"<html><body>Please log in.</body></html>"))

    def _send(self, sending: Sending) -> bool:
        match sending.manner:
            case Manner.RESET_AT_ONCE:
                return self._reset()
            case Manner.RESET_IN_HEADERS:
                self.wfile.write(_HEAD)
                return self._reset()
            case Manner.HANG:
                return self._drip(b"")
            case Manner.ENDLESS_HEADERS:
                self.wfile.write(_HEAD)
                return self._drip(b"y")
        self._headers(sending)
        return self._body(sending)

    def _body(self, sending: Sending) -> bool:
        body, half = sending.body, len(sending.body) // 2
        match sending.manner:
            case Manner.RESET_IN_BODY:
                self.wfile.write(body[:half])
                return self._reset()
            case Manner.CUT:
                self.wfile.write(body[:half])
                self.close_connection = True
                return False
            case Manner.CUT_CHUNK:
                self.wfile.write(b"%x\r\n%s\r\n" % (half, body[:half]))
                self.close_connection = True
                return False
            case Manner.ENDLESS:
                return self._drip(b" ")
            case Manner.SLOW:
                step = len(body) // DRIPS + 1
                for place in range(0, len(body), step):
                    time.sleep(DRIP_S)
                    self.wfile.write(body[place : place + step])
                return True
        if sending.then_shut:
            self.close_connection = True
            self.door.shut_for_a_moment()
        if sending.manner is Manner.HANGS_UP:  # without a word of it beforehand
            self.close_connection = True
        self.wfile.write(body)
        return True

    def _headers(self, sending: Sending) -> None:
        self.send_response(sending.status)
        kind = "text/html" if sending.body.startswith(b"<") else "application/json"
        ids = dict.fromkeys(("request-id", "x-request-id"), "req_011")
        named = {"content-type": kind, **ids, **sending.headers}
        if sending.manner is Manner.CUT_CHUNK:
            named["transfer-encoding"] = "chunked"
        else:
            longer = 10**6 if sending.manner is Manner.ENDLESS else 0
            named["content-length"] = str(len(sending.body) + longer)
        if sending.then_shut:
            named["connection"] = "close"
        for name, value in named.items():
            self.send_header(name, value)
        self.end_headers()

    def _drip(self, byte: bytes) -> bool:
        """Send one byte now and then, or none, until the client has gone or all is over."""
        self.close_connection = True
        while not self._left(DRIP_S):
            self.wfile.write(byte)
        return False

    def _left(self, seconds: float) -> bool:
        """Wait a little; say whether the client has gone, or all is over."""
        ready, _, _ = select.select([self.connection], [], [], seconds)
        return bool(ready) or self.door.over.is_set()

    def _reset(self) -> bool:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        return False

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port: int, handler: Any) -> None:
        super().__init__(("127.0.0.1", port), handler, bind_and_activate=False)
        self.socket.close()
        self.socket = _bound(port)
        self.server_activate()

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is what this is about."""


def _bound(port: int) -> socket.socket:
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    made.bind(("127.0.0.1", port))
    return made


def as_bytes(body: Any) -> bytes:
    """Return a body as it goes over the wire."""
    return body if isinstance(body, bytes) else json.dumps(body).encode()
