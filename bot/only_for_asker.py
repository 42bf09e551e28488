"""An answer to a command or a click that only the one who used it gets to see."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from slack_sdk.webhook import WebhookClient

from bot.clients import TIMEOUT_S
from bot.render import Card, Working
from bot.slack_errors import SLACK_TROUBLE, what_went_wrong

log = logging.getLogger(__name__)

MAX_REPLIES = 5
"""How often Slack takes a message at one response_url."""


class OnlyForAsker:
    """What only the one who used a command, or clicked, gets to see: also where we are no member.

    Slack takes five such messages for one command, so only the first and the last word are said.
    """

    ts = stands_at = None
    keeps_session = False

    def __init__(self, response_url: str) -> None:
        self._webhook = WebhookClient(response_url, timeout=TIMEOUT_S, retry_handlers=[])
        self._has_posted = False
        self._left = MAX_REPLIES

    def post(self, card: Card) -> None:
        """Say a first word, once."""
        if not self._has_posted:
            self._has_posted = True
            self._send(card)

    def take(self) -> bool:
        return True

    def begin(self, working: Working) -> None:
        return  # Slack lets nobody take such a message back

    def show(self, working: Working) -> bool:
        return True

    def finish(self, cards: Sequence[Card], *, waits: bool = False) -> bool:
        return any(self._send(card) for card in [*cards, Card([], cards[-1].text)][-4:])

    def _send(self, card: Card) -> bool:
        if not self._left:
            log.warning("a command has been answered as often as Slack lets us")
            return False
        self._left -= 1
        try:
            answer = self._webhook.send(
                text=card.text,
                blocks=card.blocks or None,
                response_type="ephemeral",
                unfurl_links=False,
                unfurl_media=False,
            )
        except SLACK_TROUBLE as error:
            log.warning("could not answer a command: %s", what_went_wrong(error))
            return False
        if answer.status_code != 200 or answer.body != "ok":
            log.warning("could not answer a command: %s %s", answer.status_code, answer.body)
            return False
        return True
