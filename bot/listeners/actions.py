"""The buttons of a card."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from typing import Any

from slack_bolt import Ack, App

from bot.audience import Audience
from bot.clients import Clients
from bot.delivery import OnlyForAsker
from bot.identity import Identity
from bot.pool import Pool
from bot.render import Card, render_csv, render_notice, render_sql
from bot.slack_errors import SLACK_TROUBLE, what_went_wrong
from bot.store import Question, RunRecord, Store, StoreUnavailable, Thread

log = logging.getLogger(__name__)

SHOW_SQL = "show_sql"
CSV = "csv"
UNKNOWN_RUN = "I have no record of this answer, so I cannot show more of it. Please ask again."
NO_ROWS = "There are no rows to put into a file."
NO_FILE = "Slack did not take the file. Please try again in a moment."
NO_FILE_HERE = "I can only put a file where I am a member. Invite me, and ask again."


@dataclass(frozen=True)
class Click:
    """A click on a button of ours."""

    thread: Thread
    user: str
    run_id: str
    response_url: str
    is_ephemeral: bool
    """The card is seen by one person only, in a conversation where we may be no member."""

    @classmethod
    def of(cls, body: dict[str, Any], action: dict[str, Any], me: Identity) -> Click:
        """Read a `block_actions` payload of a message."""
        container = body["container"]
        ts = container.get("thread_ts") or container["message_ts"]
        return cls(
            Thread(me.team_id, body["channel"]["id"], ts),
            body["user"]["id"],
            action.get("value") or "",
            body["response_url"],
            bool(container.get("is_ephemeral")),
        )


@dataclass(frozen=True)
class CardButtons:
    """Shows more of a run to whoever may read its card."""

    store: Store
    clients: Clients
    me: Identity
    audience: Audience

    def show_sql(self, click: Click) -> None:
        """Show the run's queries to the one who clicked."""
        record = self._record(click)
        if record is not None:
            self._tell(click, render_sql([result.sql for result in record.results]))

    def csv(self, click: Click) -> None:
        """Put the rows of the card into the thread as a file."""
        record = self._record(click)
        if record is None:
            return
        results = [each for each in record.results if each.rows and each.columns]
        if not results or click.is_ephemeral:
            self._tell(click, render_notice(NO_FILE_HERE if results else NO_ROWS))
            return
        shown = results[-1]
        more = " There are more rows than these." if shown.truncated else ""
        try:
            self.clients.patient.files_upload_v2(
                channel=click.thread.channel,
                thread_ts=click.thread.ts,
                filename="rows.csv",
                title="Rows",
                content=render_csv(shown),
                initial_comment=f"{len(shown.rows):,} rows as CSV.{more}",
            )
        except SLACK_TROUBLE as error:
            log.error("a CSV file could not be shared: %s", what_went_wrong(error))
            self._tell(click, render_notice(NO_FILE))

    def _record(self, click: Click) -> RunRecord | None:
        """Return the run, or tell the person why there is none to show."""
        asked = Question(click.thread, click.thread.ts, click.user, "")
        reason = self.audience.refusal(asked, asker_only=click.is_ephemeral)
        record = None
        try:
            record = self.store.run(click.run_id)
        except StoreUnavailable as fault:
            log.error("a button could not be served: %s", fault.detail)
            reason = reason or str(fault)
        if record is not None and reason is None and self._belongs(record, click):
            return record
        self._tell(click, render_notice(reason or UNKNOWN_RUN))
        return None

    def _belongs(self, record: RunRecord, click: Click) -> bool:
        # A card cannot travel: its run is shown where it was asked, and nowhere else.
        where = record.question.thread
        return (where.team, where.channel) == (click.thread.team, click.thread.channel)

    def _tell(self, click: Click, card: Card) -> None:
        if click.is_ephemeral:
            OnlyForAsker(click.response_url).finish([card])
            return
        try:
            self.clients.patient.chat_postEphemeral(
                channel=click.thread.channel,
                thread_ts=click.thread.ts,
                user=click.user,
                blocks=card.blocks,
                text=card.text,
            )
        except SLACK_TROUBLE as error:
            log.error("a click could not be answered: %s", what_went_wrong(error))


def register(app: App, *, buttons: CardButtons, errands: Pool) -> None:
    """Listen to the card's buttons, and acknowledge any other click."""

    def show_sql(ack: Ack, body: dict[str, Any], action: dict[str, Any]) -> None:
        ack()
        click = Click.of(body, action, buttons.me)
        errands.submit(lambda: buttons.show_sql(click))

    def csv(ack: Ack, body: dict[str, Any], action: dict[str, Any]) -> None:
        ack()
        click = Click.of(body, action, buttons.me)
        errands.submit(lambda: buttons.csv(click))

    def other(ack: Ack) -> None:
        ack()

    app.action(SHOW_SQL)(show_sql)
    app.action(CSV)(csv)
    app.action(re.compile(""))(other)
