"""Leaving a call of a model behind when its run is cancelled, or has no time left.

Neither SDK can be told to stop while it waits for a reply, so a call has a thread of its own. When
the run is cancelled, nobody waits for that thread any more: it tries nothing again, and its call
ends with the reply or by the time-out that it has anyway. Nobody reads the reply, but it has cost
money, so it is told of.

That time-out is one for each wait: who looks up a name that nobody knows, or is sent a byte of a
header now and then, does not meet it. So nobody waits for longer than a run has.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Final, Generic, TypeVar

from agent.watching import thread_of

MAX_LEFT_BEHIND: Final = 32
"""Calls that nobody waits for; where there are so many, a cancelled run waits for its own."""
_LOOK_EVERY_S: Final = 0.1
_GRACE_S: Final = 0.25
"""For a call that ends by its own time-out."""

T = TypeVar("T")
_given_up: ContextVar[threading.Event | None] = ContextVar("given_up", default=None)
_left_behind = threading.BoundedSemaphore(MAX_LEFT_BEHIND)
_out_of_time = threading.BoundedSemaphore(MAX_LEFT_BEHIND)
"""Calls that outlasted their own time-out; who was cancelled takes no place from them."""


class GivenUp(Exception):
    """The run was cancelled while a model was asked."""


def given_up() -> bool:
    """Say whether nobody waits for the call that this thread makes."""
    event = _given_up.get()
    return event is not None and event.is_set()


def go_on_after(seconds: float) -> bool:
    """Wait, for as long as somebody waits for us; return whether somebody still does."""
    event = _given_up.get()
    if event is None:
        time.sleep(seconds)
        return True
    return not event.wait(seconds)


def unless_cancelled(
    call: Callable[[], T],
    cancelled: threading.Event,
    *,
    late: Callable[[T | BaseException], None] = lambda _: None,
) -> T:
    """Return what `call` gives, or raise what it raises; `GivenUp` once `cancelled` is set.

    Where that was raised, `late` is told once what the call gave in the end, or why it failed.
    """
    work = _Work(call, cancelled, late, _left_behind)
    thread_of(work.do, "model call").start()
    while not work.done.wait(_LOOK_EVERY_S):
        if cancelled.is_set() and work.is_left():
            raise GivenUp
    if work.error is not None:
        if cancelled.is_set():  # it may have failed for no other reason
            late(work.error)
            raise GivenUp from work.error
        raise work.error
    return work.outcome[0]


def in_time(call: Callable[[], T], deadline: float) -> T:
    """Return what `call` gives, or raise what it raises; `TimeoutError` past `deadline`.

    That is a moment of `time.monotonic()`. What comes later is lost. Where too many calls hang
    already, this one is not made, so that they do not become ever more.
    """
    if not _out_of_time.acquire(blocking=False):
        raise TimeoutError
    _out_of_time.release()
    work = _Work(call, _given_up.get(), lambda _: None, _out_of_time)
    thread_of(work.do, "model call in time").start()
    left_s = deadline + _GRACE_S - time.monotonic()
    if not work.done.wait(max(left_s, 0)) and work.is_left(at_any_rate=True):
        raise TimeoutError
    if work.error is not None:
        raise work.error
    return work.outcome[0]


class _Work(Generic[T]):
    """One call, and whether somebody still waits for it."""

    def __init__(
        self,
        call: Callable[[], T],
        cancelled: threading.Event | None,
        late: Callable[[T | BaseException], None],
        places: threading.BoundedSemaphore,
    ) -> None:
        self._call = call
        self._cancelled = cancelled
        self._late = late
        self._lock = threading.Lock()
        self._places = places
        self._is_left = self._has_place = False
        self.done = threading.Event()
        self.outcome: list[T] = []
        self.error: BaseException | None = None

    def do(self) -> None:
        """Make the call."""
        _given_up.set(self._cancelled)
        try:
            self.outcome.append(self._call())
        except BaseException as error:
            self.error = error
        with self._lock:
            self.done.set()
            is_left = self._is_left
        if self._has_place:
            self._places.release()
        if is_left:
            self._late(self.error or self.outcome[0])

    def is_left(self, *, at_any_rate: bool = False) -> bool:
        """Leave the call behind, unless it is done or there are too many; say whether it is."""
        with self._lock:
            if not self.done.is_set():
                self._has_place = self._places.acquire(blocking=False)
                self._is_left = self._has_place or at_any_rate
            return self._is_left
