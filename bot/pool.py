"""The bot's own threads: questions run here, never in Bolt's listener pool.

Bolt acknowledges buttons and commands from a handful of threads; a few running questions in them
would stop every acknowledgement.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from contextvars import copy_context
from functools import partial

Job = Callable[[], None]


class Pool:
    """A fixed number of daemon threads behind a queue of bounded length."""

    def __init__(self, name: str, *, workers: int, waiting: int) -> None:
        """Start `workers` threads; at most `waiting` jobs are held while all are busy."""
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._room = threading.Semaphore(workers + waiting)
        self._changed = threading.Condition()
        self._unfinished = 0
        self._open = True
        self._name = name
        self._workers = workers
        for _ in range(workers):
            self._start_thread()

    def submit(self, job: Job) -> bool:
        """Hand over a job; False when there is no room, or no more.

        A job that raises ends its thread, which Python reports; another takes its place.
        """
        with self._changed:
            if not self._open or not self._room.acquire(blocking=False):
                return False
            self._unfinished += 1
        self._jobs.put(partial(copy_context().run, job))  # its log lines tell of whose it is
        return True

    @property
    def unfinished(self) -> int:
        """How many jobs run or wait."""
        with self._changed:
            return self._unfinished

    def drain(self, grace_s: float) -> bool:
        """Take no more jobs and wait up to `grace_s` seconds; True when none is left."""
        with self._changed:
            self._open = False
            return self._changed.wait_for(lambda: self._unfinished == 0, timeout=grace_s)

    def stop(self) -> None:
        """Let the threads end once they are free; what still waits is dropped."""
        with self._changed:
            self._open = False
        for _ in range(self._workers):
            self._jobs.put(None)

    def _start_thread(self) -> None:
        threading.Thread(target=self._work, name=self._name, daemon=True).start()

    def _work(self) -> None:
        is_over = False
        try:
            while (job := self._jobs.get()) is not None:
                try:
                    job()
                finally:
                    self._room.release()
                    with self._changed:
                        self._unfinished -= 1
                        self._changed.notify_all()
            is_over = True
        finally:
            if not is_over:
                self._start_thread()
