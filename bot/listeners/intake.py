"""The door that every question goes through: claimed once, handed to the bot's own threads."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from bot.answer import Answerer
from bot.channel_settings import ChannelRules
from bot.claimed import Claimed
from bot.clients import Clients
from bot.doorstep import Doorstep
from bot.links import NO_MESSAGE
from bot.listeners.incoming import Asked
from bot.listeners.recent import Early, Recent
from bot.place import Place
from bot.pool import Pool
from bot.run_message import RunMessage
from bot.running import Running
from bot.store import Dropped, Question, Revised, Store, StoreUnavailable, Thread
from bot.telemetry.observer import Observer
from bot.whisper import Whisper

log = logging.getLogger(__name__)

REMEMBERED = 10_000
LET_GO_S = 100.0
"""How long the answer to a changed question waits for the run of its last wording, in seconds. One
whose process was killed is given up after that of `bot.cut_off`."""
LOOK_EVERY_S = 0.5
LOOKS_FOR_ROOM = 10
BUSY = (
    "I am working on as many questions as I can, and as many are waiting. Please ask again in a "
    "minute or two."
)


class Intake:
    """Takes questions from the listeners. Quick: a claim, then a place in the queue."""

    def __init__(
        self,
        *,
        store: Store,
        clients: Clients,
        answerer: Answerer,
        observer: Observer,
        running: Running,
        rules: ChannelRules,
        questions: Pool,
        errands: Pool,
    ) -> None:
        """`questions` runs the answers, `errands` what is short, such as turning one away."""
        self._store = store
        self._clients = clients
        self._answerer = answerer
        self._observer = observer
        self._running = running
        self._rules = rules
        self._questions = questions
        self._errands = errands
        self._seen = Recent(REMEMBERED)
        self._doorstep = Doorstep()
        # Of messages that were no questions, or not yet: events overtake each other in our threads.
        self._changes, self._deletions = Early(REMEMBERED), Early(REMEMBERED)

    def take(self, asked: Asked) -> None:
        """Answer a message in its thread, unless it was taken before.

        Where the channel's answers are private, only the one who asked sees it, and what holds of
        each question without a message that everybody reads holds of this one: it is named so.
        """
        question, is_private = asked.question, self.is_private(asked.question.thread)
        if is_private:
            question = replace(question, ts=_private_name(question.ts))
        self.take_at(
            self._place(question),
            question,
            from_outside=asked.from_outside,
            asker_only=is_private,
            has_strangers=asked.has_strangers,
        )

    def take_at(
        self,
        place: Place,
        question: Question,
        *,
        from_outside: bool = False,
        asker_only: bool = False,
        has_strangers: bool = False,
    ) -> None:
        """Answer a question at `place`, unless it was taken before."""
        self._doorstep.come()
        key = _key(question.thread, question.ts)
        if not self._seen.add(key):
            return
        try:
            with self._observer.taking(question) as carried:
                run_id, recorded = self._claim(question)
        except BaseException:
            self._seen.forget(key)  # Slack sends it again, and then it must not look like a copy
            raise
        self._deletions.do(key)
        if run_id is not None:
            self._observer.taken()
            claimed = Claimed(
                question,
                run_id,
                place,
                recorded,
                from_outside,
                asker_only,
                has_strangers,
                datetime.now(UTC),
                carried,
            )
            self._begin(run_id, question, lambda: claimed)
        self._changes.do(key)  # they wait for the run that has begun

    def retake(self, asked: Asked, revision: str) -> None:
        """Answer a question anew that was changed at `revision`, in the place of its first answer.

        What was no question of ours, or was taken before in these words, is left alone; so is one
        whose first answer everybody saw, where answers have become private.
        """
        key = _key(asked.question.thread, asked.question.ts)
        self._changes.put(key, lambda: self._retake(asked, revision))
        self._retake(asked, revision)

    def withdraw(self, thread: Thread, ts: str) -> None:
        """Stop what runs for a message that was deleted."""
        self._deletions.put(_key(thread, ts), lambda: self._withdraw(thread, ts))
        self._withdraw(thread, ts)

    def _retake(self, asked: Asked, revision: str) -> None:
        public = asked.question
        private = replace(public, ts=_private_name(public.ts))
        for question in (private,) if self.is_private(public.thread) else (public, private):
            try:
                revised = self._store.revise(question, revision)
            except StoreUnavailable as fault:
                log.error("a changed question is not looked at: %s", fault.detail)
                return
            if revised is not None:
                self._answer_anew(replace(asked, question=question), revised)
                return

    def _answer_anew(self, asked: Asked, revised: Revised) -> None:
        self._running.drop(revised.before, Dropped.EDITED)
        question = asked.question

        def claimed() -> Claimed:
            place = self._place(question, card_ts=self._take_card(revised))
            return Claimed(
                question,
                revised.run_id,
                place,
                from_outside=asked.from_outside,
                asker_only=question.ts.startswith(NO_MESSAGE),
                has_strangers=asked.has_strangers,
            )

        self._begin(revised.run_id, question, claimed, takes_over=True)
        self._deletions.do(_key(question.thread, question.ts))  # one may have overtaken this

    def _withdraw(self, thread: Thread, ts: str) -> None:
        try:
            for name in (ts, _private_name(ts)):
                for run_id in self._store.drop_deleted(thread, name):
                    self._running.drop(run_id, Dropped.DELETED)
        except StoreUnavailable as fault:
            log.error("a deleted message is not looked at: %s", fault.detail)

    def is_private(self, thread: Thread) -> bool:
        """Are answers there only for the one who asks, by what is set for the channel?"""
        return not thread.is_direct and self._rules.of(thread.channel).settings.private

    def takes_replies(self, thread: Thread) -> bool:
        """Is a reply there a question to us though it does not name us?"""
        return self._rules.of(thread.channel).settings.follow_ups and self.is_ours(thread)

    def is_ours(self, thread: Thread) -> bool:
        """Has anyone asked us something in this thread? False where the store cannot say."""
        try:
            return self._store.engaged(thread)
        except StoreUnavailable as fault:
            log.error("a reply is not looked at: %s", fault.detail)
            return False

    def _place(self, question: Question, card_ts: str | None = None) -> Place:
        """Return where a message's question is answered; a card that is there is changed."""
        if question.ts.startswith(NO_MESSAGE):
            return Whisper(self._clients, question.thread, question.asked_by)
        return RunMessage(self._clients, question.thread, asker=question.asked_by, ts=card_ts)

    def _begin(
        self,
        run_id: str,
        question: Question,
        claimed: Callable[[], Claimed],
        *,
        takes_over: bool = False,
    ) -> None:
        """Have a run answered, or turned away where too many wait.

        One that takes over from another comes into the room that the other leaves.
        """

        def answer(ready: Claimed) -> None:
            self._doorstep.wait()
            is_wanted = self._running.dropped(run_id) is None
            if is_wanted and isinstance(ready.place, Whisper):
                ready.place.announce()
            self._answerer.answer(ready)

        def answer_or_turn_away() -> None:
            ready = claimed()
            for _ in range(LOOKS_FOR_ROOM if takes_over else 0):
                if self._questions.submit(lambda: answer(ready)):
                    return
                time.sleep(LOOK_EVERY_S / LOOKS_FOR_ROOM)
            self._running.end(run_id)
            self._answerer.turn_away(ready, BUSY)

        self._running.begin(run_id, question.thread, question.asked_by)
        is_taken = self._questions.submit(lambda: answer(claimed()))
        if not is_taken and not self._errands.submit(answer_or_turn_away):
            log.error("run %s: too many ask, and this one is told nothing", run_id)
            self._running.end(run_id)

    def _take_card(self, revised: Revised) -> str | None:
        """Take over the card of the run before, once that is over, wherever it goes on."""
        until = time.monotonic() + LET_GO_S
        self._running.wait_for_end(revised.before, LET_GO_S)
        try:
            while not (left_off := self._store.left_off(revised.before)).has_ended:
                if time.monotonic() > until or self._running.stopping:
                    break
                time.sleep(LOOK_EVERY_S)
            return left_off.card_ts
        except StoreUnavailable as fault:
            log.error("the first answer to a changed question is left: %s", fault.detail)
            return None

    def _claim(self, question: Question) -> tuple[str | None, bool]:
        """Return the run's id, None if someone else has the question; and whether it is kept."""
        try:
            return self._store.claim(question), True
        except StoreUnavailable as fault:
            log.error("a question is answered without a record: %s", fault.detail)
            return str(uuid.uuid4()), False


def _private_name(ts: str) -> str:
    return f"{NO_MESSAGE}{ts}"


def _key(thread: Thread, ts: str) -> str:
    return f"{thread.team}/{thread.channel}/{ts.removeprefix(NO_MESSAGE)}"
