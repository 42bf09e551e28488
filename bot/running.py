"""The runs that this process has taken on and not yet ended."""

from __future__ import annotations

import threading

from bot.store import Thread


class Running:
    """Which runs are ours, and how each is told to stop; safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: dict[str, tuple[Thread, threading.Event]] = {}
        self._stopping = False

    def begin(self, run_id: str, thread: Thread) -> None:
        """Count a run as ours from now on."""
        with self._lock:
            self._runs[run_id] = (thread, threading.Event())

    def end(self, run_id: str) -> None:
        """The run is over. May be said twice."""
        with self._lock:
            self._runs.pop(run_id, None)

    def cancelled(self, run_id: str) -> threading.Event:
        """Return the event that is set when the run is to stop."""
        with self._lock:
            return self._runs[run_id][1]

    def cancel(self, thread: Thread) -> None:
        """Tell the runs of one thread to stop."""
        with self._lock:
            for where, event in self._runs.values():
                if where == thread:
                    event.set()

    def cancel_all(self) -> None:
        """Tell all runs to stop, and those that have not begun not to begin."""
        with self._lock:
            self._stopping = True
            for _, event in self._runs.values():
                event.set()

    @property
    def stopping(self) -> bool:
        """The process ends: no run is begun any more."""
        return self._stopping

    def ids(self) -> list[str]:
        """Return the ids of all runs that are ours."""
        with self._lock:
            return list(self._runs)
