"""The story of a run, from its record."""

from __future__ import annotations

import logging

from agent.story import tell
from bot.claimed import Claimed
from bot.render import Card, render_notice, render_why
from bot.store import RunRecord, Store, StoreUnavailable

log = logging.getLogger(__name__)

NO_ANSWER_HERE = "Ask that in the thread of an answer, or press “Why” under one."


def last_story(store: Store, claimed: Claimed) -> Card:
    """Return the story of the last answer in the thread where somebody asks why, or a refusal."""
    try:
        thread, asker = claimed.question.thread, claimed.question.asked_by
        is_for_one = claimed.asker_only or thread.is_direct
        last = store.last_run(thread, only_for=asker if is_for_one else "")
        if last is None:
            return render_notice(NO_ANSWER_HERE)
        return render_why(story_of(store, last), last.id)
    except StoreUnavailable as fault:
        log.error("a story could not be told: %s", fault.detail)
        return render_notice(str(fault))


def story_of(store: Store, run: RunRecord) -> str:
    """Return in plain English what the run did and why. Raises `StoreUnavailable`."""
    return tell(
        store.trail(run.id),
        duration_ms=run.duration_ms or None,
        cost_usd=run.cost_usd,
        judge=run.judge,
    )
