"""Stopping what one has asked: by the button of an agent's thread, or in words."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from slack_bolt import App

from bot.audience import Audience
from bot.clients import Clients
from bot.identity import Identity
from bot.pool import Pool
from bot.render.messages import render_words
from bot.render.people import member
from bot.running import Running
from bot.slack_errors import SLACK_TROUBLE, what_went_wrong
from bot.store import Store, StoreUnavailable, Thread

log = logging.getLogger(__name__)

NOT_YOURS = "Only {asker}, who asked, or an administrator can stop this question."
SOMEBODY = "the person"


@dataclass(frozen=True)
class SessionStop:
    """Stops the runs of a thread, each only for who may."""

    store: Store
    clients: Clients
    audience: Audience
    running: Running

    def press(self, thread: Thread, user: str) -> None:
        """Stop what runs in the thread: one's own questions, or anybody's for an administrator."""
        if thread.is_direct:  # nobody but the asker is there
            self.running.cancel(thread)
            return
        may_stop_all = self.audience.is_admin(user)
        others: set[str] = set()
        for run_id in self.running.ids_in(thread):
            asker = self._asker(run_id)
            if may_stop_all or asker == user:
                self.running.cancel_run(run_id)
            else:
                others.add(asker)
        if others:
            self._refuse(thread, user, min(others))

    def say(self, thread: Thread, user: str) -> None:
        """Stop what somebody asked in the thread; in direct messages, wherever they asked it."""
        if not thread.is_direct:
            self.press(thread, user)
            return
        for run_id in self.running.ids_at(thread.channel):
            self.running.cancel_run(run_id)

    def here(self, channel: str, user: str) -> None:
        """Stop what somebody has asked in a channel, in any thread of it, and nothing of others."""
        for run_id in self.running.ids_at(channel):
            if channel.startswith("D") or self._asker(run_id) == user:
                self.running.cancel_run(run_id)

    def _asker(self, run_id: str) -> str:
        """Return who asked; "" where the record cannot say, so that nobody is taken for them."""
        try:
            record = self.store.run(run_id)
        except StoreUnavailable as fault:
            log.error("nobody knows who asked what is to be stopped: %s", fault.detail)
            return ""
        return record.question.asked_by if record else ""

    def _refuse(self, thread: Thread, user: str, asker: str) -> None:
        card = render_words(NOT_YOURS.format(asker=member(asker) if asker else SOMEBODY))
        try:
            self.clients.quick.chat_postEphemeral(
                channel=thread.channel,
                thread_ts=thread.ts,
                user=user,
                blocks=card.blocks,
                text=card.text,
            )
        except SLACK_TROUBLE as error:
            log.warning("a stop was refused unsaid: %s", what_went_wrong(error))


def register(app: App, *, stop: SessionStop, me: Identity, errands: Pool) -> None:
    """Listen to the stop button."""

    def pressed(event: dict[str, Any]) -> None:
        thread = Thread(me.team_id, str(event["channel"]), str(event["thread_ts"]))
        user = str(event.get("user") or "")
        errands.submit(lambda: stop.press(thread, user))

    app.event("agent_session_stopped")(pressed)
