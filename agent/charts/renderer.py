"""Pictures from a few processes of their own, with deadlines kept by killing them."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from agent.charts.drawing_process import DrawingEnded, DrawingProcess
from agent.charts.fonts import font_folders
from agent.charts.screen import refuse_unsafe
from agent.errors import ChartRejected
from agent.watching import Kind, doing

PROCESSES: Final = 2
"""A drawing takes one processor whole, and up to 1 GB of memory at the very worst."""
WAITING: Final = 16
"""Charts that may wait for their turn; the next one is refused at once."""
DEADLINE_S: Final = 10.0
"""Seconds that one drawing may take."""
IN_ALL_S: Final = 30.0
"""Seconds from being asked to the picture: waiting, the start of a process, and the drawing."""
_PNG_MAGIC: Final = b"\x89PNG\r\n\x1a\n"
_SAY_WITHOUT: Final = "Give the answer without this chart, or ask for a simpler one."
_STOPPING: Final = "Charts are no longer drawn: the program is stopping."

log = logging.getLogger(__name__)


class ProcessRenderer:
    """Draws Vega-Lite in child processes, each started when it is needed and used for many charts.

    Safe for several threads: so many charts are drawn at once as there are processes. One that
    takes longer than the deadline is killed, and another is started for the next chart.
    """

    def __init__(
        self,
        *,
        processes: int = PROCESSES,
        waiting: int = WAITING,
        deadline_s: float = DEADLINE_S,
        in_all_s: float = IN_ALL_S,
        fonts: Sequence[Path] | None = None,
    ) -> None:
        """`fonts` are folders with fonts, beside the system's; those that are installed if None."""
        folders = font_folders() if fonts is None else tuple(fonts)
        self._all = [DrawingProcess(deadline_s=deadline_s, fonts=folders) for _ in range(processes)]
        self._idle = list(self._all)
        self._turn = threading.Condition()
        self._waiting = 0
        self._most_waiting = waiting
        self.in_all_s = in_all_s
        """Seconds from being asked to the picture."""
        self._is_closed = False

    def render(self, spec: dict[str, object]) -> bytes:
        """Return a PNG of `spec` at twice its size.

        Raises `ChartRejected` if the specification is not safe to draw, is refused by Vega-Lite,
        or cannot be drawn in time.
        """
        refuse_unsafe(spec)
        try:
            request = json.dumps(spec, allow_nan=False).encode()
        except (TypeError, ValueError) as error:
            raise ChartRejected(f"The chart is not plain JSON: {error}") from error
        until = time.monotonic() + self.in_all_s
        with doing(Kind.CHART, "vega-lite"), self._one(until) as process:
            kind, body = process.draw(request, until)
        if kind != b"P":
            why = body.decode(errors="replace")  # it may hold cells
            log.warning("Vega-Lite refused a chart", extra={"private": why})
            raise ChartRejected(f"The chart could not be drawn. {_SAY_WITHOUT}")
        if not body.startswith(_PNG_MAGIC):
            raise ChartRejected(f"The chart came out as no picture. {_SAY_WITHOUT}")
        return body

    def start(self) -> None:
        """Start a process now, so that the first chart need not wait for it.

        Raises `ChartRejected` if none can be started.
        """
        until = time.monotonic() + self.in_all_s
        with self._one(until) as process:
            process.start(until)

    def close(self) -> None:
        """Stop the processes. Charts that are under way are lost; later ones are refused."""
        with self._turn:
            self._is_closed = True
            self._turn.notify_all()
        for process in self._all:
            process.end()
        with self._turn:  # all come back at once: what they were waiting for is dead
            self._turn.wait_for(lambda: len(self._idle) == len(self._all), timeout=self.in_all_s)
            for process in self._idle:
                process.forget()

    def __enter__(self) -> ProcessRenderer:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @contextmanager
    def _one(self, until: float) -> Iterator[DrawingProcess]:
        """Have one process for the block, and turn its troubles into `ChartRejected`."""
        process = self._take(until)
        try:
            yield process
        except DrawingEnded as death:
            if self._is_closed:
                raise ChartRejected(_STOPPING) from death
            raise ChartRejected(f"{death} {_SAY_WITHOUT}") from death
        except OSError as error:
            log.warning("no chart process can be started: %s", error)
            raise ChartRejected(f"Charts cannot be drawn right now. {_SAY_WITHOUT}") from error
        finally:
            with self._turn:
                self._idle.append(process)
                self._turn.notify_all()

    def _take(self, until: float) -> DrawingProcess:
        with self._turn:
            if not self._idle and self._waiting >= self._most_waiting:
                raise ChartRejected(f"Too many charts are waiting to be drawn. {_SAY_WITHOUT}")
            self._waiting += 1
            try:
                self._turn.wait_for(
                    lambda: self._idle or self._is_closed, timeout=until - time.monotonic()
                )
            finally:
                self._waiting -= 1
            if self._is_closed:
                raise ChartRejected(_STOPPING)
            if not self._idle:
                raise ChartRejected(f"The chart's turn did not come in time. {_SAY_WITHOUT}")
            # One that runs already before one that would have to be started.
            self._idle.sort(key=lambda process: process.is_running)
            return self._idle.pop()
