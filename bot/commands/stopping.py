"""Waiting for Ctrl-C, SIGTERM or a closed terminal, so that everything can be stopped in order."""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Told:
    """Whether we were told to stop; made by `until_told_to_stop`."""

    def __init__(self, woken: int) -> None:
        self._woken = woken
        self._waiting = self._told = False

    def wait(self) -> None:
        """Wait until we are told."""
        self._waiting = True
        while not self._told:
            # The system may give a signal to any thread; Python handles it in this one, which a
            # lock would keep asleep. What Python writes down the pipe wakes it in any case.
            select.select([self._woken], [], [])
            os.read(self._woken, 1)

    def on_signal(self, number: int, frame: FrameType | None) -> None:
        """Take note of a signal."""
        if not self._waiting or self._told:
            raise KeyboardInterrupt
        self._told = True


@contextmanager
def until_told_to_stop() -> Iterator[Told]:
    """Yield what waits until SIGINT, SIGTERM or SIGHUP; a second one interrupts at once.

    A hangup that is ignored (by nohup) stays so. While starting, before anyone waits, the first
    signal interrupts too: nothing is worth finishing then. Only for the main thread.
    """
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    told = Told(woken)
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        before[signal.SIGHUP] = signal.getsignal(signal.SIGHUP)
    woke_before = signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    for each in before:
        signal.signal(each, told.on_signal)
    try:
        yield told
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
        signal.set_wakeup_fd(woke_before)
        os.close(wakes)
        os.close(woken)
