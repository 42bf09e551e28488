"""The slash command /ask."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from slack_bolt import Ack, App

from agent.errors import QuestionInvalid
from agent.question import check_question
from bot.answer import Agent
from bot.audience import OUTSIDE, Audience
from bot.clients import Clients
from bot.delivery import OnlyForAsker, ThreadMessage
from bot.identity import Identity
from bot.listeners.intake import BUSY, Intake
from bot.pool import Pool
from bot.render import render_notice
from bot.render.text import plain
from bot.slack_errors import SLACK_TROUBLE, error_code, what_went_wrong
from bot.small_talk import reply_without_run
from bot.store import Question, Thread
from bot.wording import plain_words

log = logging.getLogger(__name__)

COMMAND = "/ask"
NOT_INSIDE = frozenset({"not_in_channel", "channel_not_found"})
INVITE = (
    "I am no member of this conversation, so only you will see the answer, and there are no "
    "follow-ups. For a thread that everyone can read and go on with, invite me: /invite @{name}"
)
NOT_POSTED = "Slack did not let me post your question. Please try again in a moment."


@dataclass(frozen=True)
class Command:
    """What Slack sends of one use of the command."""

    channel: str
    user: str
    text: str
    trigger: str
    response_url: str

    @classmethod
    def of(cls, body: dict[str, Any]) -> Command:
        return cls(
            body["channel_id"],
            body["user_id"],
            (body.get("text") or "").strip(),
            body["trigger_id"],
            body["response_url"],
        )


@dataclass(frozen=True)
class AskCommand:
    """Puts the question into the channel, where its thread can be gone on with, and answers."""

    agent: Agent
    intake: Intake
    clients: Clients
    me: Identity
    audience: Audience
    errands: Pool

    def handle(self, ack: Ack, body: dict[str, Any]) -> None:
        """Acknowledge at once; what needs Slack's Web API is done later, by `errands`."""
        command = Command.of(body)
        card = reply_without_run(command.text, model=self.agent.model_name)
        if card is not None:
            ack(response_type="ephemeral", text=card.text, blocks=card.blocks)
            return
        if self.errands.submit(lambda: self.ask(command)):
            ack()
        else:
            ack(response_type="ephemeral", text=BUSY)

    def ask(self, command: Command) -> None:
        """Post the question as the root of a thread and have it answered there."""
        private = OnlyForAsker(command.response_url)
        words = plain_words(
            command.text, own_mention=self.me.mention, name_of=self.audience.name_of
        )
        key = Thread(self.me.team_id, command.channel, f"command {command.trigger}")
        question = Question(key, key.ts, command.user, command.text)
        reason = self._refusal(question, words)
        if reason is not None:
            private.finish([render_notice(reason)])
            return
        try:
            root = self.clients.patient.chat_postMessage(
                channel=command.channel,
                text=f"<@{command.user}> asked: {plain(words)}",
                unfurl_links=False,
                unfurl_media=False,
            )
        except SLACK_TROUBLE as error:
            self._ask_in_private(private, question, error)
            return
        thread = Thread(self.me.team_id, command.channel, str(root["ts"]))
        place = ThreadMessage(self.clients, thread)
        self.intake.take_at(place, Question(thread, thread.ts, command.user, command.text))

    def _refusal(self, question: Question, words: str) -> str | None:
        try:
            check_question(words)
        except QuestionInvalid as invalid:
            return str(invalid)
        reason = self.audience.refusal(question, asker_only=True)
        if reason is None and self.audience.refusal(question) == OUTSIDE:
            return OUTSIDE
        return reason  # a channel that we cannot look at gets no post, but a private answer

    def _ask_in_private(
        self, private: OnlyForAsker, question: Question, error: BaseException
    ) -> None:
        if error_code(error) not in NOT_INSIDE:
            log.error("could not post a command's question: %s", what_went_wrong(error))
            private.finish([render_notice(NOT_POSTED)])
            return
        private.post(render_notice(INVITE.format(name=self.me.name)))
        self.intake.take_at(private, question, asker_only=True)


def register(app: App, command: AskCommand) -> None:
    """Listen to `/ask`."""
    app.command(COMMAND)(command.handle)
