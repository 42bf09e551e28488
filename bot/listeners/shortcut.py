"""The shortcut "Ask about this message": a window, and an answer in the thread of the message."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from slack_bolt import Ack, App

from agent.errors import QuestionInvalid
from agent.question import check_question
from bot.audience import UNKNOWN, Audience
from bot.clients import Clients
from bot.identity import Identity
from bot.links import NO_MESSAGE
from bot.listeners.command import INVITE, NOT_INSIDE, NOT_POSTED, PRIVATE_HERE
from bot.listeners.intake import BUSY, Intake
from bot.listeners.recent import Recent
from bot.only_for_asker import OnlyForAsker
from bot.pool import Pool
from bot.post_once import post_once
from bot.render import render_notice
from bot.render.modals import refusal
from bot.render.shortcut import ASK_ABOUT, PointedAt, read_ask_about, render_ask_about
from bot.render.text import escape, plain
from bot.slack_errors import SLACK_TROUBLE, error_code, what_went_wrong
from bot.store import HowAsked, Question, Thread
from bot.wording import plain_words

log = logging.getLogger(__name__)

NO_WORDS = "This message has no words that I could read. Ask me in its thread instead."
TOO_SLOW = "Slack did not open the window. Please choose the shortcut again."
WINDOWS_REMEMBERED = 1_000


@dataclass(frozen=True)
class Ask:
    """A question that somebody put into the window."""

    about: PointedAt
    words: str
    user: str
    trigger: str


class AskAbout:
    """Opens the window, and has what comes back answered."""

    def __init__(self, intake: Intake, clients: Clients, me: Identity, audience: Audience) -> None:
        self._intake = intake
        self._clients = clients
        self._me = me
        self._audience = audience
        self._sent = Recent(WINDOWS_REMEMBERED)

    def open(self, body: dict[str, Any]) -> None:
        """Open the window for a message, within three seconds; or say why not."""
        pointed, user = self._read(body), str(body["user"]["id"])
        reason = self._refusal(pointed, user) or ("" if pointed.text else NO_WORDS)
        if reason:
            OnlyForAsker(pointed.response_url).finish([render_notice(reason)])
            return
        try:
            view = render_ask_about(pointed)
            self._clients.quick.views_open(trigger_id=body["trigger_id"], view=view)
        except SLACK_TROUBLE as error:
            log.warning("the window for a question was not opened: %s", what_went_wrong(error))
            OnlyForAsker(pointed.response_url).finish([render_notice(TOO_SLOW)])

    def is_new(self, view: dict[str, Any]) -> bool:
        """Is it the first time that this window is sent? Slack repeats what it thinks unheard."""
        return self._sent.add(str(view["id"]))

    def forget(self, view: dict[str, Any]) -> None:
        """The window was not taken, so it may be sent again."""
        self._sent.forget(str(view["id"]))

    def ask(self, ask: Ask) -> None:
        """Put the question into the thread of the message, and have it answered there."""
        about = ask.about
        private = OnlyForAsker(about.response_url)
        thread = Thread(self._me.team_id, about.channel, about.root)
        reason = self._refusal(about, ask.user) or self._late_refusal(thread, ask.user)
        if reason:
            private.finish([render_notice(reason)])
            return
        if self._intake.is_private(thread):
            self._ask_in_private(private, ask, PRIVATE_HERE)
            return
        try:
            words = f"<@{ask.user}> asked about this message: {plain(ask.words)}"
            ts = post_once(self._clients.patient, words, about.channel, thread_ts=about.root)
        except SLACK_TROUBLE as error:
            if error_code(error) in NOT_INSIDE:
                self._ask_in_private(private, ask, INVITE.format(name=self._me.name))
                return
            log.error("could not post a question about a message: %s", what_went_wrong(error))
            private.finish([render_notice(NOT_POSTED)])
            return
        self._intake.take_from(private, _question(ask, thread, ts), HowAsked())

    def _ask_in_private(self, private: OnlyForAsker, ask: Ask, why: str) -> None:
        key = Thread(self._me.team_id, ask.about.channel, f"{NO_MESSAGE}{ask.trigger}")
        private.post(render_notice(why))
        self._intake.take_privately(private, _question(ask, key, key.ts))

    def _refusal(self, about: PointedAt, user: str) -> str:
        """Return why they get no answer, "" for none.

        In a conversation that Slack tells us nothing of, the answer is for the asker alone.
        """
        asked = Question(Thread(self._me.team_id, about.channel, about.root), about.root, user, "")
        return self._audience.refusal(asked, asker_only=True) or ""

    def _late_refusal(self, thread: Thread, user: str) -> str:
        """Return why they get no answer by now, "" for none: a window may stand open for long."""
        reason = self._audience.refusal_to_show(user, thread, asker_only=False)
        return "" if reason in (None, UNKNOWN) else str(reason)

    def _read(self, body: dict[str, Any]) -> PointedAt:
        message = body["message"]
        text = plain_words(
            message.get("text") or "",
            own_mention=self._me.mention,
            name_of=self._audience.name_of,
        )
        return PointedAt(
            channel=str(body["channel"]["id"]),
            root=str(message.get("thread_ts") or message["ts"]),
            text=text,
            author=str(message.get("user") or ""),
            response_url=str(body["response_url"]),
        )


def _question(ask: Ask, thread: Thread, ts: str) -> Question:
    # Slack's marks: the words are read like those of a message.
    return Question(thread, ts, ask.user, escape(ask.words), ask.about.text)


def register(app: App, *, asking: AskAbout, modals: Pool, errands: Pool) -> None:
    """Listen to the shortcut and to its window; `modals` runs what has three seconds."""

    def chosen(ack: Ack, body: dict[str, Any]) -> None:
        ack()
        modals.submit(lambda: asking.open(body))

    def sent(ack: Ack, body: dict[str, Any], view: dict[str, Any]) -> None:
        about, words = read_ask_about(view)
        try:
            words = check_question(words)
        except QuestionInvalid as invalid:
            ack(**refusal(str(invalid)))
            return
        ask = Ask(about, words, str(body["user"]["id"]), str(body.get("trigger_id") or view["id"]))
        if not asking.is_new(view) or errands.submit(lambda: asking.ask(ask)):
            ack()
        else:
            asking.forget(view)
            ack(**refusal(BUSY))

    app.message_shortcut(ASK_ABOUT)(chosen)
    app.view(ASK_ABOUT)(sent)
