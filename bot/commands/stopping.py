"""Waiting for Ctrl-C, SIGTERM or a closed terminal, so that everything can be stopped in order."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def until_told_to_stop() -> Iterator[threading.Event]:
    """Yield an event that SIGINT, SIGTERM or SIGHUP sets; a second one interrupts at once.

    A hangup that is ignored (by nohup) stays so. While starting, before anyone waits for the
    event, the first signal interrupts too: nothing is worth finishing then. Only for the main
    thread.
    """
    told = _Told()
    before = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        before[signal.SIGHUP] = signal.getsignal(signal.SIGHUP)
    for each in before:
        signal.signal(each, told.on_signal)
    try:
        yield told
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


class _Told(threading.Event):
    def __init__(self) -> None:
        super().__init__()
        self._waiting = False

    def wait(self, timeout: float | None = None) -> bool:
        self._waiting = True
        return super().wait(timeout)

    def on_signal(self, number: int, frame: FrameType | None) -> None:
        if not self._waiting or self.is_set():
            raise KeyboardInterrupt
        self.set()
