"""What people see of a run that came to them, and what reaches whoever asked."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from agent.messages import Outcome, QueryResult
from bot.local_workspace.blocks.validate import check_message_blocks, check_view
from bot.render import reduced
from bot.render.counting import waiting_time
from bot.render.escalation import Handed, render_escalation
from bot.render.modals import render_answer_modal, render_shut_modal, render_wrong_modal
from bot.render.people import moment
from bot.render.queue import Waiting, render_queue, render_reminder
from bot.render.verdicts import render_answer, render_wrong, with_warning

NOON = datetime(2026, 11, 30, 12, 5, tzinfo=UTC)
LONG = "<!channel> & <https://x.example|y> `a` *b* " * 400
LIVE = re.compile(r"<(?:!channel|https://x\.example\|)")


@pytest.fixture
def handed(make_result):
    def make(outcome=Outcome.ESCALATED, **changes):
        result = make_result(outcome, answer="", draft="Sports earned 9,999.", question="By what?")
        values = {
            "id": "e1",
            "result": result,
            "asker": "U1",
            "caller": "",
            "objections": ("9,999 stands in no row.",),
            "story": "I looked at `payment`.",
            "thread_link": "https://slack.example/1",
            "opened_at": NOON,
        }
        return Handed(**(values | changes))

    return make


def test_a_refused_run_reads_from_the_question_to_the_buttons(handed, read):
    assert read(render_escalation(handed())) == [
        "*🙋 A question for a person:* <@U1> <https://slack.example/1|asked>",
        "&gt; By what?",
        "My own checks refused what I had written.",
        "🚫 *My refused draft, which nobody else has seen:*",
        "&gt; Sports earned 9,999.",
        "*What my checks said:*",
        "• 9,999 stands in no row.",
        "Category | Revenue",
        "Sports | 5,314.21",
        "Sci-Fi | 4,756.98",
        "– | 12.00",
        "Drama | 3.00",
        "(How: category, payment · 1 query)",
        "```",
        "SELECT name, sum(amount) AS revenue FROM category GROUP BY name LIMIT 4",
        "```",
        "*What I did:*",
        "I looked at `payment`.",
        f"(Waiting since {moment(NOON)}. Nobody has taken it yet.)",
        "[I take it] [Answer] [Close]",
    ]


def test_a_run_that_came_to_no_draft_says_why_it_stopped(handed, make_result, read):
    stuck = make_result(Outcome.ESCALATED, answer="", draft="", results=(), tables=())
    lines = read(render_escalation(handed(result=stuck, objections=("I kept coming back.",))))
    assert "I found no way to an answer." in lines
    assert lines[lines.index("*Why I stopped:*") + 1] == "• I kept coming back."
    assert "draft" not in str(lines)


def test_what_is_settled_says_so_first_and_has_no_buttons(handed, read):
    settled = handed(
        ending="answered", settled_by="U2", settled_at=NOON, answer="5,314.", undelivered=True
    )
    lines = read(render_escalation(settled))
    assert lines[0].startswith("*✅ Answered:* <@U1>")
    assert lines[3:6] == [
        f"*<@U2> answered*, {moment(NOON)}:",
        "&gt; 5,314.",
        "❗ Slack did not let me tell <@U1>. Please tell them yourself.",
    ]
    assert not any("[" in line for line in lines)


def test_marks_of_an_answer_and_of_a_person_are_shown_as_marks(handed, make_result, read):
    result = make_result(answer="There are **1,000** films.\n\n- <!channel> *one*")
    settled = handed(
        result=result,
        ending="answered",
        settled_by="U2",
        answer="It is *5,314*: https://wiki.example/a <!here>",
    )
    lines = read(render_escalation(settled))
    assert "&gt; There are *1,000* films." in lines
    assert "&gt; • &lt;!channel&gt; _one_" in lines
    assert "&gt; It is *5,314*: `https://wiki.example/a` &lt;!here&gt;" in lines


def test_a_moment_has_words_for_those_who_see_no_local_time():
    assert moment(NOON) == (
        f"<!date^{int(NOON.timestamp())}^{{date_short_pretty}}, {{time}}|30 Nov, 12:05 UTC>"
    )


@pytest.mark.parametrize("ending", ["", "answered", "marked_wrong", "closed"])
@pytest.mark.parametrize("outcome", [Outcome.ESCALATED, Outcome.ANSWERED, Outcome.FAILED])
def test_the_longest_run_is_a_post_that_slack_takes_and_that_pings_nobody(
    handed, make_result, categories, outcome, ending
):
    wide = replace(categories, rows=((LONG, 1),) * 40, sql=LONG, notes=(LONG,), truncated=True)
    result = make_result(
        outcome,
        question=LONG,
        answer=LONG,
        draft=LONG,
        summary=LONG,
        results=(wide,) * 8,
        tables=(LONG,) * 20,
        caveats=(LONG,),
        plan=(LONG,) * 5,
    )
    card = render_escalation(
        handed(
            result=result,
            caller="U3",
            objections=(LONG,) * 9,
            story=LONG,
            ending=ending,
            settled_by="U2",
            settled_at=NOON,
            answer=LONG,
        )
    )
    for each in (card, reduced(card)):
        check_message_blocks(each.blocks, lambda file: None)
        assert len(each.text) <= 4_000
        assert not LIVE.search(json.dumps([each.blocks, each.text]))


@pytest.mark.parametrize(
    "view",
    [
        render_answer_modal("k" * 100, question=LONG, asker="U1", holder="U2"),
        render_wrong_modal("k" * 100, question=LONG, answer=LONG),
        render_shut_modal("<@U1> answered it already."),
    ],
)
def test_a_window_is_one_that_slack_opens(view):
    check_view(view, lambda file: None)
    assert not LIVE.search(json.dumps(view))


def test_a_persons_words_keep_their_marks_and_links_and_ping_nobody(read):
    words = "*Yes*: https://wiki.example/a?b=1&c=2. Ask <!channel> & me."
    card = render_answer(asker="U1", who="U2", answer=words, question="Really?")
    assert read(card) == [
        "<@U1>: *<@U2> answers:*",
        "*Yes*: <https://wiki.example/a?b=1&amp;c=2>. Ask &lt;!channel&gt; &amp; me.",
        "(About: “Really?”)",
    ]
    assert "://" not in card.text


@pytest.mark.parametrize("text", ["&" * 2_500, "word " * 500, "x" * 2_500])
def test_the_longest_words_of_a_person_are_ones_that_slack_takes(text):
    for card in (
        render_answer(asker="U1", who="U2", answer=text, question=text),
        render_wrong(asker="U1", who="U2", note=text, question=text),
        with_warning([], text, who="U2", note=text),
    ):
        check_message_blocks(card.blocks, lambda file: None)
        assert len(card.text) <= 4_000


def test_a_long_queue_is_one_that_slack_takes(read):
    one = Waiting(LONG, "U1", 7_300.0, "U2", "https://slack.example/1", "https://slack.example/2")
    for card in (render_queue([one] * 15, more=4, hidden=2), render_reminder([one] * 40)):
        check_message_blocks(card.blocks, lambda file: None)
        assert not LIVE.search(json.dumps([card.blocks, card.text]))
    lines = read(render_queue([one], more=4, hidden=1))
    assert lines[0] == "*5 questions waiting for a person*, oldest first:"
    assert lines[-2:] == [
        "(4 more questions after these.)",
        "(1 more question from conversations that you are not in.)",
    ]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (5, "less than a minute"),
        (61, "1 min"),
        (3_599, "59 min"),
        (3_600, "1 h"),
        (172_799, "47 h"),
        (172_800, "2 days"),
    ],
)
def test_a_wait_is_told_roughly(seconds, words):
    assert waiting_time(seconds) == words


def test_a_query_without_words_is_still_a_post(handed, make_result):
    empty = make_result(Outcome.ESCALATED, results=(QueryResult("", (), ()),))
    check_message_blocks(render_escalation(handed(result=empty)).blocks, lambda file: None)
