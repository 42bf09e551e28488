"""The status line of an agent's thread: costs nothing where it cannot be shown."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from slack_sdk import WebClient

from bot.links import NO_MESSAGE
from bot.render.text import clip, inert
from bot.slack_errors import SLACK_TROUBLE, what_went_wrong
from bot.store import Thread

log = logging.getLogger(__name__)

MAX_TITLE = 200
"""Slack refuses a longer title."""


@contextmanager
def agent_session(client: WebClient, thread: Thread, title: str = "") -> Iterator[None]:
    """Show the thread as being worked on while the block lasts, where it is a direct message.

    `title` is what the thread is called from now on in the list of a person's threads, if given.
    """
    if not thread.is_direct or thread.ts.startswith(NO_MESSAGE):
        yield
        return
    _set(client, thread, "processing")
    if title.strip():
        _rename(client, thread, clip(inert(title), MAX_TITLE))
    try:
        yield
    finally:
        _set(client, thread, "active")


def _set(client: WebClient, thread: Thread, status: str) -> None:
    try:
        client.agents_sessions_setStatus(
            channel_id=thread.channel, thread_ts=thread.ts, status=status
        )
    except SLACK_TROUBLE as error:
        log.debug("no session status: %s", what_went_wrong(error))


def _rename(client: WebClient, thread: Thread, title: str) -> None:
    try:
        client.agents_sessions_rename(channel_id=thread.channel, thread_ts=thread.ts, title=title)
    except SLACK_TROUBLE as error:
        log.debug("a session keeps its old title: %s", what_went_wrong(error))
