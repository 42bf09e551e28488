"""The story of a run, from its record."""

from __future__ import annotations

from agent.story import tell
from bot.store import RunRecord, Store


def story_of(store: Store, run: RunRecord) -> str:
    """Return in plain English what the run did and why. Raises `StoreUnavailable`."""
    return tell(
        store.trail(run.id),
        duration_ms=run.duration_ms or None,
        cost_usd=run.cost_usd,
        judge=run.judge,
    )
