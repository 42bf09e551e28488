"""The door that every question goes through: written down for good, for a worker to answer."""

from __future__ import annotations

import logging
from dataclasses import replace

from bot.channel_settings import ChannelRules
from bot.doorstep import Doorstep
from bot.links import NO_MESSAGE
from bot.listeners.incoming import Asked
from bot.listeners.recent import Early, Once
from bot.only_for_asker import OnlyForAsker
from bot.render import render_notice
from bot.running import Running
from bot.store import Dropped, HowAsked, Question, Store, StoreUnavailable, Thread
from bot.telemetry.observer import Observer

log = logging.getLogger(__name__)

REMEMBERED = 10_000
BUSY = "More is asked of me than I can do at the moment. Please try again in a minute or two."
NOT_TAKEN = (
    "I cannot write your question down at the moment, so I do not take it. Please ask again in a "
    "minute."
)


class Intake:
    """Takes questions from the listeners. Quick: a row in the store, and one in its line.

    What cannot be written down is not taken: Slack sends events again.
    """

    def __init__(
        self,
        *,
        store: Store,
        observer: Observer,
        running: Running,
        rules: ChannelRules,
        doorstep: Doorstep,
    ) -> None:
        """`doorstep` is told of whoever comes."""
        self._store = store
        self._observer = observer
        self._running = running
        self._rules = rules
        self._taken = Once(REMEMBERED)
        self._doorstep = doorstep
        # Of messages that were no questions, or not yet: events overtake each other in our threads.
        self._changes, self._deletions = Early(REMEMBERED), Early(REMEMBERED)

    def take(self, asked: Asked) -> None:
        """Have a message answered in its thread, unless it was taken before.

        Where the channel's answers are private, only the one who asked sees it, and what holds of
        each question without a message that everybody reads holds of this one: it is named so.
        Raises `StoreUnavailable`.
        """
        question, is_private = asked.question, self.is_private(asked.question.thread)
        if is_private:
            question = replace(question, ts=_private_name(question.ts))
        self.take_as(question, _how(asked, is_private=is_private))

    def take_as(self, question: Question, how: HowAsked) -> None:
        """Have a question answered, unless it was taken before. Raises `StoreUnavailable`."""
        self._doorstep.come()
        key = _key(question.thread, question.ts)
        self._taken.do(key, lambda: self._claim(question, how))
        self._deletions.do(key)
        self._changes.do(key)  # they wait for the run that is there by now

    def _claim(self, question: Question, how: HowAsked) -> None:
        with self._observer.taking(question) as carried:
            run_id = self._store.claim(question, replace(how, carried=carried))
        if run_id is not None:
            self._observer.taken()

    def take_from(self, private: OnlyForAsker, question: Question, how: HowAsked) -> None:
        """Have a question answered that Slack does not send again; or say why that cannot be."""
        try:
            self.take_as(question, how)
        except StoreUnavailable as fault:
            log.error("a question is not taken: %s", fault.detail)
            private.finish([render_notice(NOT_TAKEN)])

    def take_privately(
        self, private: OnlyForAsker, question: Question, *, about_itself: bool = False
    ) -> None:
        """Have a question answered for the one who asked alone; or say why that cannot be."""
        how = HowAsked(
            "reply",
            response_url=private.response_url,
            asker_only=True,
            about_itself=about_itself,
        )
        self.take_from(private, question, how)

    def retake(self, asked: Asked, revision: str) -> None:
        """Have a question that was changed at `revision` answered anew, in its answer's place.

        What was no question of ours, or was taken before in these words, is left alone; so is one
        whose first answer everybody saw, where answers have become private. Raises
        `StoreUnavailable`.
        """
        key = _key(asked.question.thread, asked.question.ts)
        self._changes.put(key, lambda: self._retake(asked, revision))
        self._retake(asked, revision)

    def withdraw(self, thread: Thread, ts: str) -> None:
        """Stop what runs for a message that was deleted. Raises `StoreUnavailable`."""
        self._deletions.put(_key(thread, ts), lambda: self._withdraw(thread, ts))
        self._withdraw(thread, ts)

    def _retake(self, asked: Asked, revision: str) -> None:
        public = asked.question
        private = replace(public, ts=_private_name(public.ts))
        for question in (private,) if self.is_private(public.thread) else (public, private):
            is_private = question.ts.startswith(NO_MESSAGE)
            revised = self._store.revise(question, revision, _how(asked, is_private=is_private))
            if revised is not None:
                self._running.drop(revised.before, Dropped.EDITED)
                self._deletions.do(_key(question.thread, question.ts))  # one may have overtaken it
                return

    def _withdraw(self, thread: Thread, ts: str) -> None:
        for name in (ts, _private_name(ts)):
            for run_id in self._store.drop_deleted(thread, name):
                self._running.drop(run_id, Dropped.DELETED)

    def is_private(self, thread: Thread) -> bool:
        """Are answers there only for the one who asks, by what is set for the channel?"""
        return not thread.is_direct and self._rules.of(thread.channel).settings.private

    def takes_replies(self, thread: Thread) -> bool:
        """Is a reply there a question to us though it does not name us?

        Raises `StoreUnavailable` where nobody can say: Slack sends it again.
        """
        return self._rules.of(thread.channel).settings.follow_ups and self.is_ours(thread)

    def is_ours(self, thread: Thread) -> bool:
        """Has anyone asked us something in this thread? Raises `StoreUnavailable`."""
        return self._store.engaged(thread)


def _how(asked: Asked, *, is_private: bool) -> HowAsked:
    return HowAsked(
        "whisper" if is_private else "thread",
        asker_only=is_private,
        from_outside=asked.from_outside,
        has_strangers=asked.has_strangers,
    )


def _private_name(ts: str) -> str:
    return f"{NO_MESSAGE}{ts}"


def _key(thread: Thread, ts: str) -> str:
    return f"{thread.team}/{thread.channel}/{ts.removeprefix(NO_MESSAGE)}"
