"""Deletes what a person's questions have produced, once what runs of them has stopped."""

from __future__ import annotations

import time
from typing import Final

from bot.store.store import Store

BATCH: Final = 100
STOPS_WITHIN_S: Final = 20.0
"""How long runs may take to hear that they are to stop, and to do so, in seconds."""
LOOKS_EVERY_S: Final = 0.2


def forget(store: Store, team: str, person: str, *, wait_s: float = STOPS_WITHIN_S) -> int:
    """Delete what is of the member `person` in the workspace `team`; returns how many questions.

    What runs is stopped first; what has not stopped after `wait_s` seconds has lost its process,
    and is deleted like the rest. May be said again where it was cut off. Raises
    `StoreUnavailable`; what went until then stays gone.
    """
    store.stop_runs_of(team, person)
    ends = time.monotonic() + wait_s
    while store.under_way_of(team, person) and time.monotonic() < ends:
        time.sleep(LOOKS_EVERY_S)
    gone = 0
    while n := store.drop_runs_of(team, person, limit=BATCH):
        gone += n
    store.take_name_off(team, person)
    return gone
