"""The slash command /ask."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from slack_bolt import Ack, App

from agent.errors import QuestionInvalid
from agent.question import check_question
from bot.ask_words import (
    AboutItself,
    Explain,
    Log,
    Private,
    Queue,
    Tables,
    Usage,
    Why,
    Wish,
    read_wish,
)
from bot.audience import UNKNOWN, Audience
from bot.clients import Clients
from bot.identity import Identity
from bot.inquiries import Inquiries
from bot.links import NO_MESSAGE
from bot.listeners.intake import BUSY, Intake
from bot.listeners.itself import Itself
from bot.listeners.session_stop import SessionStop
from bot.listeners.slash_command import COMMAND, Command
from bot.near_form import DID_YOU_MEAN, near_form
from bot.only_for_asker import OnlyForAsker
from bot.people import reader_known
from bot.pool import Pool
from bot.post_once import post_once
from bot.protocols import Agent
from bot.render import Card, render_help, render_notice
from bot.render.help import render_form
from bot.render.messages import render_words
from bot.render.text import clip, plain
from bot.slack_errors import SLACK_TROUBLE, error_code, what_went_wrong
from bot.small_talk import STOPPED, asks_for_help, asks_to_stop, reply_without_run
from bot.store import HowAsked, Question, Thread
from bot.tables_inquiry import TablesInquiry
from bot.usage import UsageInquiry
from bot.wording import plain_words

log = logging.getLogger(__name__)

MAX_REPEATED = 200
"""Characters of a question that are said again to the one who put it."""
NOT_INSIDE = frozenset({"not_in_channel", "channel_not_found"})
INVITE = (
    "I am no member of this conversation, so only you will see the answer, and there are no "
    "follow-ups. For a thread that everyone can read and go on with, invite me: /invite @{name}"
)
ASK_SOMETHING = (
    "Put a question about my own record behind it, such as: /ask about yourself: how many "
    "questions failed this week?"
)
ASK_PRIVATELY = (
    "Put your question behind it, such as: /ask private how many customers do we have? Only you "
    "will see the question and its answer."
)
ONLY_YOU = "Only you will see this question and its answer: “{question}”"
NOT_MEANT = " If “private” belongs to your question, begin it with another word: /ask show private…"
PRIVATE_HERE = (
    "Only you will see your question and its answer: an administrator has set that for this "
    "channel."
)
NOT_POSTED = "Slack did not let me post your question. Please try again in a moment."


@dataclass(frozen=True)
class AskCommand:
    """Puts the question into the channel, where its thread can be gone on with, and answers."""

    agent: Agent
    intake: Intake
    clients: Clients
    me: Identity
    audience: Audience
    errands: Pool
    inquiries: Inquiries
    usage: UsageInquiry
    tables: TablesInquiry
    itself: Itself
    stop: SessionStop

    def handle(self, ack: Ack, body: dict[str, Any]) -> None:
        """Acknowledge at once; what needs Slack's Web API is done later, by `errands`."""
        command = Command.of(body)
        wish = self._wish(command, self.inquiries.time_zone)
        card = self._reply(command, wish)
        if card is not None:
            ack(response_type="ephemeral", text=card.text, blocks=card.blocks)
            return
        if self.errands.submit(self._job(command, wish)):
            ack()
        else:
            ack(response_type="ephemeral", text=BUSY)

    def _reply(self, command: Command, wish: Wish | None) -> Card | None:
        """Return what is said at once to words that are no question, and done; else None."""
        words = command.text
        if isinstance(wish, Private):  # this is said in private anyway
            words = wish.question or words
        if asks_to_stop(words):
            has_room = self.errands.submit(lambda: self.stop.here(command.channel, command.user))
            return render_notice(STOPPED if has_room else BUSY)
        near = near_form(words) if wish is None else ""
        if near:
            return render_words(DID_YOU_MEAN.format(form=near))
        if asks_for_help(words):
            return None
        return reply_without_run(words, model=self.agent.model_name)

    def _job(self, command: Command, wish: Wish | None) -> Callable[[], None]:
        """Return what answers the command, for `errands`."""
        if asks_for_help(command.text):
            return partial(self.help, command)
        return partial(self.ask, command) if wish is None else partial(self.look, command, wish)

    def help(self, command: Command) -> None:
        """Say what can be asked, or to those who get no answers here, whom to turn to."""
        thread = self._question(command).thread
        reason = self.audience.refusal_of_asker(command.user, thread)
        is_open = reason in (None, UNKNOWN)
        card = render_help(model=self.agent.model_name) if is_open else render_notice(str(reason))
        OnlyForAsker(command.response_url).finish([card])

    def look(self, command: Command, wish: Wish) -> None:
        """Say what somebody wants to know of the bot's own record, to them alone."""
        private = OnlyForAsker(command.response_url)
        # What is only for one pair of eyes: who reads along in the channel does not matter.
        question = self._question(command)
        if isinstance(wish, Why | Queue | Usage | Log | Tables | AboutItself):
            reason = self.audience.refusal_to_look_up(command.user)
        else:
            reason = self.audience.refusal(question, asker_only=True)
        if reason is not None:
            private.finish([render_notice(reason)])
        elif isinstance(wish, AboutItself):
            self._ask_itself(private, question, wish)
        elif isinstance(wish, Private):
            self._ask_for_one(private, question, wish)
        else:
            private.finish([self._told(command, wish)])

    def _wish(self, command: Command, zone: str) -> Wish | None:
        who = {"team": self.me.team_id, "viewer": command.user, "here": command.channel}
        today = datetime.now(ZoneInfo(zone)).date()
        return read_wish(command.text, **who, today=today, time_zone=zone)

    def _told(self, command: Command, wish: Why | Queue | Usage | Log | Tables | Explain) -> Card:
        match wish:
            case Why():
                return self.inquiries.why(command.user, command.channel)
            case Queue():
                return self.inquiries.queue(command.user, command.channel)
            case Usage():
                return self.usage.told(command.user, command.channel)
            case Log(search):
                zone = self.inquiries.zone_of(command.user)
                again = self._wish(command, zone)  # their days begin elsewhere than ours
                return self.inquiries.log(again.search if isinstance(again, Log) else search, zone)
            case Tables(words):
                reader = reader_known(self.audience.members, command.user)
                return self.tables.told(self._plain(words), reader)
            case Explain(form, words):
                model = self.agent.model_name
                return render_form(form, words=self._plain(words), model=model)

    def _ask_for_one(self, private: OnlyForAsker, question: Question, wish: Private) -> None:
        """Answer a question of which nobody else is told, wherever it was put."""
        if not wish.question:
            private.finish([render_notice(ASK_PRIVATELY)])
            return
        words = clip(" ".join(self._plain(wish.question).split()), MAX_REPEATED)
        doubt = "" if wish.is_plain else NOT_MEANT
        private.post(render_notice(ONLY_YOU.format(question=words) + doubt))
        self.intake.take_privately(private, replace(question, text=wish.question))

    def _ask_itself(self, private: OnlyForAsker, question: Question, wish: AboutItself) -> None:
        if self.itself.reason or not wish.question:
            private.finish([render_notice(self.itself.reason or ASK_SOMETHING)])
            return
        about = replace(question, text=wish.question)
        self.intake.take_privately(private, about, about_itself=True)

    def _question(self, command: Command) -> Question:
        key = Thread(self.me.team_id, command.channel, f"{NO_MESSAGE}{command.trigger}")
        return Question(key, key.ts, command.user, command.text)

    def ask(self, command: Command) -> None:
        """Post the question as the root of a thread and have it answered there."""
        private = OnlyForAsker(command.response_url)
        words = self._plain(command.text)
        question = self._question(command)
        reason = self._refusal(question, words)
        if reason is not None:
            private.finish([render_notice(reason)])
            return
        if self.intake.is_private(question.thread):
            private.post(render_notice(PRIVATE_HERE))
            self.intake.take_privately(private, question)
            return
        try:
            said = f"<@{command.user}> asked: {plain(words)}"
            root = post_once(self.clients.patient, said, command.channel)
        except SLACK_TROUBLE as error:
            self._ask_in_private(private, question, error)
            return
        thread = Thread(self.me.team_id, command.channel, root)
        asked = Question(thread, thread.ts, command.user, command.text)
        self.intake.take_from(private, asked, HowAsked())

    def _plain(self, text: str) -> str:
        return plain_words(text, own_mention=self.me.mention, name_of=self.audience.name_of)

    def _refusal(self, question: Question, words: str) -> str | None:
        try:
            check_question(words)
        except QuestionInvalid as invalid:
            return str(invalid)
        # A channel that we cannot look at gets no post, but a private answer.
        return self.audience.refusal(question, asker_only=True)

    def _ask_in_private(
        self, private: OnlyForAsker, question: Question, error: BaseException
    ) -> None:
        if error_code(error) not in NOT_INSIDE:
            log.error("could not post a command's question: %s", what_went_wrong(error))
            private.finish([render_notice(NOT_POSTED)])
            return
        private.post(render_notice(INVITE.format(name=self.me.name)))
        self.intake.take_privately(private, question)


def register(app: App, command: AskCommand) -> None:
    """Listen to `/ask`."""
    app.command(COMMAND)(command.handle)
