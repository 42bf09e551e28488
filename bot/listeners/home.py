"""The app's own pages: its Home tab, and the prompts in its direct messages."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from slack_bolt import App

from bot.audience import Audience
from bot.clients import Clients
from bot.identity import Identity
from bot.inquiries import Inquiries
from bot.own_prompts import OwnPrompts
from bot.people import reader_known
from bot.pool import Pool
from bot.render import render_help
from bot.render.home import HomePage, render_home
from bot.render.text import clip
from bot.slack_errors import SLACK_TROUBLE, what_went_wrong
from bot.store import Question, Thread
from bot.tables_inquiry import TablesInquiry
from bot.usage import UsageInquiry

log = logging.getLogger(__name__)

MAX_PROMPT_TITLE = 60


@dataclass(frozen=True)
class Home:
    """What somebody sees who opens the app itself."""

    clients: Clients
    me: Identity
    audience: Audience
    model: str
    prompts: OwnPrompts
    inquiries: Inquiries
    usage: UsageInquiry
    tables: TablesInquiry

    def publish(self, user: str, channel: str) -> None:
        """Show a person's Home tab; `channel` is their direct messages with the bot.

        Whoever may not ask there sees the help, and nothing of the database or of the record.
        """
        page = self._page(user, channel) if self._may_ask(user, channel) else None
        has_examples = page is not None and bool(page.prompts)
        help_card = render_help(model=self.model, with_examples=not has_examples)
        blocks = render_home(page, help_card)
        try:
            self.clients.quick.views_publish(user_id=user, view={"type": "home", "blocks": blocks})
        except SLACK_TROUBLE as error:
            log.warning("no Home tab for %s: %s", user, what_went_wrong(error))

    def suggest(self, user: str, channel: str) -> None:
        """Offer questions in a direct message that was just opened."""
        if not self._may_ask(user, channel):
            return
        prompts = [
            {"title": clip(prompt, MAX_PROMPT_TITLE), "message": prompt}
            for prompt in self.prompts.now()
        ]
        try:
            if prompts:
                self.clients.quick.assistant_threads_setSuggestedPrompts(
                    channel_id=channel, prompts=prompts
                )
        except SLACK_TROUBLE as error:
            log.warning("no suggested prompts: %s", what_went_wrong(error))

    def _may_ask(self, user: str, channel: str) -> bool:
        asked = Question(Thread(self.me.team_id, channel or "D", ""), "", user, "")
        return self.audience.refusal(asked, asker_only=True) is None

    def _page(self, user: str, channel: str) -> HomePage:
        return HomePage(
            recent=self.inquiries.recent(user),
            tables=self.tables.all(),
            usage=self.usage.told(user, channel),
            prompts=self.prompts.now(),
            reader=reader_known(self.audience.members, user),
        )


def register(app: App, *, home: Home, errands: Pool) -> None:
    """Listen to the app being opened, and to what else Slack tells of an agent's threads."""

    def opened(event: dict[str, Any]) -> None:
        user, channel = str(event["user"]), str(event.get("channel") or "")
        if event.get("tab") == "home":
            errands.submit(lambda: home.publish(user, channel))
        elif event.get("tab") == "messages" and channel:
            errands.submit(lambda: home.suggest(user, channel))

    def noted() -> None:
        # What somebody looks at beside us, or calls a thread, changes no answer. Slack wants both
        # to be subscribed to, and sends again what nobody acknowledges.
        return

    app.event("app_home_opened")(opened)
    app.event("app_context_changed")(noted)
    app.event("agent_session_title_changed")(noted)
