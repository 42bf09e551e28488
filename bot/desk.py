"""Takes the runs that a worker is given, with all that is needed to go on with them."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import Final

from bot.answer import Answerer
from bot.claimed import Claimed
from bot.clients import Clients
from bot.doorstep import Doorstep
from bot.held_place import HeldPlace
from bot.only_for_asker import OnlyForAsker
from bot.place import Place
from bot.protocols import Agent
from bot.queue import Again
from bot.run_message import RunMessage
from bot.running import Lost, Running
from bot.store import Begun, NoRoom, Room, Store, StoreUnavailable
from bot.whisper import Whisper

log = logging.getLogger(__name__)

MOST_FAILURES: Final = 3
"""A question over which so many processes have died is not begun again."""
NO_ROOM: Final = Again(1.0)
STORE_AWAY: Final = Again(2.0)
LOOK_AGAIN: Final = Again(15.0)
"""Where another process has a run, it has its job too, and what we say of that changes nothing."""


@dataclass(frozen=True)
class Desk:
    """Answers the questions of one workspace, one call each; safe to share between threads."""

    store: Store
    clients: Clients
    answerer: Answerer
    running: Running
    doorstep: Doorstep
    room: Room
    """How many questions may run, in all processes together."""
    itself: Agent | None = None
    """Who answers questions about the bot's own record."""

    def answer(self, run_id: str) -> Again | None:
        """Answer the question of a run, as far as that is left to be done.

        Returns when it is to be tried again, None where it is over.
        """
        self.doorstep.wait()
        try:
            begun = self.store.begin(run_id, self.running.owner, self.room)
            if begun is None:
                return None
            card_ts = begun.card_ts or self.store.take_card(run_id)
        except NoRoom:
            return NO_ROOM
        except StoreUnavailable as fault:
            log.warning("run %s has to wait for the record: %s", run_id, fault.detail)
            return STORE_AWAY
        self.running.begin(run_id, begun.question.thread, begun.question.asked_by, begun.hold)
        self.running.heed(run_id, begun.wish)
        try:
            return self._answer(replace(begun, card_ts=card_ts))
        except Lost:
            log.warning("run %s is left to another process", run_id)
            return Again() if self.running.stopping else LOOK_AGAIN
        finally:
            self.running.end(run_id, begun.hold)

    def _answer(self, begun: Begun) -> Again | None:
        claimed = self._claimed(begun)
        answerer = self.answerer
        if begun.failures >= MOST_FAILURES and not begun.has_ended:
            return answerer.give_up(claimed, begun.failures)
        if begun.how.about_itself and self.itself is not None:
            answerer = replace(answerer, agent=self.itself)
        return answerer.answer(claimed)

    def _claimed(self, begun: Begun) -> Claimed:
        how, run_id, hold = begun.how, begun.run_id, begun.hold
        return Claimed(
            begun.question,
            run_id,
            HeldPlace(self._place(begun), self.running, run_id, hold),
            hold,
            how.from_outside,
            how.asker_only,
            how.has_strangers,
            begun.kept,
            begun.has_ended,
            begun.asked_at,
            how.carried,
            begun.failures > 0,
        )

    def _place(self, begun: Begun) -> Place:
        """Return where the question is answered; a message that is there already is changed."""
        thread, asker = begun.question.thread, begun.question.asked_by
        is_first = begun.hold.attempt == 1
        since = None if is_first else begun.asked_at.timestamp()
        match begun.how.place:
            case "reply":
                return OnlyForAsker(begun.how.response_url)
            case "whisper":
                return Whisper(
                    self.clients,
                    thread,
                    asker,
                    word_ts=begun.card_ts,
                    mark=begun.run_id,
                    posted_since=since,
                )
            case "thread":
                return RunMessage(
                    self.clients,
                    thread,
                    asker=asker,
                    ts=begun.card_ts,
                    mark=begun.run_id,
                    posted_since=since,
                )
