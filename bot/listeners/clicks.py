"""A click on one of our buttons: what it says, and how it is answered."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from bot.audience import Audience
from bot.clients import Clients
from bot.identity import Identity
from bot.links import NO_MESSAGE
from bot.only_for_asker import OnlyForAsker
from bot.render import Card, render_notice
from bot.slack_errors import SLACK_TROUBLE, what_went_wrong
from bot.store import RunRecord, Store, StoreUnavailable, Thread

log = logging.getLogger(__name__)

UNKNOWN_RUN = (
    "I have no record of this answer, so I cannot show more of it: records are deleted when they "
    "are old, or when somebody wants it so. Please ask again."
)


@dataclass(frozen=True)
class Click:
    """A click on a button of a message."""

    thread: Thread
    user: str
    value: str
    """What the button carries: the id of a run, or of an escalation."""
    message_ts: str
    response_url: str
    trigger_id: str
    is_ephemeral: bool
    """The message is seen by one person only, in a conversation where we may be no member."""

    @classmethod
    def of(cls, body: dict[str, Any], action: dict[str, Any], me: Identity) -> Click:
        """Read a `block_actions` payload of a message."""
        container = body["container"]
        ts = container.get("thread_ts") or container["message_ts"]
        return cls(
            Thread(me.team_id, body["channel"]["id"], ts),
            body["user"]["id"],
            action.get("value") or "",
            container["message_ts"],
            body["response_url"],
            body.get("trigger_id") or "",
            bool(container.get("is_ephemeral")),
        )


@dataclass(frozen=True)
class Clicks:
    """Where clicks are served: finds the run of a card, and speaks to whoever clicked."""

    store: Store
    clients: Clients
    me: Identity
    audience: Audience

    def run_of(self, click: Click) -> RunRecord | None:
        """Return the run of a card, or tell the person why there is none to show."""
        reason = self.refusal(click)
        record = None
        try:
            record = self.store.run(click.value)
            if record is not None and not self.is_open_to(click.user, record):
                record = None
        except StoreUnavailable as fault:
            log.error("a button could not be served: %s", fault.detail)
            reason = reason or str(fault)
        if record is not None and reason is None and _belongs(record, click):
            return record
        self.tell(click, render_notice(reason or UNKNOWN_RUN))
        return None

    def is_open_to(self, user: str, record: RunRecord) -> bool:
        """Is a run of this workspace one that not only its asker saw, or is it their own?

        Whoever asked may have shared it. Raises `StoreUnavailable`.
        """
        asked = record.question
        if asked.thread.team != self.me.team_id:
            return False
        if user == asked.asked_by:
            return True
        if asked.thread.is_direct:
            return False
        return not asked.ts.startswith(NO_MESSAGE) or self.store.was_shared(record.id)

    def refusal(self, click: Click) -> str | None:
        """Return why whoever clicked gets nothing, or None."""
        return self.audience.refusal_to_show(
            click.user, click.thread, asker_only=click.is_ephemeral
        )

    def tell(self, click: Click, card: Card, *, in_thread: bool = True) -> None:
        """Show a card to whoever clicked, and to nobody else; in the thread, or below it."""
        if click.is_ephemeral:
            OnlyForAsker(click.response_url).finish([card])
            return
        try:
            self.clients.patient.chat_postEphemeral(
                channel=click.thread.channel,
                thread_ts=click.thread.ts if in_thread else None,
                user=click.user,
                blocks=card.blocks,
                text=card.text,
            )
        except SLACK_TROUBLE as error:
            log.error("a click could not be answered: %s", what_went_wrong(error))


def _belongs(record: RunRecord, click: Click) -> bool:
    # A card cannot travel: its run is shown where it was asked, and nowhere else.
    where = record.question.thread
    return (where.team, where.channel) == (click.thread.team, click.thread.channel)
