"""Data ages out: first the rows of results, later whole runs with all that belongs to them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.keep import Keep
from bot.store.store import Store

BATCH: Final = 100
"""What goes in one transaction: it holds nobody up, and ends well within the statements' time."""
PAUSE_S: Final = 0.02
"""Between two batches, in seconds, for those who ask meanwhile."""

_Drop = Callable[[], int | None]


@dataclass(frozen=True)
class AgedOut:
    """What went."""

    results: int = 0
    """Results that lost their rows."""
    runs: int = 0
    is_over: bool = True
    """Nothing is left that is old enough; False: there was no time for all of it."""


def age_out(store: Store, keep: Keep, *, within_s: float = 10.0, batch: int = BATCH) -> AgedOut:
    """Drop what is older than `keep`, oldest first, in batches; returns what went.

    One process at a time does it: where another one is at it, nothing is done. After `within_s`
    seconds the rest is left for the next time. Raises `StoreUnavailable`; what went until then
    stays gone.
    """
    ends = time.monotonic() + within_s
    gone = {"results": 0, "runs": 0, "": 0}
    for what, drop in _jobs(store, keep, batch):
        while n := drop():
            gone[what] += n
            if n < batch:
                break
            if time.monotonic() >= ends:
                return AgedOut(gone["results"], gone["runs"], is_over=False)
            time.sleep(PAUSE_S)
    return AgedOut(gone["results"], gone["runs"])


def _jobs(store: Store, keep: Keep, batch: int) -> Iterator[tuple[str, _Drop]]:
    if keep.results_days:
        yield "results", partial(store.drop_old_rows, days=keep.results_days, limit=batch)
        yield "", partial(store.drop_old_checkpoints, days=keep.results_days, limit=batch)
    if keep.runs_days:
        yield "runs", partial(store.drop_old_runs, days=keep.runs_days, limit=batch)
        yield "", partial(store.drop_old_conversations, days=keep.runs_days, limit=batch)
    yield "", store.drop_old_visits
