"""The runs that this process has taken on and not yet ended."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from bot.links import NO_MESSAGE
from bot.store import Dropped, Thread

MOST_DROPPED = 1_000


@dataclass
class OneRun:
    """A run that goes on: where, whose, and who stopped it."""

    thread: Thread
    asker: str
    cancelled: threading.Event = field(default_factory=threading.Event)
    stopped_by: str = ""
    is_closed: bool = False
    """Nothing can be put where it was asked any more."""


class Running:
    """Which runs are ours, and how each is told to stop; safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Condition()
        self._runs: dict[str, OneRun] = {}
        self._dropped: dict[str, Dropped] = {}
        self._stopping = False
        self._unrecorded: set[str] = set()

    def begin(self, run_id: str, thread: Thread, asker: str = "") -> None:
        """Count a run as ours from now on."""
        with self._lock:
            self._runs[run_id] = OneRun(thread, asker)
            if run_id in self._dropped:
                self._runs[run_id].cancelled.set()

    def end(self, run_id: str) -> None:
        """The run is over. May be said twice."""
        with self._lock:
            self._runs.pop(run_id, None)
            self._dropped.pop(run_id, None)
            self._lock.notify_all()

    def note_unrecorded(self, run_id: str) -> None:
        """The end of a run of ours could not be written down: it looks as if it still went on."""
        with self._lock:
            self._unrecorded.add(run_id)

    def unrecorded(self) -> list[str]:
        """Return the ids of runs whose end is still to be written down."""
        with self._lock:
            return list(self._unrecorded)

    def has_been_recorded(self, run_id: str) -> None:
        """The end of that run is written down by now."""
        with self._lock:
            self._unrecorded.discard(run_id)

    def wait_for_end(self, run_id: str, within_s: float) -> None:
        """Wait until the run is none of ours any more, for `within_s` seconds at most."""
        with self._lock:
            self._lock.wait_for(lambda: run_id not in self._runs, within_s)

    def drop(self, run_id: str, why: Dropped) -> None:
        """Tell a run to stop, if it is ours or will be, since nobody wants its answer any more."""
        with self._lock:
            self._dropped[run_id] = why
            if run_id in self._runs:
                self._runs[run_id].cancelled.set()
            elif len(self._dropped) > MOST_DROPPED:  # those of other processes
                self._dropped = {
                    each: why for each, why in self._dropped.items() if each in self._runs
                }

    def dropped(self, run_id: str) -> Dropped | None:
        """Return why nobody wants the answer of one of our runs; None where it is wanted."""
        with self._lock:
            return self._dropped.get(run_id)

    def cancelled(self, run_id: str) -> threading.Event:
        """Return the event that is set when the run is to stop."""
        with self._lock:
            return self._runs[run_id].cancelled

    def cancel_run(self, run_id: str, by: str) -> None:
        """Tell one run to stop, if it is ours, since the member `by` wants it to."""
        with self._lock:
            run = self._runs.get(run_id)
            if run is not None:
                run.stopped_by = run.stopped_by or by
                run.cancelled.set()

    def find(self, run_id: str) -> OneRun | None:
        """Return one of our runs; None where it is none of ours, or over."""
        with self._lock:
            return self._runs.get(run_id)

    def stopped_by(self, run_id: str) -> str:
        """Return the member who stopped one of our runs; "" where nobody did."""
        with self._lock:
            return self._runs[run_id].stopped_by if run_id in self._runs else ""

    def close(self, channel: str) -> None:
        """Tell the runs in a channel to stop, since Slack takes nothing there any more.

        Answers to commands that only their asker sees go another way.
        """
        with self._lock:
            for run in self._runs.values():
                if run.thread.channel == channel and not run.thread.ts.startswith(NO_MESSAGE):
                    run.is_closed = True
                    run.cancelled.set()

    def is_closed(self, run_id: str) -> bool:
        """Was one of our runs told that nothing can be put where it was asked any more?"""
        with self._lock:
            return run_id in self._runs and self._runs[run_id].is_closed

    def ids_in(self, thread: Thread) -> list[str]:
        """Return the ids of our runs in one thread."""
        with self._lock:
            return [run_id for run_id, run in self._runs.items() if run.thread == thread]

    def ids_at(self, channel: str) -> list[str]:
        """Return the ids of our runs in one channel, whatever the thread."""
        with self._lock:
            return [run_id for run_id, run in self._runs.items() if run.thread.channel == channel]

    def interrupt(self) -> None:
        """Tell all runs to stop; others may begin."""
        with self._lock:
            for run in self._runs.values():
                run.cancelled.set()

    def cancel_all(self) -> None:
        """Tell all runs to stop, and those that have not begun not to begin."""
        with self._lock:
            self._stopping = True
            for run in self._runs.values():
                run.cancelled.set()

    @property
    def stopping(self) -> bool:
        """The process ends: no run is begun any more."""
        return self._stopping

    def ids(self) -> list[str]:
        """Return the ids of all runs that are ours."""
        with self._lock:
            return list(self._runs)
