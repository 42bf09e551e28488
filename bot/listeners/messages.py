"""Mentions, direct messages and replies in threads of ours."""

from __future__ import annotations

from typing import Any

from slack_bolt import App

from bot.identity import Identity
from bot.listeners.incoming import is_addressed, may_go_on, read_message
from bot.listeners.intake import Intake
from bot.listeners.recent import Recent
from bot.listeners.session_stop import SessionStop
from bot.pool import Pool
from bot.small_talk import asks_to_stop
from bot.wording import plain_words

STOPS_REMEMBERED = 1_000


def register(app: App, *, intake: Intake, stop: SessionStop, me: Identity, errands: Pool) -> None:
    """Listen to `app_mention` and to every kind of `message`.

    Words that ask to stop do so at once, however many questions wait before them.

    A mention in a channel arrives as both; the claim lets only one of them through. A wish to stop
    is taken once as well: sent again, it would stop what was asked since.
    """
    stops = Recent(STOPS_REMEMBERED)

    def handle_message(event: dict[str, Any], body: dict[str, Any]) -> None:
        asked = read_message(event, body, me)
        if asked is None:
            return
        thread = asked.question.thread
        if is_addressed(event, me) or (may_go_on(event) and intake.takes_replies(thread)):
            words = plain_words(asked.question.text, own_mention=me.mention, name_of=lambda _: None)
            message = f"{thread.channel}/{asked.question.ts}"
            if asks_to_stop(words) and stops.add(message):
                errands.submit(lambda: stop.say(thread, asked.question.asked_by))
            intake.take(asked)

    app.event("app_mention")(handle_message)
    app.event("message")(handle_message)
