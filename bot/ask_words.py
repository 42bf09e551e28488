"""What follows /ask and is no question about the data: a closed list of forms; pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from bot.about_itself import about_itself
from bot.log_search import LogHelp, parse_log
from bot.small_talk import asks_why
from bot.store import LogSearch


@dataclass(frozen=True)
class Why:
    """How the last answer came about."""


@dataclass(frozen=True)
class Queue:
    """What waits for a person."""


@dataclass(frozen=True)
class Log:
    """What was asked and how it ended."""

    search: LogSearch | LogHelp


@dataclass(frozen=True)
class AboutItself:
    """A question about the bot's own record; "" where none was put."""

    question: str


Wish = Why | Queue | Log | AboutItself


def read_wish(
    text: str, *, team: str, viewer: str, here: str, today: date, time_zone: str
) -> Wish | None:
    """Return what the words after /ask want of the bot's own record; None for a question.

    Only exact forms count: "why did revenue fall?" and "log of payments in May" are questions.
    `viewer` asks in the channel `here`; `today` is the day in `time_zone`.
    """
    words = " ".join(text.split())
    if asks_why(words):
        return Why()
    if words.casefold().rstrip("?.!") in ("queue", "the queue"):
        return Queue()
    question = about_itself(words)
    if question is not None:
        return AboutItself(question)
    first, _, rest = words.partition(" ")
    if first.casefold() != "log":
        return None
    search = parse_log(rest, team=team, viewer=viewer, here=here, today=today, time_zone=time_zone)
    # What it does not understand is about the data, as far as we know.
    is_for_us = isinstance(search, LogSearch) or rest.casefold() in ("help", "?")
    return Log(search) if is_for_us else None
