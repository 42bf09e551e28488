"""The status line of an agent's thread: costs nothing where it cannot be shown."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from slack_sdk import WebClient

from agent.messages import AgentResult, Outcome
from bot.links import NO_MESSAGE
from bot.render.text import clip, inert
from bot.slack_errors import SLACK_TROUBLE, what_went_wrong
from bot.store import Thread

log = logging.getLogger(__name__)

ACTIVE: Final = "active"
PROCESSING: Final = "processing"
SUSPENDED: Final = "suspended"
"""It is the person's turn."""
MAX_TITLE = 200
"""Slack refuses a longer title."""


@dataclass
class Session:
    """What a thread is taken for once the work is over."""

    ends_as: str = ACTIVE


@contextmanager
def agent_session(
    client: WebClient, thread: Thread, title: str = "", *, is_kept: bool = False
) -> Iterator[Session]:
    """Show the thread as being worked on while the block lasts, where it is a direct message.

    `title` is what the thread is called from now on in the list of a person's threads, if given.
    `is_kept`: somebody else looks after how it is shown.
    """
    session = Session()
    if not thread.is_direct or thread.ts.startswith(NO_MESSAGE):
        yield session
        return
    if not is_kept:
        set_status(client, thread, PROCESSING)
    if title.strip():
        _rename(client, thread, clip(inert(title), MAX_TITLE))
    try:
        yield session
    finally:
        if not is_kept:
            set_status(client, thread, session.ends_as)


def is_asked_back(result: AgentResult) -> bool:
    """Is it the person's turn: does the run end with a question to them?"""
    return result.outcome is Outcome.NEEDS_CLARIFICATION


def set_status(client: WebClient, thread: Thread, status: str) -> None:
    """Tell Slack what a thread is; left out where it does not take that."""
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
