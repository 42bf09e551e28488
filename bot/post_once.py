"""A message that stands where it was put, once, whatever breaks over it."""

from __future__ import annotations

import logging
import time
import uuid
from typing import Final

from slack_sdk import WebClient

from bot.delivery import CLOCKS_APART_S, LOOKED_THROUGH, may_have_been_taken, post_card
from bot.render import Card
from bot.slack_errors import SLACK_TROUBLE, Remedy, remedy_for, retry_after_s, what_went_wrong

log = logging.getLogger(__name__)

PAUSES_S: Final = (0.5, 1.0, 2.0)
"""Between tries, in seconds; longer where Slack asks for it."""


def post_once(client: WebClient, text: str, channel: str, *, thread_ts: str | None = None) -> str:
    """Post a message and return its id; what may pass is waited for, some seconds.

    Where nobody says whether a post was taken, the message is looked for by its mark before it is
    posted again. Raises one of SLACK_TROUBLE.
    """
    mark, oldest, pauses = uuid.uuid4().hex, time.time() - CLOCKS_APART_S, list(PAUSES_S)
    may_stand = False
    while True:
        try:
            found = find_marked(client, mark, channel, thread_ts, oldest) if may_stand else None
            card = Card([], text)
            return found or post_card(client, card, channel, thread_ts=thread_ts, mark=mark)
        except SLACK_TROUBLE as error:
            if remedy_for(error) is not Remedy.AGAIN or not pauses:
                raise
            may_stand = may_stand or may_have_been_taken(error)
            log.warning("a post in %s is tried again: %s", channel, what_went_wrong(error))
            time.sleep(max(pauses.pop(0), retry_after_s(error)))


def find_marked(
    client: WebClient, mark: str, channel: str, thread_ts: str | None, oldest: float
) -> str | None:
    """Return the message with a mark in a thread, or of a channel itself; None for none.

    `oldest`: what was posted before, in seconds since 1970, is not looked at. Raises one of
    SLACK_TROUBLE.
    """
    since = f"{oldest:.6f}"
    if thread_ts is None:
        answer = client.conversations_history(
            channel=channel, oldest=since, limit=LOOKED_THROUGH, include_all_metadata=True
        )
    else:
        answer = client.conversations_replies(
            channel=channel,
            ts=thread_ts,
            oldest=since,
            limit=LOOKED_THROUGH,
            include_all_metadata=True,
        )
    marked = (each for each in answer["messages"] if mark in str(each.get("metadata")))
    return next((str(each["ts"]) for each in marked), None)
