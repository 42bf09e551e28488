"""Whoever comes in goes before whoever is served.

Python lets one thread compute at a time. Where many ask at once, the first answers would delay the
acknowledgements of all who come behind; so an answer is begun once nobody comes any more.
"""

from __future__ import annotations

import time
from typing import Final

QUIET_S: Final = 0.03
"""How long nobody came, in seconds."""
LONGEST_S: Final = 0.5
"""How long a question waits for that, in seconds, whoever comes."""


class Doorstep:
    """When somebody came last; safe to share between threads."""

    def __init__(self) -> None:
        self._last = -LONGEST_S

    def come(self) -> None:
        """Somebody is there."""
        self._last = time.monotonic()

    def wait(self) -> None:
        """Wait until nobody comes, but not for long."""
        began = time.monotonic()
        while (now := time.monotonic()) - began < LONGEST_S:
            left = self._last + QUIET_S - now
            if left <= 0:
                return
            time.sleep(left)
