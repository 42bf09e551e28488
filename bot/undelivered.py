"""An answer that Slack does not let us put where it was asked for: whoever asked is told so.

The answer itself goes nowhere else: it was asked for in that place, and meant for it.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Final

from bot.clients import Clients
from bot.delivery import post_card
from bot.identity import Identity
from bot.render.messages import render_words
from bot.slack_errors import SLACK_TROUBLE, error_code, what_went_wrong
from bot.store import Question

log = logging.getLogger(__name__)

NOT_THERE: Final = (
    "I cannot put the answer to your question into <#{channel}>: {reason} I show it nowhere else, "
    "since it was asked for there. {advice}"
)
OUT: Final = ("I am no member of it any more.", "Invite me with /invite @{name}, and ask again.")
ARCHIVED: Final = ("it was archived.", "Ask again in another channel, or here.")
UNKNOWN: Final = ("Slack does not take it.", "Ask again in a while, or here.")


@dataclass(frozen=True)
class Undelivered:
    """Tells people, in their direct messages, that there is no way to where they asked."""

    clients: Clients
    me: Identity

    def tell(self, question: Question) -> None:
        """Tell whoever asked why the answer is not in its channel. Never raises."""
        channel = question.thread.channel
        if question.thread.is_direct or self.clients.access.trouble:
            return
        reason, advice = self._reason(channel)
        words = NOT_THERE.format(
            channel=channel, reason=reason, advice=advice.format(name=self.me.name)
        )
        try:
            post_card(self.clients.patient, render_words(words), question.asked_by)
        except SLACK_TROUBLE as error:
            log.error("%s was told nothing: %s", question.asked_by, what_went_wrong(error))

    def _reason(self, channel: str) -> tuple[str, str]:
        try:
            facts = self.clients.quick.conversations_info(channel=channel)["channel"]
        except SLACK_TROUBLE as error:  # of a private channel, nothing is told to who is outside
            return OUT if error_code(error) == "channel_not_found" else UNKNOWN
        if facts.get("is_archived"):
            return ARCHIVED
        return UNKNOWN if facts.get("is_member", True) else OUT
