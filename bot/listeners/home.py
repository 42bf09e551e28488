"""The app's own pages: its Home tab, the prompts in its direct messages, and the stop button."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from slack_bolt import App

from bot.clients import Clients
from bot.identity import Identity
from bot.pool import Pool
from bot.render import render_help
from bot.running import Running
from bot.slack_errors import SLACK_TROUBLE, what_went_wrong
from bot.store import Thread

log = logging.getLogger(__name__)

MAX_PROMPTS = 4
MAX_PROMPT_TITLE = 60


@dataclass(frozen=True)
class Home:
    """What somebody sees who opens the app itself."""

    clients: Clients
    model: str
    prompts: Sequence[str]
    """Questions to begin with; Slack shows up to four."""

    def publish(self, user: str) -> None:
        """Show the help on a person's Home tab."""
        view = {"type": "home", "blocks": render_help(model=self.model).blocks}
        try:
            self.clients.quick.views_publish(user_id=user, view=view)
        except SLACK_TROUBLE as error:
            log.warning("no Home tab for %s: %s", user, what_went_wrong(error))

    def suggest(self, channel: str) -> None:
        """Offer questions in a direct message that was just opened."""
        prompts = [
            {"title": prompt[:MAX_PROMPT_TITLE], "message": prompt}
            for prompt in self.prompts[:MAX_PROMPTS]
        ]
        try:
            if prompts:
                self.clients.quick.assistant_threads_setSuggestedPrompts(
                    channel_id=channel, prompts=prompts
                )
        except SLACK_TROUBLE as error:
            log.warning("no suggested prompts: %s", what_went_wrong(error))


def register(app: App, *, home: Home, me: Identity, running: Running, errands: Pool) -> None:
    """Listen to the app being opened and to the stop button of an agent's thread."""

    def opened(event: dict[str, Any]) -> None:
        user, channel = str(event["user"]), str(event.get("channel") or "")
        if event.get("tab") == "home":
            errands.submit(lambda: home.publish(user))
        elif event.get("tab") == "messages" and channel:
            errands.submit(lambda: home.suggest(channel))

    def stopped(event: dict[str, Any]) -> None:
        running.cancel(Thread(me.team_id, str(event["channel"]), str(event["thread_ts"])))

    app.event("app_home_opened")(opened)
    app.event("agent_session_stopped")(stopped)
