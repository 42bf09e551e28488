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
MAX_TABLE_WORDS: Final = 5
"""Words after "tables" that are taken for what to look for."""
_SENTENCE: Final = re.compile(
    r"\?$|\b(?:how|what|which|who|whose|when|where|why|is|are|was|were|do|does|did|has|have|can)\b",
    re.IGNORECASE,
)
_ABOUT: Final = re.compile(r"^(?:about|for|with|on|of|like|named|called)\s+", re.IGNORECASE)
_PRIVATE: Final = re.compile(
    r"private(?:ly)?(?:\s*(?P<mark>[:,–—]|-\s)|(?=[\s?!.]|$))(?P<question>.*)",
    re.IGNORECASE | re.DOTALL,
)
_GOES_WITH_PRIVATE: Final = re.compile(
    r"(?:equity|labels?|sector|school(?:s|ing)?|universit(?:y|ies)|tuition|insur(?:ance|ers)"
    r"|pensions?|banking|healthcare|placements?|landlords?|ownership|limited|keys?|jets?|and|or"
    r"|vs|versus)\b",
    re.IGNORECASE,
)
"""What makes one term with "private"; kept to what hardly anybody asks about by itself."""
_BEGINS_ANEW: Final = re.compile(
    r"(?:how|what|which|who|whose|whom|when|where|why|is|are|was|were|do|does|did|has|have|had|can"
    r"|could|will|would|show|list|give|tell|find|get|count|compare|plot|draw|chart|graph|calculate"
    r"|top|bottom|total|average|number|sum|share|the|all|our|my|each|every|please)\b",
    re.IGNORECASE,
)
"""How a sentence of its own begins, which "private" cannot be part of."""
_OF_ROWS: Final = re.compile(
    r"\d|\b(?:per|by|each|every|since|until|before|after|during|between|last|this|next|today"
    r"|yesterday|sold|ordered|bought|made|total|average|most|least|more|less|than|top)\b",
    re.IGNORECASE,
)
"""What stands in questions about rows, and hardly in the name of a table."""


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
class Tables:
    """What may be read of the database; `words` are what to look for, "" for everything."""

    words: str


@dataclass(frozen=True)
class Private:
    """A question that only the asker is to see, with its answer; "" where none was put."""

    question: str
    is_plain: bool = True
    """False: "private" might belong to the question itself."""


@dataclass(frozen=True)
class AboutItself:
    """A question about the bot's own record; "" where none was put."""

    question: str


Wish = Why | Queue | Usage | Log | Tables | Private | AboutItself


def read_wish(
    text: str, *, team: str, viewer: str, here: str, today: date, time_zone: str
) -> Wish | None:
    """Return what the words after /ask want of the bot's own record; None for a question.

    "why did revenue fall?" and "log of payments in May" are questions. "log refunds" is no
    sentence: somebody looks for it in the log, and what they look for is not for the channel.
    `viewer` asks in the channel `here`; `today` is the day in `time_zone`. What is for one
    person's eyes anyway may follow "private".
    """
    private = _private(text)
    if private is not None:
        about = {"team": team, "viewer": viewer, "here": here}
        inner = read_wish(private.question, **about, today=today, time_zone=time_zone)
        return private if inner is None else inner
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
    tables = _tables(words)
    if tables is not None:
        return tables
    first, _, rest = words.partition(" ")
    if first.casefold() != "log":
        return None
    search = parse_log(rest, team=team, viewer=viewer, here=here, today=today, time_zone=time_zone)
    is_for_us = isinstance(search, LogSearch) or rest == "?" or _is_search(rest)
    return Log(search) if is_for_us else None


def _private(text: str) -> Private | None:
    """Return the question of "private QUESTION"; None where "private" is part of a question.

    A question that is posted by mistake cannot be taken back, so "private" is taken for the form
    unless it goes with the very next word, as in "private equity deals by year".
    """
    found = _PRIVATE.match(text.strip())
    if found is None:
        return None
    question = found["question"].strip()
    if found["mark"] or not question or question in ("?", "help"):
        return Private("" if question in ("?", "help") else question)
    if _GOES_WITH_PRIVATE.match(question):
        return None
    return Private(question, is_plain=bool(_BEGINS_ANEW.match(question)))


def _tables(words: str) -> Tables | None:
    """Return what "tables", or "tables customer payment", looks for.

    "tables sold per month" may be about furniture: there words say what to do with rows.
    """
    first, _, rest = words.rstrip("?.!").partition(" ")
    if first.casefold().rstrip(":") != "tables":
        return None
    rest = _ABOUT.sub("", rest.strip())
    is_question = _SENTENCE.search(rest) or _OF_ROWS.search(rest)
    return None if is_question or len(rest.split()) > MAX_TABLE_WORDS else Tables(rest)


def _is_search(rest: str) -> bool:
    """Whether words that the log does not understand are meant for it all the same."""
    if rest.startswith("@"):  # a name that Slack did not fill in
        return True
    return len(rest.split()) <= MAX_SEARCH and not _SENTENCE.search(rest)
