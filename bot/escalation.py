"""Brings a run to the people who answer what the bot could not, in a channel of theirs."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from agent.messages import AgentResult, Critique, Outcome
from bot.audience import Audience
from bot.clients import Clients
from bot.delivery import CLOCKS_APART_S, ThreadMessage, post_card
from bot.links import Links
from bot.post_once import find_marked
from bot.recorded import result_of
from bot.render import Card, Handoff, reduced, render_notice, turn_to
from bot.render.escalation import Ending, Handed, render_escalation
from bot.render.handoff import NOT_PASSED_ON, PASSED_ON, WAITS_FOR_CONSENT, whom_to_ask
from bot.slack_errors import SLACK_TROUBLE, Remedy, remedy_for, what_went_wrong
from bot.store import Escalation, Question, Store, StoreUnavailable, Thread
from bot.why import story_of

log = logging.getLogger(__name__)

REFUSED = "refused by the checks"
CALLED_FOR = "asked for by a person"
TOO_LONG = "A question waits for a person; Slack did not take the post with its details."


@dataclass(frozen=True)
class Passed:
    """What a card says of a person's help, and the escalation that was opened for it."""

    handoff: Handoff
    escalation: Escalation | None = None


class Escalations:
    """Opens escalations and shows each as one post; safe to share between threads."""

    def __init__(
        self,
        store: Store,
        clients: Clients,
        audience: Audience,
        links: Links,
        *,
        channel: str = "",
        contact: str = "",
    ) -> None:
        """`channel` is where people answer, "" for nowhere; then `contact` is who to turn to."""
        self.channel = channel
        self.contact = contact
        self._store = store
        self._clients = clients
        self.audience = audience
        self._links = links
        self._lock = threading.Lock()
        self._posting: set[str] = set()
        self._posted: dict[str, str] = {}

    def after_run(
        self,
        run_id: str,
        question: Question,
        result: AgentResult,
        *,
        recorded: bool,
        may_be_shown: bool,
    ) -> Passed:
        """Open an escalation of a run that was refused, and return what its card is to say.

        `recorded`: the store has the run. `may_be_shown`: it was not for one pair of eyes only.
        What only few people read goes to others only when one of them asks for it.
        """
        if not self.channel:
            return Passed(turn_to(self.contact))
        if result.outcome is not Outcome.ESCALATED:
            return Passed(Handoff("", has_channel=True))
        if not may_be_shown or not self.audience.is_public(question.thread.channel):
            return Passed(Handoff(WAITS_FOR_CONSENT, has_channel=True))
        try:
            if recorded:
                opened = self._store.escalate(run_id, reason=REFUSED, asked_by=question.asked_by)
                return Passed(Handoff(PASSED_ON, has_channel=True), opened)
        except StoreUnavailable as fault:
            log.error("run %s could not be passed on: %s", run_id, fault.detail)
        next_step = f"{NOT_PASSED_ON} {whom_to_ask(self.contact)}"
        return Passed(Handoff(next_step, has_channel=True))

    def post(self, escalation: Escalation) -> bool:
        """Show the escalation in the channel, unless it is there already; False if it is not.

        What could not be posted stays in the queue and is tried again.
        """
        with self._lock:
            if escalation.id in self._posting:
                return True
            self._posting.add(escalation.id)
        try:
            with self._store.posting(escalation.id) as is_ours:
                return not is_ours or self._post_once(escalation.id)
        except StoreUnavailable as fault:
            log.error("escalation %s could not be posted: %s", escalation.id, fault.detail)
            return False
        finally:
            with self._lock:
                self._posting.discard(escalation.id)

    def refresh(self, escalation: Escalation, *, undelivered: bool = False) -> None:
        """Bring the post up to date with where the escalation stands."""
        if escalation.channel is None or escalation.ts is None:
            return
        place = Thread(escalation.run.question.thread.team, escalation.channel, escalation.ts)
        try:
            card = render_escalation(self._handed(escalation, undelivered=undelivered))
        except StoreUnavailable as fault:
            log.error("the post of escalation %s is left: %s", escalation.id, fault.detail)
            return
        ThreadMessage(self._clients, place, ts=escalation.ts).finish([card, reduced(card)])

    def _post_once(self, escalation_id: str) -> bool:
        fresh = self._store.escalation(escalation_id)
        if fresh is None or fresh.ts is not None or fresh.is_settled:
            return True
        ts = self._posted.get(escalation_id) or self._found(fresh)
        if ts is None:
            card = render_escalation(self._handed(fresh))
            ts = self._put([card, reduced(card), render_notice(TOO_LONG)], mark=escalation_id)
        if ts is None:
            return False
        self._posted[escalation_id] = ts
        self._store.place_escalation(escalation_id, self.channel, ts)
        self._posted.pop(escalation_id, None)
        placed = self._store.escalation(escalation_id)
        if placed is not None and (placed.claimed_by or placed.is_settled):
            # Somebody was quicker than our record: their click found no post to change.
            self.refresh(placed)
        return True

    def _found(self, escalation: Escalation) -> str | None:
        """Return the post of a process that died before it had written down where it is."""
        since, client = escalation.opened_at.timestamp() - CLOCKS_APART_S, self._clients.patient
        try:
            return find_marked(client, escalation.id, self.channel, None, since)
        except SLACK_TROUBLE as error:
            # We may not look: a post twice beats none.
            log.info("a post is not looked for: %s", what_went_wrong(error))
            return None

    def _put(self, cards: Sequence[Card], *, mark: str) -> str | None:
        left = list(cards)
        while left:
            try:
                if not self.audience.is_internal(self.channel):
                    log.error("the escalation channel is shared outside: nothing is posted there")
                    return None
                return post_card(self._clients.patient, left[0], self.channel, mark=mark)
            except SLACK_TROUBLE as error:
                log.error("an escalation was not posted: %s", what_went_wrong(error))
                if remedy_for(error) is not Remedy.SIMPLER:
                    return None
                left.pop(0)
        return None

    def _handed(self, escalation: Escalation, *, undelivered: bool = False) -> Handed:
        run = escalation.run
        settled = escalation.is_settled
        return Handed(
            id=escalation.id,
            result=result_of(run),
            asker=run.question.asked_by,
            about=run.question.about,
            caller="" if escalation.reason == REFUSED else escalation.asked_by,
            objections=self._objections(escalation),
            story=story_of(self._store, run),
            thread_link=self._links.to_card(run),
            opened_at=escalation.opened_at,
            holder=escalation.claimed_by or "",
            held_since=escalation.claimed_at,
            ending=cast(Ending, str(escalation.status)) if settled else "",
            settled_by=escalation.answered_by or "",
            settled_at=escalation.answered_at,
            answer=escalation.answer,
            undelivered=undelivered,
        )

    def _objections(self, escalation: Escalation) -> tuple[str, ...]:
        """What the checks said of the refused draft, or what the card warns of."""
        run = escalation.run
        if run.outcome is not Outcome.ESCALATED:
            return run.warnings
        trail = self._store.trail(run.id)
        critiques: list[Critique] = [each.critique for each in trail if each.critique]
        return critiques[-1].faults if critiques else (run.summary,)
