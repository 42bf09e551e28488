"""What follows /ask and is no question about the data: a closed list of forms; pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from bot.about_itself import about_itself
from bot.log_search import LogHelp, parse_log
from bot.small_talk import asks_why
from bot.store import LogSearch

MAX_SEARCH: Final = 3
"""Words after "log" that are taken for a search even where it is not understood."""
_SENTENCE: Final = re.compile(
    r"\?$|\b(?:how|what|which|who|whose|when|where|why|is|are|was|were|do|does|did|has|have|can)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Why:
    """How the last answer came about."""


@dataclass(frozen=True)
class Queue:
    """What waits for a person."""


@dataclass(frozen=True)
class Usage:
    """What one's questions have taken, and what is left."""


@dataclass(frozen=True)
class Log:
    """What was asked and how it ended."""

    search: LogSearch | LogHelp


@dataclass(frozen=True)
class AboutItself:
    """A question about the bot's own record; "" where none was put."""

    question: str


Wish = Why | Queue | Usage | Log | AboutItself


def read_wish(
    text: str, *, team: str, viewer: str, here: str, today: date, time_zone: str
) -> Wish | None:
    """Return what the words after /ask want of the bot's own record; None for a question.

    "why did revenue fall?" and "log of payments in May" are questions. "log refunds" is no
    sentence: somebody looks for it in the log, and what they look for is not for the channel.
    `viewer` asks in the channel `here`; `today` is the day in `time_zone`.
    """
    words = " ".join(text.split())
    if asks_why(words):
        return Why()
    if words.casefold().rstrip("?.!") in ("queue", "the queue"):
        return Queue()
    if words.casefold().rstrip("?.!") in ("usage", "my usage", "the usage"):
        return Usage()
    question = about_itself(words)
    if question is not None:
        return AboutItself(question)
    first, _, rest = words.partition(" ")
    if first.casefold() != "log":
        return None
    search = parse_log(rest, team=team, viewer=viewer, here=here, today=today, time_zone=time_zone)
    is_for_us = isinstance(search, LogSearch) or rest == "?" or _is_search(rest)
    return Log(search) if is_for_us else None


def _is_search(rest: str) -> bool:
    """Whether words that the log does not understand are meant for it all the same."""
    if rest.startswith("@"):  # a name that Slack did not fill in
        return True
    return len(rest.split()) <= MAX_SEARCH and not _SENTENCE.search(rest)
