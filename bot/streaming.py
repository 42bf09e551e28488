"""Streamed messages: what ends them, and how one is changed that may still be streaming."""

from __future__ import annotations

import logging
from typing import Final

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.render import Card
from bot.slack_errors import SLACK_TROUBLE, error_code, what_went_wrong

log = logging.getLogger(__name__)

STREAMING: Final = "streaming_state_conflict"
"""What Slack says of an edit as long as the message is streamed."""
ENDED: Final = frozenset({"message_not_in_streaming_state", "stopped_by_user", "message_not_found"})
"""What Slack says of a stream that is over. Each is, some five minutes after its start."""
REFUSED_FORM: Final = frozenset(
    {"invalid_chunks", "invalid_blocks", "invalid_blocks_format", "invalid_arguments"}
)
"""What Slack may say of a stream that has a button in it, where it does not take any."""


def change(client: WebClient, channel: str, ts: str, card: Card) -> None:
    """Make a message a card; where it is still streamed, that is ended first.

    Raises one of SLACK_TROUBLE.
    """
    try:
        client.chat_update(channel=channel, ts=ts, blocks=card.blocks, text=card.text)
    except SlackApiError as error:
        if error_code(error) != STREAMING:
            raise
        _stop(client, channel, ts, error)
        client.chat_update(channel=channel, ts=ts, blocks=card.blocks, text=card.text)


def _stop(client: WebClient, channel: str, ts: str, conflict: SlackApiError) -> None:
    try:
        client.chat_stopStream(channel=channel, ts=ts)
    except SLACK_TROUBLE as error:
        if error_code(error) not in ENDED:
            log.warning("a stream could not be ended: %s", what_went_wrong(error))
            raise conflict from error
