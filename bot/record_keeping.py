"""Writes down what becomes of a run; where the store is away, the log says so and work goes on."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from agent.messages import AgentResult
from bot.audience import Audience
from bot.running import Running
from bot.store import Question, Store, StoreUnavailable, Thread

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class RunRecords:
    """The record of each run, for whoever answers; safe to share between threads."""

    store: Store
    audience: Audience
    running: Running
    """Is told of each end that could not be written down: `bot.cut_off` makes up for it."""

    def note_card(self, run_id: str, question: Question, card_ts: str | None) -> None:
        """Remember which message is the card, and whether everybody may read its channel."""
        thread = question.thread
        try:
            if card_ts is not None:
                self.store.place_card(run_id, card_ts)
            self._note_channel(thread)
        except StoreUnavailable as fault:
            log.error("the card of run %s is not recorded: %s", run_id, fault.detail)

    def finish(self, run_id: str, question: Question, result: AgentResult) -> bool:
        """Record how a run ended; False where that could not be.

        The log shows it from then on, so who may read its channel by now is written down first.
        """
        try:
            self._note_channel(question.thread)
            self.store.finish(run_id, result)
        except StoreUnavailable as fault:
            log.error("run %s could not be recorded: %s", run_id, fault.detail)
            self.running.note_unrecorded(run_id)
            return False
        return True

    def close(self, run_id: str, reason: str, *, failed: bool, card_ts: str | None) -> None:
        """Record why a run has no result."""
        try:
            self.store.turn_away(run_id, reason, failed=failed, card_ts=card_ts)
        except StoreUnavailable as fault:
            log.error("run %s could not be closed: %s", run_id, fault.detail)
            self.running.note_unrecorded(run_id)

    def _note_channel(self, thread: Thread) -> None:
        if not thread.is_direct:
            is_public = self.audience.is_public(thread.channel)
            self.store.note_channel(thread.team, thread.channel, is_public=is_public)
