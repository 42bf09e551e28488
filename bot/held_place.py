"""A place where nothing is put any more once the run is another process's."""

from __future__ import annotations

from collections.abc import Sequence

from bot.place import Place
from bot.render import Card, Working
from bot.running import Running
from bot.store import Hold


class HeldPlace:
    """A place of one run of ours. A process that woke up must not write over another's answer."""

    def __init__(self, place: Place, running: Running, run_id: str, hold: Hold) -> None:
        self._place = place
        self._running = running
        self._run_id = run_id
        self._hold = hold

    @property
    def ts(self) -> str | None:
        return self._place.ts

    @property
    def stands_at(self) -> str | None:
        return self._place.stands_at

    @property
    def keeps_session(self) -> bool:
        return self._place.keeps_session

    def take(self) -> bool:
        return self._place.take()

    def begin(self, working: Working) -> None:
        """Show that the work has begun. Raises `Lost`."""
        self._running.require(self._run_id, self._hold)
        self._place.begin(working)

    def show(self, working: Working) -> bool:
        if not self._running.is_ours(self._run_id, self._hold):
            return True
        return self._place.show(working)

    def finish(self, cards: Sequence[Card], *, waits: bool = False) -> bool:
        """Show the first of `cards` that Slack takes. Raises `Lost`."""
        self._running.require(self._run_id, self._hold)
        return self._place.finish(cards, waits=waits)
