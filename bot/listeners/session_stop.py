"""Stopping what one has asked: by the button of an agent's thread, or in words."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from slack_bolt import App

from bot.audience import Audience
from bot.clients import Clients
from bot.identity import Identity
from bot.pool import Pool
from bot.render import Card
from bot.render.messages import render_words
from bot.render.people import member
from bot.running import Running
from bot.slack_errors import SLACK_TROUBLE, what_went_wrong
from bot.store import Store, StoreUnavailable, Thread, UnderWay

log = logging.getLogger(__name__)

NOT_YOURS = "Only {asker}, who asked, or an administrator can stop this question."
SOMEBODY = "the person"


@dataclass(frozen=True)
class SessionStop:
    """Stops the runs of a thread, each only for who may."""

    clients: Clients
    audience: Audience
    running: Running
    store: Store
    team: str

    def press(self, thread: Thread, user: str) -> None:
        """Stop what runs in the thread: one's own questions, or anybody's for an administrator."""
        others = {self.refused(run, user) for run in self._in(thread)}
        if others - {None}:
            self._refuse(thread, user, min(each for each in others if each is not None))

    def say(self, thread: Thread, user: str) -> None:
        """Stop what somebody asked in the thread; in direct messages, wherever they asked it."""
        if not thread.is_direct:
            self.press(thread, user)
            return
        for run in self._at(thread.channel):
            self.end(run.run_id, user)

    def here(self, channel: str, user: str) -> None:
        """Stop what somebody has asked in a channel, in any thread of it, and nothing of others."""
        for run in self._at(channel):
            if run.thread.is_direct or run.asked_by == user:
                self.end(run.run_id, user)

    def refused(self, run: UnderWay, user: str) -> str | None:
        """Stop a run, or return whose it is: `user` may not stop it. None otherwise."""
        # In direct messages nobody but the asker is there.
        if run.thread.is_direct or run.asked_by == user or self.audience.is_admin(user):
            self.end(run.run_id, user)
            return None
        return run.asked_by

    def end(self, run_id: str, user: str) -> None:
        """Stop a run, in whatever process it is."""
        self.running.cancel_run(run_id, user)
        try:
            self.store.ask_to_stop(run_id, user)
        except StoreUnavailable as fault:
            log.error("run %s may go on in another process: %s", run_id, fault.detail)

    def find(self, run_id: str) -> UnderWay | None:
        """Return a run that has not ended. Raises `StoreUnavailable` where nobody can say."""
        ours = self.running.find(run_id)
        if ours is not None:
            return UnderWay(run_id, ours.asker, ours.thread)
        return self.store.find_under_way(run_id)

    def _in(self, thread: Thread) -> Sequence[UnderWay]:
        try:
            return self.store.under_way(thread)
        except StoreUnavailable as fault:
            log.error("only runs of this process are stopped: %s", fault.detail)
            return self._ours(self.running.ids_in(thread))

    def _at(self, channel: str) -> Sequence[UnderWay]:
        try:
            return self.store.under_way_at(self.team, channel)
        except StoreUnavailable as fault:
            log.error("only runs of this process are stopped: %s", fault.detail)
            return self._ours(self.running.ids_at(channel))

    def _ours(self, run_ids: Sequence[str]) -> Sequence[UnderWay]:
        found = ((run_id, self.running.find(run_id)) for run_id in run_ids)
        return [UnderWay(run_id, run.asker, run.thread) for run_id, run in found if run is not None]

    def _refuse(self, thread: Thread, user: str, asker: str) -> None:
        card = not_yours(asker)
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


def not_yours(asker: str) -> Card:
    """Return why somebody else's question is not stopped."""
    return render_words(NOT_YOURS.format(asker=member(asker) if asker else SOMEBODY))


def register(app: App, *, stop: SessionStop, me: Identity, errands: Pool) -> None:
    """Listen to the stop button."""

    def pressed(event: dict[str, Any]) -> None:
        thread = Thread(me.team_id, str(event["channel"]), str(event["thread_ts"]))
        user = str(event.get("user") or "")
        errands.submit(lambda: stop.press(thread, user))

    app.event("agent_session_stopped")(pressed)
