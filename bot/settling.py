"""Brings what a person said of a run to whoever asked: an answer, or that it was wrong."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bot.clients import Clients
from bot.delivery import ThreadMessage, post_card
from bot.escalation import Escalations
from bot.links import NO_MESSAGE
from bot.people import People
from bot.recorded import result_of
from bot.render import Card, reduced, render_card
from bot.render.verdicts import render_answer, render_closed, render_wrong, with_warning
from bot.slack_errors import SLACK_TROUBLE, Remedy, remedy_for, what_went_wrong
from bot.store import Escalation, EscalationStatus, RunRecord, Store, StoreUnavailable, Thread

log = logging.getLogger(__name__)

NOWHERE = "-"
"""Kept as the message of an answer that no way led to: it is not tried again."""
ON_TOP = "says that this answer is wrong:"
"""By these words a card is known that has its warning already."""


@dataclass(frozen=True)
class Settling:
    """Tells whoever asked, puts the warning on a wrong card, and brings the post up to date."""

    store: Store
    clients: Clients
    escalations: Escalations

    def deliver(self, escalation: Escalation) -> None:
        """Bring a settled escalation to whoever asked. What Slack may take later is tried again."""
        if escalation.status is EscalationStatus.MARKED_WRONG:
            self._warn_card(escalation)
        try:
            ts = self._tell(escalation)
        except SLACK_TROUBLE as error:
            log.error("escalation %s is told later: %s", escalation.id, what_went_wrong(error))
            self.escalations.refresh(escalation)
            return
        if ts is None:
            log.error("escalation %s: nobody could be told of its end", escalation.id)
        try:
            self.store.place_answer(escalation.id, ts or NOWHERE)
        except StoreUnavailable as fault:
            log.error("escalation %s may be told twice: %s", escalation.id, fault.detail)
        self.escalations.refresh(escalation, undelivered=ts is None)

    def _tell(self, escalation: Escalation) -> str | None:
        """Return the message with which they were told; None where there is no way to them."""
        card = _news(escalation)
        for channel, thread_ts in _ways_to(escalation.run):
            if thread_ts is not None and not self._may_be_read(escalation.run):
                continue
            try:
                return post_card(self.clients.patient, card, channel, thread_ts=thread_ts)
            except SLACK_TROUBLE as error:
                if remedy_for(error) is Remedy.AGAIN:
                    raise
                log.warning("escalation %s: %s", escalation.id, what_went_wrong(error))
        return None

    def _warn_card(self, escalation: Escalation) -> None:
        """Put the warning on top of the card, whole if Slack lets us, else without its pictures."""
        run, who, note = escalation.run, escalation.answered_by or "", escalation.answer
        if run.card_ts is None or run.question.ts.startswith(NO_MESSAGE):
            return  # what stands there for everybody is not the answer, and must not become it
        if not self._may_be_read(run):
            return
        message = self._message(run.question.thread, run.card_ts)
        if message is not None and ON_TOP in str(message.get("blocks", [])[:1]):
            return
        people = People(self.escalations.audience.members, self.clients.quick)
        reader = people.reader(run.question.asked_by)
        again = render_card(result_of(run), run_id=run.id, reader=reader)
        cards = [
            with_warning(each.blocks, each.text, who=who, note=note)
            for each in (again, reduced(again), Card([], again.text))
        ]
        if message is not None:
            blocks = [_as_sent(block) for block in message.get("blocks") or ()]
            text = str(message.get("text") or again.text)
            cards.insert(0, with_warning(blocks, text, who=who, note=note))
        ThreadMessage(self.clients, run.question.thread, ts=run.card_ts).finish(cards)

    def _may_be_read(self, run: RunRecord) -> bool:
        """Is nobody there now before whom an answer would not be put? A person took their time."""
        last_look = self.escalations.audience.last_look
        return last_look.objection(run.question.thread, asker_only=False) is None

    def _message(self, thread: Thread, ts: str) -> dict[str, Any] | None:
        """Return the card as Slack has it, pictures and all; None where it cannot be had."""
        try:
            answer = self.clients.patient.conversations_replies(
                channel=thread.channel, ts=thread.ts, oldest=ts, latest=ts, inclusive=True
            )
        except SLACK_TROUBLE as error:
            log.warning("a card could not be read again: %s", what_went_wrong(error))
            return None
        return next((each for each in answer["messages"] if each.get("ts") == ts), None)


def _news(escalation: Escalation) -> Card:
    question = escalation.run.question
    asker, who = question.asked_by, escalation.answered_by or ""
    match escalation.status:
        case EscalationStatus.ANSWERED:
            return render_answer(
                asker=asker, who=who, answer=escalation.answer, question=question.text
            )
        case EscalationStatus.MARKED_WRONG:
            return render_wrong(
                asker=asker, who=who, note=escalation.answer, question=question.text
            )
        case _:
            return render_closed(asker=asker, who=who, question=question.text)


def _ways_to(run: RunRecord) -> Iterator[tuple[str, str | None]]:
    """Where whoever asked can be told: in the thread, else in their messages with the bot."""
    thread = run.question.thread
    if not run.question.ts.startswith(NO_MESSAGE):  # else the thread has not seen the answer
        yield thread.channel, thread.ts
    if not thread.is_direct:
        yield run.question.asked_by, None


def _as_sent(block: dict[str, Any]) -> dict[str, Any]:
    """Return a block as it may be sent again: Slack adds to pictures what it does not take back."""
    if block.get("type") != "image":
        return block
    return {key: block[key] for key in ("type", "slack_file", "alt_text") if key in block} | (
        {"slack_file": {"id": block["slack_file"]["id"]}} if "slack_file" in block else {}
    )
