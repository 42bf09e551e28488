"""An entry of the log, said in one sentence."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from agent.messages import Outcome
from bot.log_sentence import log_sentence
from bot.store import EscalationStatus, LogEntry

LINK = "https://example.slack.com/archives/C1/p1000"
ENTRY = LogEntry(
    run_id="r",
    question="top five film categories",
    asked_by="U1",
    channel="C1",
    thread_ts="1.0",
    message_ts="1.0",
    card_ts="2.0",
    outcome=Outcome.ANSWERED,
    failed=False,
    created_at=datetime(2026, 11, 24, 13, 5, tzinfo=UTC),
    summary="I looked at film.",
    answer="Sports.",
    duration_ms=12_345,
)


def say(**changes):
    return log_sentence(
        replace(ENTRY, **changes),
        permalink=LINK,
        time_zone="Europe/Berlin",
        today=date(2026, 11, 30),
    )


def test_it_says_when_who_what_and_how_it_ended():
    assert say() == (
        f"<{LINK}|Tue 24 Nov, 14:05>: <@U1> asked “top five film categories”: answered in 12 s."
    )


@pytest.mark.parametrize(
    ("cost", "words"), [("0.0213", " Cost: $0.02."), ("0.002", " Cost: under $0.01."), ("0", "")]
)
def test_it_says_what_it_cost(cost, words):
    assert say(cost_usd=Decimal(cost)) == say() + words


def test_another_year_and_a_missing_link_are_told_apart():
    said = log_sentence(
        replace(ENTRY, created_at=datetime(2025, 1, 2, tzinfo=UTC)),
        permalink="",
        today=date(2026, 11, 30),
    )
    assert said.startswith("Thu 2 Jan 2025, 00:00: <@U1>")


@pytest.mark.parametrize(
    ("changes", "ending"),
    [
        ({"duration_ms": 400}, "answered in less than a second."),
        ({"warnings": ("x",)}, "answered in 12 s, with a warning."),
        ({"outcome": Outcome.ANSWERED_WITH_CAVEATS}, "answered in 12 s, with a note."),
        ({"outcome": Outcome.NO_DATA}, "there was no such data."),
        (
            {"outcome": Outcome.NEEDS_CLARIFICATION, "answer": "Which year?"},
            "I asked back: “Which year?”",
        ),
        (
            {"outcome": Outcome.FAILED, "failed": True, "summary": "Too many errors. Ask again."},
            "failed after 12 s. Too many errors. Ask again.",
        ),
        (
            {"outcome": Outcome.SYSTEM_FAULT, "failed": True, "summary": "It is down."},
            "something broke on our side. It is down.",
        ),
        ({"outcome": Outcome.CANCELLED}, "stopped after 12 s."),
        ({"outcome": Outcome.NOT_PERMITTED, "summary": ""}, "not permitted."),
        ({"outcome": None, "summary": "I am busy."}, "not answered. I am busy."),
        (
            {"outcome": None, "summary": "cut off", "failed": True},
            "cut off in the middle, because I was stopped.",
        ),
        (
            {"outcome": Outcome.ESCALATED, "summary": "I kept coming back, so I stopped."},
            "no answer yet. I kept coming back, so I stopped. Nobody was told.",
        ),
        (
            {
                "outcome": Outcome.ESCALATED,
                "escalation": EscalationStatus.OPEN,
                "summary": "My answer did not pass its checks: 7 is in no row.",
            },
            "no answer yet. My answer did not pass its checks: 7 is in no row. "
            "It waits for a person.",
        ),
        (
            {"escalation": EscalationStatus.CLAIMED, "held_by": "U2"},
            "answered in 12 s. <@U2> has it.",
        ),
        (
            {"escalation": EscalationStatus.ANSWERED, "held_by": "U2"},
            "answered in 12 s. <@U2> answered it.",
        ),
        (
            {"escalation": EscalationStatus.MARKED_WRONG, "held_by": "U2"},
            "answered in 12 s. <@U2> marked it as wrong.",
        ),
        (
            {"escalation": EscalationStatus.CLOSED, "held_by": "U2"},
            "answered in 12 s. <@U2> closed it.",
        ),
    ],
)
def test_every_ending_has_its_words(changes, ending):
    assert say(**changes).endswith(f"”: {ending}")


@pytest.mark.parametrize("outcome", Outcome)
def test_no_ending_is_without_words(outcome):
    assert say(outcome=outcome).endswith((".", "”"))


def test_what_people_and_databases_wrote_stays_text():
    said = say(
        question="<!channel> *now* <https://evil.example|click>",
        summary="<@U9> & `x`",
        outcome=Outcome.FAILED,
        asked_by="U1> <!here",
    )
    assert "<!channel>" not in said
    assert "<!here" not in said
    assert "<@U9>" not in said
    assert "<https://evil" not in said


@pytest.mark.parametrize("outcome", Outcome)
def test_what_a_model_wrote_neither_links_nor_shouts(outcome):
    words = "See *this* at https://evil.example/x now."
    said = say(outcome=outcome, summary=words, answer=words)
    assert "*this*" not in said
    assert "evil" not in said or "`https://evil.example/x`" in said


def test_a_long_question_is_cut_and_one_that_never_ran_loses_its_mentions():
    assert "…”" in say(question="why " * 100)
    assert len(say(question="why " * 100)) < 300
    never = say(question="<@UBOT> a &amp; b\nc", outcome=None, summary="")
    assert "“a &amp; b c”" in never


def test_what_people_thought_of_it_stands_at_the_end():
    assert say(thumbs_up=2).endswith(". 👍 2")
    said = say(thumbs_up=1, thumbs_down=3, complaint="Not *2024*,\nbut <!here>")
    assert said.endswith(". 👍 1 👎 3 “Not ∗2024∗, but &lt;!here&gt;”")
