"""What was seen lately, so much of it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable


class Recent:
    """The newest keys, so many."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._keys: OrderedDict[str, None] = OrderedDict()

    def add(self, key: str) -> bool:
        """Remember a key; False if it is known."""
        with self._lock:
            if key in self._keys:
                return False
            self._keys[key] = None
            if len(self._keys) > self._size:
                self._keys.popitem(last=False)
            return True

    def __contains__(self, key: str) -> bool:
        with self._lock:
            return key in self._keys

    def forget(self, key: str) -> None:
        """Not known any more."""
        with self._lock:
            self._keys.pop(key, None)


class Once:
    """Has something done once for each key; remembers the newest keys, so many."""

    def __init__(self, size: int) -> None:
        self._done = Recent(size)
        self._doing: set[str] = set()
        self._changed = threading.Condition()

    def do(self, key: str, job: Callable[[], None]) -> None:
        """Do it, unless it was done for `key`. Raises what `job` does: then it was not done.

        Who comes while another one is at it waits for what comes of that: nobody says that it is
        done before it is.
        """
        with self._changed:
            self._changed.wait_for(lambda: key not in self._doing)
            if key in self._done:
                return
            self._doing.add(key)
        try:
            job()
            self._done.add(key)
        finally:
            with self._changed:
                self._doing.discard(key)
                self._changed.notify_all()


class Early:
    """What came before that which it is about: kept, so many, until that is there."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._lock = threading.Lock()
        self._jobs: OrderedDict[str, list[Callable[[], None]]] = OrderedDict()

    def put(self, key: str, job: Callable[[], None]) -> None:
        """Keep what is to be done once `key` is there."""
        with self._lock:
            self._jobs.setdefault(key, []).append(job)
            if len(self._jobs) > self._size:
                self._jobs.popitem(last=False)

    def do(self, key: str) -> None:
        """`key` is there: do what was kept for it, if anything was."""
        with self._lock:
            jobs = self._jobs.pop(key, [])
        for job in jobs:
            job()
