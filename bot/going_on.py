"""Goes on with a run that another process was cut off in."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agent.checkpoint import Recorded
from agent.errors import CheckpointUnreadable
from agent.messages import AgentResult
from bot.claimed import Claimed
from bot.progress import Progress
from bot.protocols import Agent
from bot.recorded import result_of
from bot.store import Store

log = logging.getLogger(__name__)


def run_or_go_on(
    agent: Agent, question: str, kept: Sequence[Recorded], **given: Any
) -> AgentResult:
    """Answer a question, or go on from where another process was cut off.

    What cannot be read of that is no reason to give up: the run begins anew.
    """
    if kept:
        try:
            return agent.run(question, resume=kept, **given)
        except CheckpointUnreadable as fault:
            log.warning("a run begins anew: %s", fault)
    return agent.run(question, **given)


def tell_again(progress: Progress, kept: Sequence[Recorded]) -> None:
    """Show the steps that were taken before the cut, in place of those of the other process."""
    for each in kept:
        if each.transition is not None:
            progress.record(each.transition)


def as_recorded(store: Store, agent: Agent, claimed: Claimed) -> AgentResult | None:
    """Return how a run ended that another process has written down, to be shown; None for none.

    Its pictures are among what was kept while it went on. Raises `StoreUnavailable`.
    """
    record = store.run(claimed.run_id)
    if record is None or record.outcome is None:
        return None
    result = result_of(record)
    if not claimed.kept:
        return result
    try:
        whole = agent.run(claimed.question.text, resume=claimed.kept)
    except CheckpointUnreadable as fault:
        log.warning("run %s is shown without its pictures: %s", claimed.run_id, fault)
        return result
    return replace(result, charts=whole.charts)
