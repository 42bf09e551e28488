"""The thumbs under a card, and why a person thought that an answer was bad."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from slack_bolt import Ack, App

from bot.links import NO_MESSAGE
from bot.listeners.clicks import UNKNOWN_RUN, Click, Clicks
from bot.pool import Pool
from bot.render import render_notice
from bot.render.feedback import FEEDBACK, REASON, read_thumb, render_reason_modal
from bot.render.modals import FIELD, refusal
from bot.slack_errors import SLACK_TROUBLE, what_went_wrong
from bot.store import RunRecord, RunUnknown, StoreUnavailable

log = logging.getLogger(__name__)

THANKS: Final = "Thank you, your 👍 counts. You can change your mind at any time."
NOTED: Final = "Your 👎 is noted."
REASON_NOTED: Final = "Your 👎 and your reason are noted."
NO_WINDOW: Final = (
    "Your 👎 counts, but Slack did not open the window for a reason. To give one, press 👎 again."
)
NOT_KEPT: Final = (
    "I cannot reach my own record. Your words are still here: send them again in a minute."
)


@dataclass(frozen=True)
class Thumb:
    """A click on one of the thumbs."""

    click: Click
    is_good: bool
    at: datetime

    @classmethod
    def of(cls, click: Click, action: dict[str, Any]) -> Thumb:
        """Read what was pressed, and when by Slack's clock."""
        is_good, run_id = read_thumb(click.value)
        at = datetime.fromtimestamp(float(action["action_ts"]), UTC)
        return cls(replace(click, value=run_id), is_good, at)


@dataclass(frozen=True)
class Ballot:
    """Takes one vote of each person on each answer."""

    clicks: Clicks

    def vote(self, thumb: Thumb) -> None:
        """Count a vote; one against the answer opens the window for a reason."""
        click = thumb.click
        record = self.clicks.run_of(click)
        if record is None:
            return
        try:
            vote = self.clicks.store.vote(record.id, click.user, is_good=thumb.is_good, at=thumb.at)
        except StoreUnavailable as fault:
            log.error("a vote was not kept: %s", fault.detail)
            words = UNKNOWN_RUN if isinstance(fault, RunUnknown) else str(fault)
            self.clicks.tell(click, render_notice(words))
            return
        log.info("run %s: found %s", record.id, "good" if thumb.is_good else "bad")
        if thumb.is_good:
            self.clicks.tell(click, render_notice(THANKS))
        else:
            self._ask_why(click, record, vote.reason)

    def explain(self, user: str, run_id: str, words: str) -> str | None:
        """Keep a person's reason; returns why it could not be kept, or None.

        Done before the window closes: as long as it is open, their words are not lost.
        """
        store = self.clicks.store
        try:
            record = store.run(run_id)
            if record is None or not self.clicks.is_open_to(user, record):
                return UNKNOWN_RUN
            reason = self._refusal(record, user)
            if reason is None:
                store.explain(record.id, user, words.strip())
        except StoreUnavailable as fault:
            log.error("a reason was not kept: %s", fault.detail)
            return NOT_KEPT
        return reason

    def confirm(self, user: str, run_id: str, words: str) -> None:
        """Tell a person that their vote, and what they wrote, was taken: it is their last word."""
        try:
            record = self.clicks.store.run(run_id)
        except StoreUnavailable as fault:
            log.error("a reason was kept without a word: %s", fault.detail)
            return
        if record is not None:
            thread = record.question.thread
            click = Click(thread, user, run_id, "", "", "", is_ephemeral=False)
            note = render_notice(REASON_NOTED if words.strip() else NOTED)
            self.clicks.tell(click, note, in_thread=not thread.ts.startswith(NO_MESSAGE))

    def _refusal(self, record: RunRecord, user: str) -> str | None:
        asked = record.question
        is_own = asked.ts.startswith(NO_MESSAGE) and user == asked.asked_by
        return self.clicks.audience.refusal_to_show(user, asked.thread, asker_only=is_own)

    def _ask_why(self, click: Click, record: RunRecord, reason: str) -> None:
        view = render_reason_modal(record.id, question=record.question.text, reason=reason)
        try:
            self.clicks.clients.quick.views_open(
                trigger_id=click.trigger_id, view={**view, "callback_id": REASON}
            )
        except SLACK_TROUBLE as error:
            log.warning("no reason was asked for: %s", what_went_wrong(error))
            self.clicks.tell(click, render_notice(NO_WINDOW))


def register(app: App, *, ballot: Ballot, errands: Pool, modals: Pool) -> None:
    """Listen to the thumbs and to the window for a reason.

    `modals` runs what has three seconds, `errands` what may wait.
    """

    def on_thumb(ack: Ack, body: dict[str, Any], action: dict[str, Any]) -> None:
        ack()
        thumb = Thumb.of(Click.of(body, action, ballot.clicks.me), action)
        pool = errands if thumb.is_good else modals
        pool.submit(lambda: ballot.vote(thumb))

    def on_reason(ack: Ack, body: dict[str, Any], view: dict[str, Any]) -> None:
        words = view["state"]["values"][FIELD][FIELD].get("value") or ""
        user, run_id = str(body["user"]["id"]), str(view["private_metadata"])
        problem = ballot.explain(user, run_id, words)
        if problem:
            ack(**refusal(problem))
            return
        ack()
        errands.submit(lambda: ballot.confirm(user, run_id, words))

    app.action(FEEDBACK)(on_thumb)
    app.view(REASON)(on_reason)
