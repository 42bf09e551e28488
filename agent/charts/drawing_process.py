"""One process that draws: started, asked, and killed when it is too late."""

from __future__ import annotations

import logging
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Final, TypeVar

MAX_PNG_BYTES: Final = 8_000_000
_WORKER: Final = Path(__file__).with_name("worker.py")

Child = subprocess.Popen[bytes]
T = TypeVar("T")

log = logging.getLogger(__name__)


class DrawingEnded(Exception):
    """The process ended, or was ended, before it gave an answer."""

    def __init__(self, late_after_s: float | None = None) -> None:
        """`late_after_s`: how long it had, in seconds, if it was ended for being too late."""
        self.is_late = late_after_s is not None
        within = f" within {late_after_s:g} seconds" if late_after_s is not None else ""
        super().__init__(f"The chart could not be drawn{within}.")


class DrawingProcess:
    """A process that draws one chart after another, started with the first; for one user at a time.

    Only `end` may be called by another thread meanwhile: what is under way is lost then.
    """

    def __init__(self, *, deadline_s: float, fonts: Sequence[Path]) -> None:
        """A chart may take `deadline_s`; `fonts` are folders with fonts, beside the system's."""
        self._deadline_s = deadline_s
        self._fonts = tuple(fonts)
        self._start_or_end = threading.Lock()
        self._process: Child | None = None
        self._has_ended = False

    @property
    def is_running(self) -> bool:
        """Whether a chart could be drawn without starting a process first."""
        return self._process is not None and self._process.poll() is None

    def start(self, until: float) -> None:
        """Start the process, if there is none, and wait until it is ready.

        `until` is a moment of `time.monotonic`. Raises `DrawingEnded` or OSError.
        """
        if self.is_running:
            return
        self.forget()
        with self._start_or_end:  # whoever ends all must find what is started here
            if self._has_ended:
                raise DrawingEnded
            process = self._process = self._new_process()
        # A limit of its own: a slow start is no chart's fault.
        self._within(until - time.monotonic(), process, lambda: _reply_from(process))

    def draw(self, request: bytes, until: float) -> tuple[bytes, bytes]:
        """Return the reply to a specification: b"P" and a PNG, or b"E" and the error's text.

        Raises `DrawingEnded` or OSError.
        """
        has_drawn_before = self._process is not None
        try:
            return self._ask(request, until)
        except DrawingEnded as death:
            if death.is_late or not has_drawn_before:
                raise
        # It may have died before this chart, killed for its memory: so once more.
        return self._ask(request, until)

    def end(self) -> None:
        """Kill the process, and start none any more."""
        with self._start_or_end:
            self._has_ended = True
            if self._process is not None:
                self._process.kill()

    def forget(self) -> None:
        """Kill the process and take away what is left of it; the next chart starts another."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()

    def _ask(self, request: bytes, until: float) -> tuple[bytes, bytes]:
        self.start(until)
        process = self._process
        if process is None:
            raise DrawingEnded
        limit_s = min(self._deadline_s, until - time.monotonic())
        return self._within(limit_s, process, lambda: _exchange(process, request))

    def _within(self, limit_s: float, process: Child, work: Callable[[], T]) -> T:
        """Return what `work` returns. Raises `DrawingEnded` if the process dies or is too late."""
        late = threading.Event()

        def give_up() -> None:
            late.set()
            process.kill()

        clock = threading.Timer(max(limit_s, 0.0), give_up)
        clock.daemon = True
        clock.start()
        try:
            return work()
        except (OSError, EOFError) as error:
            self.forget()
            log.warning("a chart process ended (%s), late: %s", process.returncode, late.is_set())
            raise DrawingEnded(self._deadline_s if late.is_set() else None) from error
        finally:
            clock.cancel()

    def _new_process(self) -> Child:
        command = [sys.executable, "-I", str(_WORKER), str(self._deadline_s)]
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


def _exchange(process: Child, request: bytes) -> tuple[bytes, bytes]:
    """Send one request and read its reply; EOFError or OSError if the process dies meanwhile."""
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
