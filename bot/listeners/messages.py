"""Mentions, direct messages and replies in threads of ours."""

from __future__ import annotations

from typing import Any

from slack_bolt import App

from bot.identity import Identity
from bot.listeners.incoming import is_addressed, may_go_on, read_message
from bot.listeners.intake import Intake


def register(app: App, *, intake: Intake, me: Identity) -> None:
    """Listen to `app_mention` and to every kind of `message`.

    A mention in a channel arrives as both; the claim lets only one of them through.
    """

    def handle_message(event: dict[str, Any], body: dict[str, Any]) -> None:
        asked = read_message(event, body, me)
        if asked is None:
            return
        thread = asked.question.thread
        if is_addressed(event, me) or (may_go_on(event) and intake.takes_replies(thread)):
            intake.take(asked)

    app.event("app_mention")(handle_message)
    app.event("message")(handle_message)
