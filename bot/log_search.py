"""`/ask log …`: what somebody looks for in the log, from their words; pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from typing import Final
from zoneinfo import ZoneInfo

from agent.messages import Outcome
from bot.log_dates import Span, read_span
from bot.render.text import plain
from bot.store.records import LogSearch

UNDERSTOOD: Final = (
    "I understand, in any order: `failed`, `answered`, `no data`, `asked back`, `cancelled`, "
    "`escalated`, `with warnings`, `thumbs down` · `today`, `this week`, `last month`, "
    "`in November`, `since 3 May`, `last 7 days` · `mine`, or somebody’s @name · `here`, or a "
    "#channel · `about refunds`, or words in quotes. For example: `/ask log failed this week`."
)
MAX_WORDS: Final = 10


@dataclass(frozen=True)
class LogHelp:
    """No search, but what to say to the person, as mrkdwn."""

    text: str


@dataclass(frozen=True)
class _Context:
    today: date
    zone: ZoneInfo


Change = Callable[[LogSearch, re.Match[str]], LogSearch]


def _ends(*outcomes: Outcome) -> Change:
    return lambda search, _: replace(
        search, outcomes=(search.outcomes or frozenset()) | frozenset(outcomes)
    )


def _sets(**fields: bool) -> Change:
    return lambda search, _: replace(search, **fields)  # type: ignore[arg-type]


def _quoted(search: LogSearch, found: re.Match[str]) -> LogSearch:
    return replace(search, words=(*search.words, found["quoted"].strip()))


_NOT = r"(?:not |never |un|without |no |did ?n[o’']?t )"
_RULES: Final[tuple[tuple[re.Pattern[str], Change], ...]] = tuple(
    (re.compile(pattern), change)
    for pattern, change in (
        (rf"{_NOT}fail(?:ed|ures?)?\b", _sets(failed=False)),
        (r"(?:failed|failures?|failing|errors?|went wrong|broken|broke)\b", _sets(failed=True)),
        (rf"{_NOT}escalat(?:ed|ions?)\b", _sets(escalated=False)),
        (r"(?:escalated|escalations?|handed over)\b", _sets(escalated=True)),
        (rf"{_NOT}(?:warned|warnings?)\b", _sets(warned=False)),
        (r"(?:with )?(?:a )?(?:warned|warnings?)\b", _sets(warned=True)),
        (rf"{_NOT}(?:thumbs? down|👎|:-1:|:thumbsdown:|disliked)", _sets(thumbs_down=False)),
        (
            r"(?:with )?(?:a )?(?:thumbs? down\b|👎|:-1:|:thumbsdown:|disliked\b)",
            _sets(thumbs_down=True),
        ),
        (
            r"(?:with )?(?:a )?(?:thumbs? up\b|👍|:\+1:|:thumbsup:|liked\b)",
            _sets(thumbs_up=True),
        ),
        (r"(?:no|without|empty) (?:data|rows|results?)\b", _ends(Outcome.NO_DATA)),
        (
            r"(?:with )?(?:a )?caveats?\b",
            _ends(Outcome.ANSWERED_WITH_CAVEATS),
        ),
        (
            r"(?:answered|with (?:an )?answers?|successful|succeeded)\b",
            _ends(Outcome.ANSWERED, Outcome.ANSWERED_WITH_CAVEATS),
        ),
        (r"(?:asked back|questions? back|clarifications?)\b", _ends(Outcome.NEEDS_CLARIFICATION)),
        (r"(?:not permitted|forbidden)\b", _ends(Outcome.NOT_PERMITTED)),
        (r"(?:cancell?ed|stopped)\b", _ends(Outcome.CANCELLED)),
        (
            r"(?:by me|mine|my own|my|i asked)\b",
            lambda search, _: replace(search, asked_by=search.viewer),
        ),
        (
            r"(?:by |from |of )?<@(?P<user>[a-z0-9]+)(?:\|[^>]*)?>",
            lambda search, found: replace(search, asked_by=found["user"].upper()),
        ),
        (
            r"(?:in |from )?<#(?P<channel>[a-z0-9]+)(?:\|[^>]*)?>",
            lambda search, found: replace(search, channel=found["channel"].upper()),
        ),
        (
            r"(?:in )?(?:here|this channel)\b",
            lambda search, _: replace(search, channel=search.here),
        ),
        (r"[\"“”„](?P<quoted>[^\"“”„]+)[\"“”]", _quoted),
    )
)
_FILLER: Final = re.compile(
    r"(?:all|any|and|or|the|runs?|questions?|answers?|entries|only|just|show|list|find|me|please"
    r"|were|was|that|which|who|with|have|has|from|of|by|asked|what|log)\b|[,;:.?!]"
)
_ABOUT: Final = re.compile(r"(?:about|containing|mentioning) ")
_WORD: Final = re.compile(r"[^\s,;:?!<>\"“”„]+")


def parse_log(
    text: str, *, team: str, viewer: str, here: str, today: date, time_zone: str
) -> LogSearch | LogHelp:
    """Return the search that `text` (what follows "/ask log") asks for, or the help.

    `viewer` is the member who asks, `here` the channel in which they do; `today` is the day in
    `time_zone`, in which days begin and end.
    """
    context = _Context(today, ZoneInfo(time_zone))
    search = LogSearch(team=team, viewer=viewer, here=here)
    rest = " ".join(_entities(text).lower().split())
    if rest in ("help", "?"):
        return LogHelp(UNDERSTOOD)
    unknown: list[str] = []
    about = False
    while rest:
        taken = _take(search, rest, context, about=about)
        if taken is None:
            word = _WORD.match(rest)
            unknown.append(word[0] if word else rest[0])
            rest = rest[len(unknown[-1]) :].lstrip()
            continue
        search, length, about = taken
        rest = rest[length:].lstrip()
    if unknown:
        return LogHelp(_not_understood(unknown))
    return replace(search, words=search.words[:MAX_WORDS])


def _take(
    search: LogSearch, rest: str, context: _Context, *, about: bool
) -> tuple[LogSearch, int, bool] | None:
    """Read one thing off the beginning of `rest`: the search after it, its length, still about."""
    for change, length in _known(search, rest, context):
        return change, length, False
    opener = _ABOUT.match(rest)
    if opener is not None and (word := _WORD.match(rest, opener.end())):
        # The first word after "about" is always meant as a word: "about failed payments".
        return replace(search, words=(*search.words, word[0])), word.end(), True
    if filler := _FILLER.match(rest):
        return search, filler.end(), about
    if about and (word := _WORD.match(rest)):
        return replace(search, words=(*search.words, word[0])), word.end(), True
    return None


def _known(search: LogSearch, rest: str, context: _Context) -> Iterator[tuple[LogSearch, int]]:
    for pattern, change in _RULES:
        if found := pattern.match(rest):
            yield change(search, found), found.end()
    if read := read_span(rest, context.today):
        span, length = read
        yield _within(search, span, context.zone), length


def _within(search: LogSearch, span: Span, zone: ZoneInfo) -> LogSearch:
    return replace(
        search,
        since=_midnight(span.low, zone) if span.low else search.since,
        until=_midnight(span.high, zone) if span.high else search.until,
    )


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(), zone)


def _entities(text: str) -> str:
    return text.replace("&lt;", "‹").replace("&gt;", "›").replace("&amp;", "&")


def _not_understood(words: list[str]) -> str:
    shown = ", ".join(f"“{plain(word)}”" for word in dict.fromkeys(words[:3]))
    help_with_names = (
        " Pick the @name from Slack’s list, so that I get the person."
        if any(word.startswith("@") for word in words)
        else ""
    )
    return (
        f"I do not understand {shown} here.{help_with_names} {UNDERSTOOD} "
        "Is it a question about your data? Then put it as a whole sentence."
    )
