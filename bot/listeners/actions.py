"""The buttons of a card."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from slack_bolt import Ack, App

from bot.delivery import post_card
from bot.escalation import CALLED_FOR, Escalations
from bot.links import NO_MESSAGE
from bot.listeners.clicks import Click, Clicks
from bot.listeners.files import FileDesk
from bot.pool import Pool
from bot.recorded import result_of
from bot.render import Card, render_notice, render_sql, render_why
from bot.render.buttons import ASK_A_PERSON, CSV, SHOW_SQL, WHOLE_ANSWER, WHY
from bot.render.handoff import whom_to_ask
from bot.render.messages import render_words, sql_fits, story_fits
from bot.render.people import channel_link, member, moment
from bot.render.verdicts import render_called
from bot.render.whole import whole_answer, whole_sql
from bot.rows_file import Attachment, RowsFile
from bot.slack_errors import SLACK_TROUBLE, what_went_wrong
from bot.store import Escalation, Question, RunRecord, StoreUnavailable
from bot.why import story_of

log = logging.getLogger(__name__)

NO_ROWS = "There are no rows to put into a file."
ROWS_GONE = (
    "The rows of this answer are no longer kept, and could not be read anew. Ask the question "
    "again to get them as of today."
)
CALLED = "I have passed it on to a person. The answer will come to you in a direct message."


@dataclass(frozen=True)
class CardButtons:
    """Shows more of a run to whoever may read its card, and calls a person to it."""

    clicks: Clicks
    escalations: Escalations
    files: FileDesk
    rows_file: RowsFile

    def show_sql(self, click: Click) -> None:
        """Show the run's queries to the one who clicked."""
        record = self.clicks.run_of(click)
        if record is None:
            return
        queries = [result.sql for result in record.results]
        aside = [result.sql for result in record.set_aside]
        self.clicks.tell(click, render_sql(queries, aside))
        if not sql_fits(queries, aside):
            words = "Every query of the answer, whole."
            file = Attachment("queries.sql", "Queries", whole_sql(queries, aside).encode(), words)
            self.files.hand_over(click, record, file, only_to_them=True)

    def why(self, click: Click) -> None:
        """Tell the one who clicked what the run did and why."""
        record = self.clicks.run_of(click)
        if record is None:
            return
        try:
            story = story_of(self.clicks.store, record)
        except StoreUnavailable as fault:
            log.error("a story could not be told: %s", fault.detail)
            self.clicks.tell(click, render_notice(str(fault)))
            return
        self.clicks.tell(click, render_why(story, record.id))
        if not story_fits(story):
            file = Attachment(
                "story.txt", "What I did, and why", story.encode(), "The whole story."
            )
            self.files.hand_over(click, record, file, only_to_them=True)

    def whole_answer(self, click: Click) -> None:
        """Put the words of a card that could not hold them into its thread, as a file."""
        record = self.clicks.run_of(click)
        if record is not None:
            text = whole_answer(result_of(record)).encode()
            file = Attachment("answer.txt", "The whole answer", text, "The whole answer.")
            self.files.hand_over(click, record, file)

    def csv(self, click: Click) -> None:
        """Put the rows of the card into the thread as a file; of a private card, to its reader."""
        record = self.clicks.run_of(click)
        if record is None:
            return
        asks = Question(click.thread, click.thread.ts, click.user, record.question.text)
        refusal = self.clicks.audience.refusal(asks, asker_only=click.is_ephemeral)
        file = self.rows_file.of(record, may_read_anew=refusal is None)
        if file is None:
            self.clicks.tell(click, render_notice(ROWS_GONE if record.rows_gone else NO_ROWS))
        else:
            self.files.hand_over(click, record, file)

    def ask_a_person(self, click: Click) -> None:
        """Pass the run on to the people in the escalation channel, or say whom to turn to."""
        record = self.clicks.run_of(click)
        if record is None:
            return
        if not self.escalations.channel:
            self.clicks.tell(click, render_words(whom_to_ask(self.escalations.contact)))
            return
        try:
            escalation = self.clicks.store.escalate(
                record.id, reason=CALLED_FOR, asked_by=click.user
            )
        except StoreUnavailable as fault:
            log.error("run %s could not be passed on: %s", record.id, fault.detail)
            words = f"{fault} {whom_to_ask(self.escalations.contact)}"
            self.clicks.tell(click, render_words(words))
            return
        if escalation.ts is not None:
            self.clicks.tell(click, _who_has_it(escalation))
        else:
            self._pass_on(click, record, escalation)

    def _pass_on(self, click: Click, record: RunRecord, escalation: Escalation) -> None:
        self.escalations.post(escalation)  # what cannot be posted now is posted later
        if record.question.ts.startswith(NO_MESSAGE):  # the answer comes in a direct message
            self.clicks.tell(click, render_words(CALLED))
            return
        thread = record.question.thread
        try:
            card = render_called(click.user)
            post_card(self.clicks.clients.patient, card, thread.channel, thread_ts=thread.ts)
        except SLACK_TROUBLE as error:
            log.warning("a thread was not told of its escalation: %s", what_went_wrong(error))


def _who_has_it(escalation: Escalation) -> Card:
    where = channel_link(escalation.channel or "")
    if escalation.claimed_by and escalation.claimed_at:
        since = moment(escalation.claimed_at)
        return render_words(f"{member(escalation.claimed_by)} has had it since {since}.")
    since = moment(escalation.opened_at)
    return render_words(f"It has been waiting in {where} since {since}; nobody has taken it yet.")


def register(app: App, *, buttons: CardButtons, errands: Pool) -> None:
    """Listen to the card's buttons, and acknowledge any other click."""

    def on_click(serve: Callable[[Click], None]) -> Callable[..., None]:
        def handle(ack: Ack, body: dict[str, Any], action: dict[str, Any]) -> None:
            ack()
            click = Click.of(body, action, buttons.clicks.me)
            errands.submit(lambda: serve(click))

        return handle

    def other(ack: Ack) -> None:
        ack()

    app.action(SHOW_SQL)(on_click(buttons.show_sql))
    app.action(WHY)(on_click(buttons.why))
    app.action(CSV)(on_click(buttons.csv))
    app.action(WHOLE_ANSWER)(on_click(buttons.whole_answer))
    app.action(ASK_A_PERSON)(on_click(buttons.ask_a_person))
    app.action(re.compile(""))(other)
