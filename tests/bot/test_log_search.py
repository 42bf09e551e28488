"""`/ask log …`: what people write, and what is looked for."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from agent.messages import Outcome
from bot.log_search import LogHelp, parse_log
from bot.store import LogSearch

MONDAY = date(2026, 11, 30)
BERLIN = ZoneInfo("Europe/Berlin")
ANSWERED = frozenset({Outcome.ANSWERED, Outcome.ANSWERED_WITH_CAVEATS})


def parse(text, today=MONDAY):
    return parse_log(
        text, team="T1", viewer="UANN", here="CHERE", today=today, time_zone="Europe/Berlin"
    )


def search(**fields):
    return LogSearch(team="T1", viewer="UANN", here="CHERE", **fields)


def days(low, high):
    """The moments at which these days begin in Berlin."""
    moments = (day and datetime(*map(int, day.split("-")), tzinfo=BERLIN) for day in (low, high))
    return dict(zip(("since", "until"), moments, strict=True))


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("", {}),
        ("failed", {"failed": True}),
        ("thumbs down", {"thumbs_down": True}),
        ("with a :thumbsdown: by me", {"thumbs_down": True, "asked_by": "UANN"}),
        ("👎 this channel", {"thumbs_down": True, "channel": "CHERE"}),
        ("not thumbs down", {"thumbs_down": False}),
        ("without :-1:", {"thumbs_down": False}),
        ("answers with a thumbs up", {"thumbs_up": True}),
        (":+1:", {"thumbs_up": True}),
        ("FAILED runs", {"failed": True}),
        ("what went wrong", {"failed": True}),
        ("not failed", {"failed": False}),
        ("escalated", {"escalated": True}),
        ("not escalated", {"escalated": False}),
        ("answered", {"outcomes": ANSWERED}),
        ("no data", {"outcomes": frozenset({Outcome.NO_DATA})}),
        ("asked back", {"outcomes": frozenset({Outcome.NEEDS_CLARIFICATION})}),
        ("cancelled or no data", {"outcomes": frozenset({Outcome.CANCELLED, Outcome.NO_DATA})}),
        ("failed, cancelled", {"failed": True, "outcomes": frozenset({Outcome.CANCELLED})}),
        ("with warnings", {"warned": True}),
        ("answered without warnings", {"outcomes": ANSWERED, "warned": False}),
        ("mine", {"asked_by": "UANN"}),
        ("my questions", {"asked_by": "UANN"}),
        ("<@U123>", {"asked_by": "U123"}),
        ("<@U123|bob> failed", {"asked_by": "U123", "failed": True}),
        ("failed questions of <@W9>", {"asked_by": "W9", "failed": True}),
        ("here", {"channel": "CHERE"}),
        ("in <#C77|general>", {"channel": "C77"}),
        ("about revenue", {"words": ("revenue",)}),
        ("about late rentals", {"words": ("late", "rentals")}),
        ("about failed payments", {"words": ("failed", "payments")}),
        ("failed about payments", {"words": ("payments",), "failed": True}),
        ("“top five”", {"words": ("top five",)}),
        ('"Top five" mine', {"words": ("top five",), "asked_by": "UANN"}),
        ("“a” &amp; “b &amp; c”", None),
        ("“b &amp; c”", {"words": ("b & c",)}),
        ("show me all the questions", {}),
    ],
)
def test_what_people_write_is_understood(text, fields):
    found = parse(text)
    assert isinstance(found, LogHelp) if fields is None else found == search(**fields)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("today", "2026-11-30", "2026-12-01"),
        ("yesterday", "2026-11-29", "2026-11-30"),
        ("this week", "2026-11-30", "2026-12-07"),
        ("last week", "2026-11-23", "2026-11-30"),
        ("this month", "2026-11-01", "2026-12-01"),
        ("last month", "2026-10-01", "2026-11-01"),
        ("last quarter", "2026-07-01", "2026-10-01"),
        ("last year", "2025-01-01", "2026-01-01"),
        ("in November", "2026-11-01", "2026-12-01"),
        ("in December", "2025-12-01", "2026-01-01"),
        ("in May 2024", "2024-05-01", "2024-06-01"),
        ("in 2025", "2025-01-01", "2026-01-01"),
        ("since 3 May", "2026-05-03", None),
        ("since May 3rd, 2025", "2025-05-03", None),
        ("since 5 December", "2025-12-05", None),
        ("before 3.5.2026", None, "2026-05-03"),
        ("after 2026-11-20", "2026-11-21", None),
        ("until yesterday", None, "2026-11-30"),
        ("on Sunday", "2026-11-29", "2026-11-30"),
        ("last Friday", "2026-11-27", "2026-11-28"),
        ("since Friday", "2026-11-27", None),
        ("last 7 days", "2026-11-24", "2026-12-01"),
        ("in the last two weeks", "2026-11-17", "2026-12-01"),
        ("3 days ago", "2026-11-27", "2026-11-28"),
        ("from 1 May to 10 May", "2026-05-01", "2026-05-11"),
        ("between 1 May and 10 May", "2026-05-01", "2026-05-11"),
        ("since 3 May until 5 May", "2026-05-03", "2026-05-06"),
    ],
)
def test_times_are_days_of_the_past_in_the_zone(text, low, high):
    assert parse(text) == search(**days(low, high))


def test_a_period_ends_where_a_short_month_does():
    assert parse("last month", date(2026, 3, 31)) == search(**days("2026-02-01", "2026-03-01"))
    assert parse("last 1 month", date(2026, 3, 30)) == search(**days("2026-02-28", "2026-03-31"))


@pytest.mark.parametrize(
    "text",
    [
        "failed <@U123|bob> last week about revenue here",
        "about revenue here last week <@U123|bob> failed",
        "last week, about revenue, by <@U123>, failed, in this channel",
        "<@U123> failed questions about revenue from here, last week",
    ],
)
def test_all_of_it_goes_together_in_any_order(text):
    assert parse(text) == search(
        failed=True,
        asked_by="U123",
        words=("revenue",),
        channel="CHERE",
        **days("2026-11-23", "2026-11-30"),
    )


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("banana", "“banana”"),
        ("failed banana this week", "“banana”"),
        ("@bob", "“@bob”"),
        ("30 February", "“30”"),
        ("<script>", "“script”"),
        ("’; drop table", "“drop”"),
    ],
)
def test_what_is_not_understood_is_named_beside_what_is(text, unknown):
    found = parse(text)
    assert isinstance(found, LogHelp)
    assert unknown in found.text
    assert "`/ask log failed this week`" in found.text


def test_a_name_that_slack_did_not_fill_in_is_explained():
    assert "Pick the @name" in parse("@bob").text


def test_help_is_given_when_asked_for():
    assert parse("help").text.startswith("I understand, in any order: `failed`")


def test_foreign_words_cannot_ping_or_link_in_the_help():
    text = parse("<!channel> <https://evil.example|click> @here").text
    assert "<" not in text
    assert "https://" not in text.replace("`", "") or "`https" in text
