"""What was seen lately, so much of it."""

from __future__ import annotations

import threading
from collections import OrderedDict


class Recent:
    """The newest keys, so many; stands in for the store while that is away."""

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

    def forget(self, key: str) -> None:
        """Not known any more."""
        with self._lock:
            self._keys.pop(key, None)
