"""Writes down what becomes of a run, as long as it is ours."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import Final

from agent.messages import AgentResult
from bot.audience import Audience
from bot.claimed import Claimed
from bot.running import Running
from bot.store import Store, StoreUnavailable, Thread

log = logging.getLogger(__name__)

TRIED_FOR_S: Final = 60.0
"""How long a run whose end cannot be written down is held on to, in seconds."""
TRY_EVERY_S: Final = 0.5


@dataclass(frozen=True)
class RunRecords:
    """The record of each run, for whoever answers; safe to share between threads."""

    store: Store
    audience: Audience
    running: Running

    def note_card(self, claimed: Claimed) -> None:
        """Remember which message is the card, and whether everybody may read its channel."""
        card_ts = claimed.place.stands_at
        try:
            if card_ts is not None:
                self.store.place_card(claimed.run_id, card_ts, hold=claimed.hold)
            self._note_channel(claimed.question.thread)
        except StoreUnavailable as fault:
            log.error("the card of run %s is not recorded: %s", claimed.run_id, fault.detail)

    def finish(self, claimed: Claimed, result: AgentResult) -> bool:
        """Record how a run ended, unless that is recorded; False where it could not be.

        The log shows it from then on, so who may read its channel by now is written down first.
        Raises `Lost`.
        """
        if claimed.has_ended:
            return True
        try:
            self._note_channel(claimed.question.thread)
            if not self.store.finish(claimed.run_id, result, hold=claimed.hold):
                self._require(claimed)
        except StoreUnavailable as fault:
            log.error("run %s could not be recorded: %s", claimed.run_id, fault.detail)
            return False
        return True

    def finish_later(self, claimed: Claimed, result: AgentResult) -> bool:
        """Try for a while to record how a run ended; False where the store stays away.

        Raises `Lost`.
        """
        until = time.monotonic() + TRIED_FOR_S
        while time.monotonic() < until and not self.running.stopping:
            time.sleep(TRY_EVERY_S)
            if self.finish(claimed, result):
                return True
        return False

    def note_shown(self, claimed: Claimed) -> None:
        """The person has seen how the run ended. Raises `StoreUnavailable` or `Lost`."""
        if not self.store.note_shown(claimed.run_id, claimed.hold, card_ts=claimed.place.stands_at):
            self._require(claimed)

    def close(self, claimed: Claimed, reason: str, *, failed: bool = False) -> None:
        """Record why a run has no result, which was said. Raises `StoreUnavailable`."""
        self.store.turn_away(
            claimed.run_id,
            reason,
            failed=failed,
            card_ts=claimed.place.ts,
            hold=claimed.hold,
        )

    def _require(self, claimed: Claimed) -> None:
        if not self.store.is_held(claimed.run_id, claimed.hold):
            raise self.running.lose(claimed.run_id, claimed.hold)

    def _note_channel(self, thread: Thread) -> None:
        if not thread.is_direct:
            is_public = self.audience.is_public(thread.channel)
            self.store.note_channel(thread.team, thread.channel, is_public=is_public)
