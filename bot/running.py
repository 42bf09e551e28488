"""The runs that this process has taken on and not yet ended."""

from __future__ import annotations

import threading
import time
import uuid
from dataclasses import dataclass, field
from typing import Final

from bot.links import NO_MESSAGE
from bot.store import Dropped, Hold, Renewed, Thread

MOST_DROPPED = 1_000
SURE_FOR_S: Final = 10.0
"""How long what the store said last of our runs is believed. Shorter than a lease of the line."""
LOOK_EVERY_S: Final = 0.1


class Lost(Exception):
    """A run is another process's by now: whoever works on it here stops and touches nothing."""


@dataclass
class OneRun:
    """A run that goes on: where, whose, and who stopped it."""

    thread: Thread
    asker: str
    hold: Hold
    cancelled: threading.Event = field(default_factory=threading.Event)
    stopped_by: str = ""
    is_closed: bool = False
    """Nothing can be put where it was asked any more."""
    is_lost: bool = False
    """It is another process's by now."""


class Running:
    """Which runs are ours, and how each is told to stop; safe to share between threads."""

    def __init__(self, sure_for_s: float = SURE_FOR_S) -> None:
        """`sure_for_s` is how long what the store said last of our runs is believed, in seconds."""
        self.owner = str(uuid.uuid4())
        """What this process is called where runs are held."""
        self._lock = threading.Condition()
        self._runs: dict[str, OneRun] = {}
        self._dropped: dict[str, Dropped] = {}
        self._stopping = False
        self._sure_for_s = sure_for_s
        self._looked_at = time.monotonic()

    def begin(self, run_id: str, thread: Thread, asker: str, hold: Hold) -> None:
        """Count a run as ours from now on."""
        with self._lock:
            self._runs[run_id] = OneRun(thread, asker, hold)
            if run_id in self._dropped:
                self._runs[run_id].cancelled.set()

    def heed(self, run_id: str, wish: Renewed) -> None:
        """Do what others want of one of our runs."""
        if wish.dropped is not None:
            self.drop(run_id, wish.dropped)
        if wish.stop_by:
            self.cancel_run(run_id, wish.stop_by)

    def lose(self, run_id: str, hold: Hold) -> Lost:
        """Note that a run is not its holder's any more; returns what to raise."""
        with self._lock:
            if run_id in self._runs and self._runs[run_id].hold == hold:
                self._runs[run_id].is_lost = True
                self._runs[run_id].cancelled.set()
                self._lock.notify_all()
        return Lost(run_id)

    def have_looked(self) -> None:
        """What is known of our runs is what the store says, or would: this process is awake."""
        with self._lock:
            self._looked_at = time.monotonic()
            self._lock.notify_all()

    @property
    def has_slept(self) -> bool:
        """Has this process stood still for so long that its runs may be another's by now?"""
        return time.monotonic() - self._looked_at > self._sure_for_s

    def require(self, run_id: str, hold: Hold) -> None:
        """Raise `Lost` unless a run is its holder's. Who stood still waits until that is known."""
        with self._lock:
            while self.has_slept and not self._is_lost(run_id, hold):
                self._lock.wait(LOOK_EVERY_S)
            if self._is_lost(run_id, hold):
                raise Lost(run_id)

    def is_ours(self, run_id: str, hold: Hold) -> bool:
        """Is a run its holder's, as far as is known? Never waits."""
        with self._lock:
            return not self.has_slept and not self._is_lost(run_id, hold)

    def _is_lost(self, run_id: str, hold: Hold) -> bool:
        run = self._runs.get(run_id)
        return run is None or run.is_lost or run.hold != hold

    def hand_over(self) -> list[tuple[str, Hold]]:
        """Let go of all runs, which others are to go on with; return them."""
        with self._lock:
            self._stopping = True
            for run in self._runs.values():
                run.is_lost = True
                run.cancelled.set()
            return [(run_id, run.hold) for run_id, run in self._runs.items()]

    def end(self, run_id: str, hold: Hold) -> None:
        """The run is over, for its holder. May be said twice."""
        with self._lock:
            if run_id in self._runs and self._runs[run_id].hold == hold:
                self._runs.pop(run_id)
                self._dropped.pop(run_id, None)
            self._lock.notify_all()

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

    @property
    def stopping(self) -> bool:
        """The process ends: no run is begun any more."""
        return self._stopping

    def ids(self) -> list[str]:
        """Return the ids of all runs that are ours."""
        with self._lock:
            return list(self._runs)
