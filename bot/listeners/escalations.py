"""The buttons of an escalation's post, and the modals behind them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from slack_bolt import Ack, App

from bot.escalation import Escalations
from bot.listeners.clicks import Click, Clicks
from bot.pool import Pool
from bot.render import Card, render_notice
from bot.render.escalation import ANSWER, CLOSE, MARK_WRONG, TAKE
from bot.render.messages import render_words
from bot.render.modals import (
    FIELD,
    refusal,
    render_answer_modal,
    render_shut_modal,
    render_wrong_modal,
)
from bot.render.people import member, moment
from bot.settling import Settling
from bot.slack_errors import SLACK_TROUBLE, what_went_wrong
from bot.store import Escalation, EscalationStatus, StoreUnavailable, Thread

log = logging.getLogger(__name__)

UNKNOWN = "I have no record of this question any more."
NOT_HERE = "Only who is in the channel for such questions can do that."
SAY_SOMETHING = "Please write something."
KEEP_IT = "I cannot reach my own record. Your words are still here: send them again in a minute."
TOO_SLOW = "Slack did not open the window. Please press the button again."
STATES = {
    EscalationStatus.ANSWERED: "answered it",
    EscalationStatus.MARKED_WRONG: "marked it as wrong",
    EscalationStatus.CLOSED: "closed it",
}


@dataclass(frozen=True)
class Desk:
    """What people do with a question that came to them."""

    clicks: Clicks
    escalations: Escalations
    settling: Settling

    def take(self, click: Click) -> None:
        """Give the question to whoever clicked, unless somebody has it."""
        found = self._found(click)
        if found is None:
            return
        try:
            taken = self.clicks.store.claim_escalation(found.id, click.user)
            if taken is None:
                found = self.clicks.store.escalation(found.id) or found
        except StoreUnavailable as fault:
            self._say(click, render_notice(str(fault)))
            return
        if taken is None:
            self._say(click, where_it_stands(found))
        self.escalations.refresh(taken or found)

    def close(self, click: Click) -> None:
        """Settle the question without an answer."""
        found = self._found(click)
        if found is None:
            return
        try:
            closed = self.clicks.store.close_escalation(found.id, click.user)
        except StoreUnavailable as fault:
            self._say(click, render_notice(str(fault)))
            return
        if closed is None:
            self._say(click, where_it_stands(self.clicks.store.escalation(found.id) or found))
        else:
            self.settling.deliver(closed)

    def open_modal(self, click: Click, kind: str) -> None:
        """Open the modal for an answer, or for what is wrong; within three seconds."""
        found = self._found(click)
        if found is None:
            return
        view = {**self._modal(found, click.user, kind), "callback_id": kind}
        try:
            self.clicks.clients.quick.views_open(trigger_id=click.trigger_id, view=view)
        except SLACK_TROUBLE as error:
            log.warning("a modal was not opened: %s", what_went_wrong(error))
            self._say(click, render_notice(TOO_SLOW))

    def submit(self, kind: str, user: str, key: str, words: str) -> Escalation | str | None:
        """Record what a person wrote; returns the settled escalation, or why there is none.

        None where the same came a second time, because Slack had not heard us. Done before the
        modal closes: as long as it is open, their words are not lost.
        """
        if not words.strip():
            return SAY_SOMETHING
        where = Thread(self.clicks.me.team_id, self.escalations.channel, "")
        reason = self.clicks.audience.refusal_to_show(user, where, asker_only=True)
        if reason is not None:
            return reason
        if not self.clicks.audience.may_read(user, self.escalations.channel, anew=True):
            return NOT_HERE
        settle = (
            self.clicks.store.answer_escalation if kind == ANSWER else self.clicks.store.mark_wrong
        )
        try:
            settled = settle(key, user, words.strip())
            if settled is not None:
                return settled
            found = self.clicks.store.escalation(key)
        except StoreUnavailable as fault:
            log.error("an answer was not recorded: %s", fault.detail)
            return KEEP_IT
        if found is not None and (found.answered_by, found.answer) == (user, words.strip()):
            return None
        return UNKNOWN if found is None else _too_late(found, self.clicks.audience.name_of)

    def _modal(self, found: Escalation, user: str, kind: str) -> dict[str, Any]:
        run = found.run
        if found.is_settled:
            return render_shut_modal(_standing(found))
        if kind == ANSWER:
            holder = found.claimed_by if found.claimed_by != user else None
            return render_answer_modal(
                found.id,
                question=run.question.text,
                asker=run.question.asked_by,
                holder=holder or "",
            )
        return render_wrong_modal(found.id, question=run.question.text, answer=run.answer)

    def _found(self, click: Click) -> Escalation | None:
        """Return the escalation of a post, or tell the person why they cannot do anything."""
        reason = self.clicks.refusal(click)
        found = None
        try:
            found = self.clicks.store.escalation(click.value)
        except StoreUnavailable as fault:
            log.error("an escalation's button could not be served: %s", fault.detail)
            reason = reason or str(fault)
        if reason is None and (found is None or not self._is_posted_here(found, click)):
            reason = UNKNOWN
        if reason is None:
            return found
        self._say(click, render_notice(reason))
        return None

    def _is_posted_here(self, found: Escalation, click: Click) -> bool:
        # A post cannot travel: it is worked on in the channel where it was put.
        is_ours = found.run.question.thread.team == click.thread.team
        return is_ours and click.thread.channel in (found.channel, self.escalations.channel)

    def _say(self, click: Click, card: Card) -> None:
        self.clicks.tell(click, card, in_thread=False)


def where_it_stands(escalation: Escalation) -> Card:
    """Return who has an escalation, or who settled it."""
    return render_words(_standing(escalation))


def _standing(escalation: Escalation) -> str:
    if escalation.is_settled and escalation.answered_by and escalation.answered_at:
        done = STATES.get(escalation.status, "settled it")
        return f"{member(escalation.answered_by)} {done} already, {moment(escalation.answered_at)}."
    if escalation.claimed_by and escalation.claimed_at:
        return f"{member(escalation.claimed_by)} has had it since {moment(escalation.claimed_at)}."
    return "Nobody has taken it yet."


def _too_late(escalation: Escalation, name_of: Callable[[str], str | None]) -> str:
    """Why what was written comes too late; an error in a modal knows no mentions."""
    who = name_of(escalation.answered_by or "") or "Somebody else"
    return f"{who} {STATES.get(escalation.status, 'settled it')} already. Yours was not sent."


def register(app: App, *, desk: Desk, errands: Pool, modals: Pool) -> None:
    """Listen to the buttons of posts and to their modals.

    `modals` runs what has three seconds, `errands` what may wait.
    """

    def on_click(serve: Callable[[Click], None], pool: Pool) -> Callable[..., None]:
        def handle(ack: Ack, body: dict[str, Any], action: dict[str, Any]) -> None:
            ack()
            click = Click.of(body, action, desk.clicks.me)
            pool.submit(lambda: serve(click))

        return handle

    def on_submit(kind: str) -> Callable[..., None]:
        def handle(ack: Ack, body: dict[str, Any], view: dict[str, Any]) -> None:
            words = view["state"]["values"][FIELD][FIELD].get("value") or ""
            outcome = desk.submit(kind, body["user"]["id"], view["private_metadata"], words)
            if isinstance(outcome, str):
                ack(**refusal(outcome))
                return
            ack()
            if outcome is not None:
                errands.submit(lambda: desk.settling.deliver(outcome))

        return handle

    app.action(TAKE)(on_click(desk.take, errands))
    app.action(CLOSE)(on_click(desk.close, errands))
    for kind in (ANSWER, MARK_WRONG):
        app.action(kind)(on_click(partial(desk.open_modal, kind=kind), modals))
        app.view(kind)(on_submit(kind))
