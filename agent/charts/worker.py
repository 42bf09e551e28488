"""The drawing process: reads frames on stdin, answers with pictures on stdout.

Run as a script by `agent.charts.renderer`, in a process of its own because drawing holds the
interpreter for its whole duration and has no deadline of its own. Imports nothing of this project,
so that it starts in any directory and knows no setting and no secret.

A request is 4 bytes of length (big-endian) and a Vega-Lite specification as JSON. A reply is one
byte, "P" (a PNG) or "E" (an error's text), 4 bytes of length, and that many bytes. Before the first
request comes one reply, "R", of length 0: ready.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import resource
import signal
import struct
import sys
from typing import BinaryIO

WARM_UP = b'{"data": {"values": [{"x": 1}]}, "mark": "bar", "encoding": {"x": {"field": "x"}}}'
VEGA_LITE_VERSION = "6.4"
SCALE = 2.0
CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000
MEMORY_BYTES = 1 << 30


def main(deadline_s: float, *font_folders: str) -> None:
    """Serve requests until stdin ends, with the fonts of these folders beside the system's."""
    # Replies need a channel that no stray print of a library can write to.
    replies = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    _leave_the_network()
    _limit_resources()
    import vl_convert

    for folder in font_folders:
        vl_convert.register_font_directory(folder)
    # Native code that draws hears of no deadline and of no parent's death: what ends it is the
    # default action of a signal.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    # The first chart loads the whole of Vega: that belongs to the start.
    _draw(vl_convert, WARM_UP)
    _write(replies, b"R" + struct.pack(">I", 0))
    while (request := _read_frame(sys.stdin.buffer)) is not None:
        signal.setitimer(signal.ITIMER_REAL, deadline_s * 1.5 + 1)
        _end_with_the_parent(True)
        kind, body = _draw(vl_convert, request)
        _end_with_the_parent(False)
        signal.setitimer(signal.ITIMER_REAL, 0)
        _write(replies, kind + struct.pack(">I", len(body)) + body)


def _draw(vl_convert, request: bytes) -> tuple[bytes, bytes]:  # type: ignore[no-untyped-def]
    try:
        png = vl_convert.vegalite_to_png(
            request.decode(), vl_version=VEGA_LITE_VERSION, scale=SCALE, allowed_base_urls=[]
        )
    except ValueError as error:
        return b"E", str(error)[:2_000].encode()
    return b"P", png


def _end_with_the_parent(yes: bool) -> None:
    """Have SIGIO sent when something happens on stdin: between two requests only its end can."""
    with contextlib.suppress(OSError):  # where pipes send no signal, the alarm is left
        fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
        flags = fcntl.fcntl(0, fcntl.F_GETFL)
        fcntl.fcntl(0, fcntl.F_SETFL, flags | os.O_ASYNC if yes else flags & ~os.O_ASYNC)


def _read_frame(stream: BinaryIO) -> bytes | None:
    head = stream.read(4)
    if len(head) < 4:
        return None
    (length,) = struct.unpack(">I", head)
    body = stream.read(length)
    return body if len(body) == length else None


def _write(stream: BinaryIO, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[stream.write(view) :]


def _leave_the_network() -> None:
    """Move to a network namespace without interfaces, where the system lets us."""
    unshare = getattr(ctypes.CDLL(None), "unshare", None)
    if unshare is not None and unshare(CLONE_NEWNET) != 0:
        unshare(CLONE_NEWUSER | CLONE_NEWNET)


def _limit_resources() -> None:
    for what, most in (
        (resource.RLIMIT_DATA, MEMORY_BYTES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        # Not every system knows every limit, and a lower hard limit may already stand.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (most, most))


if __name__ == "__main__":
    main(float(sys.argv[1]), *sys.argv[2:])
