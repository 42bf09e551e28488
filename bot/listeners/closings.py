"""A channel was archived, or we were put out of it: nobody can be shown an answer there."""

from __future__ import annotations

from typing import Any, Final

from slack_bolt import App

from bot.closings import Closings

EVENTS: Final = ("channel_archive", "channel_left", "group_archive", "group_left")


def register(app: App, *, closings: Closings) -> None:
    """Listen to what closes a channel. What runs there is stopped by whoever waits for that."""

    def closed(event: dict[str, Any]) -> None:
        channel = event.get("channel")
        if isinstance(channel, str):
            closings.closed(channel)

    for event in EVENTS:
        app.event(event)(closed)
