"""Keeps processes of the bot running, as systemd would: one that dies is started again at once.

They are forked from a process that has loaded everything and does nothing else, so that a thousand
starts do not take half an hour.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Mapping, Sequence
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from .bot_process import run_bot

LOADED_ONCE = (__package__ + ".loaded",)
STOPPED_WITHIN_S = 40.0
PAUSE_S = 0.2
"""Before a process is started again that ended by itself, in seconds."""


class Supervisor:
    """So many processes of one folder; each dies alone and comes back alone."""

    def __init__(
        self, folder: Path, commands: Sequence[Sequence[str]], environment: Mapping[str, str]
    ) -> None:
        """`commands` are what `db-agent` is told, one for each process."""
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(list(LOADED_ONCE))
        self._folder, self._commands, self._environment = folder, commands, environment
        self._running: dict[int, BaseProcess] = {}
        self._woken, self._wakes = os.pipe()
        self._lock = threading.Lock()
        self._is_over = False
        self.killed: list[int] = []
        """The ids of processes that were killed, in order."""
        self.gave_up: list[int] = []
        """The exit codes of processes that ended by themselves."""
        self._watch: threading.Thread | None = None

    def start(self) -> None:
        """Start all, and see to it that they run."""
        self._is_over = False
        with self._lock:
            for place in range(len(self._commands)):
                self._start(place)
        self._watch = threading.Thread(target=self._look_after, name="supervisor", daemon=True)
        self._watch.start()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End all, and start none again."""
        with self._lock:
            self._is_over = True
            running = list(self._running.values())
        os.write(self._wakes, b".")
        if self._watch is not None:
            self._watch.join()
        for each in running:
            self._signal(each, signal.SIGCONT)
            self._signal(each, how)
        for each in running:
            each.join(STOPPED_WITHIN_S)
            self._signal(each, signal.SIGKILL)
            each.join()
        self._running.clear()

    @property
    def pids(self) -> list[int]:
        """The processes that run."""
        with self._lock:
            return [each.pid or 0 for each in self._running.values()]

    def signal(self, pid: int, number: signal.Signals) -> None:
        """Send one of them a signal."""
        os.kill(pid, number)

    def _start(self, place: int) -> None:
        given = (str(self._folder), tuple(self._commands[place]), dict(self._environment))
        process = self._context.Process(target=run_bot, args=given, name=f"bot-{place}")
        process.start()
        self._running[place] = process

    def _look_after(self) -> None:
        while True:
            with self._lock:
                ends = {each.sentinel: place for place, each in self._running.items()}
            found = wait([*ends, self._woken])
            if self._woken in found:
                os.read(self._woken, 1)
                return
            with self._lock:
                for sentinel in found:
                    self._restart(ends[sentinel])  # type: ignore[index]

    def _restart(self, place: int) -> None:
        dead = self._running[place]
        dead.join()
        if dead.exitcode == -signal.SIGKILL:
            self.killed.append(dead.pid or 0)
        else:
            self.gave_up.append(dead.exitcode or 0)
            time.sleep(PAUSE_S)
        if not self._is_over:
            self._start(place)

    @staticmethod
    def _signal(process: BaseProcess, number: signal.Signals) -> None:
        if process.is_alive() and process.pid:
            os.kill(process.pid, number)
