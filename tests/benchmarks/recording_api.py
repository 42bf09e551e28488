"""A stand-in of the Messages API over real HTTP that keeps the bytes of each request.

It plays the turns of a trajectory in order. It checks nothing: who is measured here sends what it
would send to the real one.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from trajectory import Said

KEY: Final = "sk-ant-benchmark-0123456789"
MODEL: Final = "claude-sonnet-5"
Aside = Callable[[dict[str, Any]], Said | None]


class RecordingApi:
    """What was asked, and what is answered next."""

    def __init__(self, turns: Sequence[Said], aside: Aside) -> None:
        self.url = ""
        self.bodies: list[bytes] = []
        """The whole request bodies, in order."""
        self.is_aside: list[bool] = []
        """Of each: whether it belongs to a second conversation (a judge, a checker)."""
        self._turns, self._aside = list(turns), aside

    def reply(self, raw: bytes) -> bytes:
        """Return the next message; of the trajectory, or what `aside` says to this request."""
        body = json.loads(raw)
        said = self._aside(body)
        self.bodies.append(raw)
        self.is_aside.append(said is not None)
        said = self._turns.pop(0) if said is None else said
        message = {
            "id": f"msg_{len(self.bodies)}",
            "type": "message",
            "role": "assistant",
            "model": MODEL,
            "content": said.blocks(),
            "stop_reason": "tool_use" if said.calls else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": len(raw) // 4, "output_tokens": 50},
        }
        return json.dumps(message).encode()

    @property
    def is_played(self) -> bool:
        """The trajectory was played to its end."""
        return not self._turns


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    api: RecordingApi

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["content-length"]))
        body = self.api.reply(raw)
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True


@contextmanager
def recording_api(turns: Sequence[Said], aside: Aside = lambda _: None) -> Iterator[RecordingApi]:
    """Serve a stand-in for as long as the block lasts; its address is in `url`.

    `aside` is asked first what to say to a request; None: the next turn of the trajectory.
    """
    api = RecordingApi(turns, aside)
    server = _Server(("127.0.0.1", 0), type("_Bound", (_Handler,), {"api": api}))
    api.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield api
    finally:
        server.shutdown()
        server.server_close()
