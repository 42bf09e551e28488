"""The button that shares a private answer."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import Any, Final

from slack_bolt import Ack, App

from agent.messages import AgentResult
from bot.escalation import Escalations
from bot.listeners.clicks import Click, Clicks
from bot.people import People
from bot.pool import Pool
from bot.recorded import result_of
from bot.render import Card, Handoff, reduced, render_card, render_notice, turn_to
from bot.render.buttons import SHARE
from bot.render.messages import render_words
from bot.render.people import link, member, quoted
from bot.sharing import Sharing
from bot.store import RunRecord, StoreUnavailable

log = logging.getLogger(__name__)

MAX_QUESTION: Final = 1_000
NO_CHART: Final = "The chart that stood beside the private answer is not kept; ask here for one."


@dataclass(frozen=True)
class ShareButton:
    """Shows everybody in the channel what only one person has seen, where that one wants it."""

    clicks: Clicks
    sharing: Sharing
    escalations: Escalations

    def share(self, click: Click) -> None:
        """Post the recorded answer, and tell the one who clicked what became of it."""
        record = self.clicks.run_of(click)
        if record is None:
            return
        try:
            self.clicks.tell(click, self._shared(record, click.user))
        except StoreUnavailable as fault:
            log.error("an answer was not shared: %s", fault.detail)
            self.clicks.tell(click, render_notice(str(fault)))

    def _shared(self, record: RunRecord, user: str) -> Card:
        reason = self.sharing.refusal(record, user)
        if reason is not None:
            return render_notice(reason)
        shared = self.sharing.share(record, self._cards(record))
        return render_words(link(shared.words, shared.link))

    def _cards(self, record: RunRecord) -> list[Card]:
        has_people = bool(self.escalations.channel)
        handoff = turn_to(self.escalations.contact)
        people = People(self.clicks.audience.members, self.clicks.clients.quick)
        card = render_card(
            self._result(record),
            run_id=record.id,
            handoff=Handoff(handoff.next_step, has_channel=has_people),
            opening=_opening(record),
            reader=people.reader(record.question.asked_by),
        )
        return [card, reduced(card)]

    def _result(self, record: RunRecord) -> AgentResult:
        result, trail = result_of(record), self.clicks.store.trail(record.id)
        had_chart = any(
            step.ok and step.tool == "generate_chart" for each in trail for step in each.steps
        )
        return replace(result, caveats=(*result.caveats, NO_CHART)) if had_chart else result


def _opening(record: RunRecord) -> str:
    asked = record.question
    question = quoted(asked.text, MAX_QUESTION)
    return f"{member(asked.asked_by)} asked this in private, and shares the answer:\n{question}"


def register(app: App, *, button: ShareButton, errands: Pool) -> None:
    """Listen to the button."""

    def on_click(ack: Ack, body: dict[str, Any], action: dict[str, Any]) -> None:
        ack()
        click = Click.of(body, action, button.clicks.me)
        errands.submit(lambda: button.share(click))

    app.action(SHARE)(on_click)
