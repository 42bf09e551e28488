"""How fast a server writes, so that a turn which never ends does not take all of a run's time."""

from __future__ import annotations

from typing import Final

_ASSUMED: Final = 20.0
"""Tokens a second of a server that has not written yet: those of a large model without a GPU."""
_ENOUGH: Final = 30
"""Tokens that tell a speed; below, the time went into reading."""
_SHARE: Final = 0.4
"""Of the time that is left: a server slows down as a text grows and as others ask it, and what
follows a turn that was cut off needs some as well."""
_LEAST: Final = 500
"""Tokens in which a call, or an answer, can always be said."""


class Pace:
    """The speed of the last turn that was long enough to tell it. Safe to share between threads.

    A server that may not be slow, such as a provider's, is never held to its speed.
    """

    def __init__(self, *, may_be_slow: bool) -> None:
        self._may_be_slow = may_be_slow
        self._tokens_per_s = _ASSUMED

    def learn(self, tokens: int, seconds: float) -> None:
        """Take note of a turn of so many tokens, and of how long it took with all its waiting."""
        if tokens >= _ENOUGH and seconds > 0:
            self._tokens_per_s = tokens / seconds

    def bound(self, most: int, seconds_left: float) -> int:
        """Return how many tokens a turn may have, at most `most`, to end well within the time."""
        if not self._may_be_slow:
            return most
        return min(most, max(_LEAST, int(self._tokens_per_s * seconds_left * _SHARE)))
