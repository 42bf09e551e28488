"""Threads that do not keep a process alive which is to end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextvars import copy_context
from typing import Any, Final, TypeVar

T = TypeVar("T")
NAME: Final = "question"


class DaemonThreads(Executor):
    """A thread for each call. Python's own pool has a process wait at its end for all it runs.

    How many there are at once is for the caller to say: a worker fetches no more than it may run.
    """

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Call a function in a thread of its own."""
        future: Future[T] = Future()
        context = copy_context()

        def work() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(context.run(fn, *args, **kwargs))
            except BaseException as error:
                future.set_exception(error)

        threading.Thread(target=work, name=NAME, daemon=True).start()
        return future
