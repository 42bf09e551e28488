"""Sees to it that no question waits for ever, and that nothing settled goes untold."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.clients import Clients
from bot.delivery import post_card
from bot.escalation import Escalations
from bot.links import Links
from bot.render.queue import Waiting, render_reminder
from bot.settling import Settling
from bot.slack_errors import SLACK_TROUBLE, what_went_wrong
from bot.store import Escalation, Store, StoreUnavailable

log = logging.getLogger(__name__)

AGAIN_AFTER_S = 600.0
"""Between two tries to post or to tell the same thing, in seconds."""
TOLD_WITHIN_S = 120.0
"""What was settled so long ago and not told was lost on its way, in seconds."""
LOOKED_AT = 100


@dataclass
class EscalationWatch:
    """Looks now and again; one thread calls it."""

    store: Store
    clients: Clients
    escalations: Escalations
    settling: Settling
    links: Links
    remind_after_s: float
    team: str | None = None
    """The workspace; None: all."""
    _tried: dict[str, float] = field(default_factory=dict)

    def look(self) -> None:
        """Post what is not posted, tell what is not told, and remind of what waits too long."""
        if not self.escalations.channel:
            return
        try:
            for waiting in self.store.open_escalations(LOOKED_AT, team=self.team):
                if waiting.ts is None and self._is_due(waiting.id):
                    self.escalations.post(waiting)
            for settled in self.store.undelivered(settled_for_s=TOLD_WITHIN_S, team=self.team):
                if self._is_due(settled.id):
                    self.settling.deliver(settled)
            overdue = self.store.take_overdue(open_for_s=self.remind_after_s, team=self.team)
            self._remind(overdue)
        except StoreUnavailable as fault:
            log.warning("escalations were not looked at: %s", fault.detail)

    def _is_due(self, escalation_id: str) -> bool:
        now = time.monotonic()
        if now - self._tried.get(escalation_id, -AGAIN_AFTER_S) < AGAIN_AFTER_S:
            return False
        if len(self._tried) > LOOKED_AT:
            self._tried.clear()
        self._tried[escalation_id] = now
        return True

    def _remind(self, overdue: Sequence[Escalation]) -> None:
        if not overdue:
            return
        card = render_reminder([waiting_of(each, self.links) for each in overdue])
        try:
            post_card(self.clients.patient, card, self.escalations.channel)
        except SLACK_TROUBLE as error:
            log.error(
                "%d questions wait, and nobody was reminded: %s",
                len(overdue),
                what_went_wrong(error),
            )


def waiting_of(escalation: Escalation, links: Links) -> Waiting:
    """Return an escalation as a line of the queue."""
    run = escalation.run
    post = links.to(escalation.channel, escalation.ts) if escalation.channel else ""
    return Waiting(
        question=run.question.text,
        asker=run.question.asked_by,
        seconds=(datetime.now(UTC) - escalation.opened_at).total_seconds(),
        holder=escalation.claimed_by or "",
        thread_link=links.to_card(run),
        post_link=post,
    )
