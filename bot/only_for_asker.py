"""An answer to a command or a click that only the one who used it gets to see."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence

from slack_sdk.webhook import WebhookClient

from bot.clients import TIMEOUT_S
from bot.render import Card, Working
from bot.slack_errors import SLACK_TROUBLE, Remedy, what_went_wrong

log = logging.getLogger(__name__)

MAX_REPLIES = 5
"""How often Slack takes a message at one response_url."""
PAUSES_S = (0.5, 1.0, 2.0, 4.0)
"""Between tries to say the last word, in seconds; longer where Slack asks for it."""
LONGEST_PAUSE_S = 30.0
TOO_MANY = 429
PASSING = frozenset({TOO_MANY, *range(500, 600)})


class OnlyForAsker:
    """What only the one who used a command, or clicked, gets to see: also where we are no member.

    Slack takes five such messages for one command, so only the first and the last word are said.
    """

    ts = stands_at = None
    keeps_session = False

    def __init__(self, response_url: str) -> None:
        self.response_url = response_url
        self._webhook = WebhookClient(response_url, timeout=TIMEOUT_S, retry_handlers=[])
        self._has_posted = False
        self._left = MAX_REPLIES
        self._rest_s = 0.0

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
        left, pauses = [*cards, Card([], cards[-1].text)][-4:], list(PAUSES_S)
        while left:
            remedy = self._send(left[0])
            if remedy is None:
                return True
            if remedy is Remedy.SIMPLER:
                left.pop(0)
            elif remedy is Remedy.AGAIN and pauses:
                time.sleep(min(max(pauses.pop(0), self._rest_s), LONGEST_PAUSE_S))
            else:
                break
        return False

    def _send(self, card: Card) -> Remedy | None:
        """Say something; what may help where Slack did not take it, None where it did.

        Nobody can look whether it stands there when a connection broke: it may be seen twice.
        """
        if not self._left:
            log.warning("a command has been answered as often as Slack lets us")
            return Remedy.NOTHING
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
            return Remedy.AGAIN
        if answer.status_code == 200 and answer.body == "ok":
            return None
        log.warning("could not answer a command: %s %s", answer.status_code, answer.body[:200])
        if answer.status_code == TOO_MANY:
            self._left += 1
            self._rest_s = _seconds(answer.headers)
        return Remedy.AGAIN if answer.status_code in PASSING else Remedy.SIMPLER


def _seconds(headers: Mapping[str, str]) -> float:
    told = {name.lower(): value for name, value in headers.items()}.get("retry-after", "")
    return float(told) if told.isdecimal() else 0.0
