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
_MORE_OF_IT: Final = re.compile(
    r"(?:(?:for|of|by|in|the|my|and|please|now|today|so far|all|mine|me|everybody|everyone|here"
    r"|left|limits?|budget|costs?|tokens?|this (?:week|month|channel)|<@[a-z0-9]+(?:\|[^>]*)?>)"
    r"(?:\s|$))*",
    re.IGNORECASE,
)
"""What is said behind "usage" or "queue" and asks for no more than they tell."""
_ALL_TABLES: Final = re.compile(
    r"(?:(?:help|\?|all|please|list|here|(?:in|of) (?:the|this|your) (?:database|db)"
    r"|(?:that )?you (?:can|may) read)(?:\s|$))+",
    re.IGNORECASE,
)
MAX_BEHIND: Final = 2
"""Words behind the name of a form that are hardly a question about the data."""
_OF: Final = re.compile(r"\b(?:of|for|in|on(?= )|at|from|to|with|and|or|as|over)\b", re.IGNORECASE)
_FORM: Final = re.compile(
    r"(?:(?:my|the|channel) )?(?P<form>usage|queue|settings?|help)\b:?(?P<rest>.*)", re.IGNORECASE
)
_TOPICS: Final = frozenset(
    {"usage", "queue", "settings", "log", "tables", "why", "private", "stop", "commands"}
    | {"about yourself", "me please", "please", "help", "ask"}
)
"""What one may want help with that is no question about the data."""


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


@dataclass(frozen=True)
class Explain:
    """What a form does, for somebody who put words behind it that it does not take."""

    form: str
    words: str


Wish = Why | Explain | Queue | Usage | Log | Tables | Private | AboutItself


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
    form = _form(words)
    if form is not None:
        return form
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


def _form(words: str) -> Queue | Usage | Explain | None:
    """Return what "usage", "queue this week" or "settings help" want; None for a question.

    A run costs money, and an explanation does not: a word or two behind the name of a form, that
    make no question, are answered with what the form does.
    """
    found = _FORM.fullmatch(words)
    if found is None:
        return None
    form, rest = found["form"].casefold(), found["rest"].strip()
    bare = rest.rstrip("?.! ")
    if form == "help":
        return Explain(form, rest) if bare.removeprefix("/ask ").casefold() in _TOPICS else None
    if form in ("usage", "queue") and _MORE_OF_IT.fullmatch(bare):
        return Usage() if form == "usage" else Queue()
    is_question = any(each.search(rest) for each in (_SENTENCE, _OF_ROWS, _OF))
    if bare and (is_question or len(bare.split()) > MAX_BEHIND):
        return None
    return Explain("settings" if form == "setting" else form, "" if bare == "help" else bare)


def _tables(words: str) -> Tables | None:
    """Return what "tables", or "tables customer payment", looks for.

    "tables sold per month" may be about furniture: there words say what to do with rows.
    """
    first, _, rest = words.rstrip("?.!").partition(" ")
    if first.casefold().rstrip(":") != "tables":
        return None
    rest = _ABOUT.sub("", rest.strip())
    if _ALL_TABLES.fullmatch(rest):
        return Tables("")
    is_question = _SENTENCE.search(rest) or _OF_ROWS.search(rest)
    return None if is_question or len(rest.split()) > MAX_TABLE_WORDS else Tables(rest)


def _is_search(rest: str) -> bool:
    """Whether words that the log does not understand are meant for it all the same."""
    if rest.startswith("@"):  # a name that Slack did not fill in
        return True
    return len(rest.split()) <= MAX_SEARCH and not _SENTENCE.search(rest)
