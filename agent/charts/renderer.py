"""Pictures from a process of its own, with a deadline kept by killing it."""

from __future__ import annotations

import json
import logging
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Final, TypeVar

from agent.charts.fonts import font_folders
from agent.charts.screen import refuse_unsafe
from agent.errors import ChartRejected

DEADLINE_S: Final = 10.0
START_S: Final = 30.0
"""Seconds that a child has for its start; half a second on an idle machine."""
MAX_PNG_BYTES: Final = 8_000_000
_PNG_MAGIC: Final = b"\x89PNG\r\n\x1a\n"
_WORKER: Final = Path(__file__).with_name("worker.py")
_SAY_WITHOUT: Final = "Give the answer without this chart, or ask for a simpler one."

Child = subprocess.Popen[bytes]
T = TypeVar("T")

log = logging.getLogger(__name__)


class _ChildDied(Exception):
    def __init__(self, deadline_s: float | None) -> None:
        self.late = deadline_s is not None
        within = f" within {deadline_s:g} seconds" if deadline_s is not None else ""
        super().__init__(f"The chart could not be drawn{within}.")


class ProcessRenderer:
    """Draws Vega-Lite in one child process, started with the first chart and used for all.

    Safe for several threads: charts are drawn one after another. The child is killed when a chart
    takes longer than the deadline, and a new one is started for the next chart.
    """

    def __init__(
        self, *, deadline_s: float = DEADLINE_S, fonts: Sequence[Path] | None = None
    ) -> None:
        """`fonts` are folders with fonts, beside the system's; those that are installed if None."""
        self._deadline_s = deadline_s
        self._fonts = font_folders() if fonts is None else tuple(fonts)
        self._turn = threading.Lock()
        self._process: Child | None = None
        self._closed = False

    def render(self, spec: dict[str, object]) -> bytes:
        """Return a PNG of `spec` at twice its size.

        Raises `ChartRejected` if the specification is not safe to draw, is refused by Vega-Lite,
        or cannot be drawn before the deadline.
        """
        refuse_unsafe(spec)
        try:
            request = json.dumps(spec, allow_nan=False).encode()
        except (TypeError, ValueError) as error:
            raise ChartRejected(f"The chart is not plain JSON: {error}") from error
        if not self._turn.acquire(timeout=2 * self._deadline_s):
            raise ChartRejected(f"Too many charts are waiting to be drawn. {_SAY_WITHOUT}")
        try:
            return self._draw(request)
        finally:
            self._turn.release()

    def start(self) -> None:
        """Start the child now, so that the first chart need not wait for it.

        Raises `ChartRejected` if it cannot be started.
        """
        with self._turn:
            try:
                self._child()
            except _ChildDied as death:
                raise ChartRejected(f"Charts cannot be drawn right now. {_SAY_WITHOUT}") from death

    def close(self) -> None:
        """Stop the child. A chart that is under way is lost; later ones are refused."""
        self._closed = True
        process = self._process
        if process is not None:
            process.kill()
        with self._turn:
            self._forget()

    def __enter__(self) -> ProcessRenderer:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _draw(self, request: bytes) -> bytes:
        try:
            kind, body = self._reply(request)
        except _ChildDied as death:
            raise ChartRejected(f"{death} {_SAY_WITHOUT}") from death
        if kind != b"P":
            log.warning("Vega-Lite refused a chart: %s", body.decode(errors="replace"))
            raise ChartRejected(f"The chart could not be drawn. {_SAY_WITHOUT}")
        if not body.startswith(_PNG_MAGIC):
            raise ChartRejected(f"The chart came out as no picture. {_SAY_WITHOUT}")
        return body

    def _reply(self, request: bytes) -> tuple[bytes, bytes]:
        was_used = self._process is not None
        try:
            return self._ask(request)
        except _ChildDied as death:
            if death.late or not was_used:
                raise
        # It may have died before this chart, killed for its memory: so once more.
        return self._ask(request)

    def _ask(self, request: bytes) -> tuple[bytes, bytes]:
        process = self._child()
        return self._within(self._deadline_s, process, lambda: _exchange(process, request))

    def _within(self, limit_s: float, process: Child, work: Callable[[], T]) -> T:
        """Return what `work` returns. Raises `_ChildDied` if the child dies or is too late."""
        late = threading.Event()

        def give_up() -> None:
            late.set()
            process.kill()

        clock = threading.Timer(limit_s, give_up)
        clock.daemon = True
        clock.start()
        try:
            return work()
        except (OSError, EOFError) as error:
            self._forget()
            log.warning("the chart process ended (%s), late: %s", process.returncode, late.is_set())
            raise _ChildDied(limit_s if late.is_set() else None) from error
        finally:
            clock.cancel()

    def _child(self) -> Child:
        """Return the child, ready to draw: the start has its own limit, it is no chart's fault."""
        if self._closed:
            raise ChartRejected("Charts are no longer drawn: the program is stopping.")
        if self._process is None or self._process.poll() is not None:
            self._forget()
            process = self._process = self._new_child()
            self._within(START_S, process, lambda: _reply_from(process))
        return self._process

    def _new_child(self) -> Child:
        command = [sys.executable, "-I", str(_WORKER), str(self._deadline_s)]
        try:
            return subprocess.Popen(
                [*command, *map(str, self._fonts)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # No secrets, and times as they stand: see agent.charts.periods.
                env={"TZ": "UTC", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            log.warning("no chart process can be started: %s", error)
            raise ChartRejected(f"Charts cannot be drawn right now. {_SAY_WITHOUT}") from error

    def _forget(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


def _exchange(process: Child, request: bytes) -> tuple[bytes, bytes]:
    """Send one request and read its reply; EOFError or OSError if the child dies meanwhile."""
    if process.stdin is None:
        raise EOFError("the chart process has no pipes")
    _write(process.stdin, struct.pack(">I", len(request)) + request)
    return _reply_from(process)


def _reply_from(process: Child) -> tuple[bytes, bytes]:
    if process.stdout is None:
        raise EOFError("the chart process has no pipes")
    head = _read(process.stdout, 5)
    (length,) = struct.unpack(">I", head[1:])
    if length > MAX_PNG_BYTES:
        raise EOFError(f"the picture has {length} bytes")
    return head[:1], _read(process.stdout, length)


def _write(pipe: IO[bytes], data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[pipe.write(view) :]


def _read(pipe: IO[bytes], length: int) -> bytes:
    parts = []
    while length:
        part = pipe.read(length)
        if not part:
            raise EOFError("the chart process ended")
        parts.append(part)
        length -= len(part)
    return b"".join(parts)
