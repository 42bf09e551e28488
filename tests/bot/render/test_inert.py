"""What a model or a database says cannot ping, link, hide or fetch anything."""

from __future__ import annotations

import json
import re

import pytest

from agent.messages import Chart, Clarification, Column, Outcome, QueryResult
from bot.render import (
    Doing,
    Mark,
    render_card,
    render_help,
    render_notice,
    render_sql,
    render_working,
)

TOKENS = [
    "<!channel>",
    "<!here|x>",
    "<@U123>",
    "<#C1>",
    "<!subteam^S1>",
    "<https://evil.example|x>",
]
LIVE = re.compile(r"<[!@#a-z/]", re.IGNORECASE)


def _everything(card) -> str:
    return json.dumps([card.blocks, card.text], ensure_ascii=False)


@pytest.mark.parametrize("token", TOKENS)
def test_tokens_are_inert_wherever_they_come_from(make_result, token):
    result = make_result(
        answer=f"{token} **{token}** `{token}`\n\n# {token}\n\n- {token}\n\n```\n{token}\n```",
        summary=token,
        warnings=(token,),
        results=(QueryResult(token, (Column(token, "text"),), ((token,), ("b",)), notes=(token,)),),
        charts=(Chart(token, 1, {}, b"", token),) * 2,
        model=token,
        tables=(token,),
    )
    question = make_result(
        Outcome.NEEDS_CLARIFICATION, clarification=Clarification(token, (token,)), answer=token
    )
    cards = [
        render_card(result, run_id="r1", chart_file_ids=["F1", None]),
        render_card(question, run_id="r1"),
        render_working([Doing(token), Doing(token, Mark.DONE)], model=token),
        render_sql([f"SELECT '{token}'"]),
        render_notice(token),
        render_help(model=token),
    ]
    for card in cards:
        assert not LIVE.search(_everything(card))


def test_entities_that_a_model_writes_do_not_become_tokens(make_result):
    card = render_card(make_result(answer="&lt;!channel&gt; &#60;@U1>"), run_id="r1")
    assert card.text == "&lt;!channel&gt; &lt;@U1&gt;"


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("[report](https://evil.example/?d=1&e=2)", "report (`https://evil.example/?d=1&amp;e=2`)"),
        ("see https://evil.example/x now", "see `https://evil.example/x` now"),
        ("<https://evil.example>", "`https://evil.example`"),
        ("[https://evil.example](https://evil.example)", "`https://evil.example`"),
        ("www.evil.example/x", "`www.evil.example/x`"),
        ("Before ![chart](https://evil.example/a.png) after", "Before  after"),
        ("a[x]\n\n[x]: https://evil.example", "ax (`https://evil.example`)"),
    ],
)
def test_addresses_are_shown_as_code_and_images_are_dropped(make_result, markdown, shown):
    card = render_card(make_result(answer=markdown), run_id="r1")
    assert card.blocks[0]["text"]["text"] == shown
    assert card.blocks[0]["text"]["verbatim"] is True
    assert card.text == shown.replace("://", ":∕∕")


def test_an_address_in_a_warning_or_a_notice_is_no_link(make_result, read):
    card = render_card(make_result(warnings=("See https://evil.example/x.",)), run_id="r1")
    assert read(card)[0] == "⚠️ *See `https://evil.example/x.`*"
    assert read(render_notice("Go to http://a.b/c")) == ["Go to `http://a.b/c`"]
    assert "://" not in card.text + render_notice("Go to http://a.b/c").text


def test_hidden_and_reordering_characters_are_stripped(make_result, categories):
    hidden = "a\u202eb\u2066c\u200bd\ufeffe\u200df\x00g\U000e0041h\u200e"
    rows = ((hidden, 1), ("b", 2))
    result = make_result(
        answer=hidden,
        warnings=(hidden,),
        results=(QueryResult("S", (Column(hidden, "text"), Column("n", "int4")), rows),),
    )
    text = _everything(render_card(result, run_id="r1"))
    assert text.count("abcdefgh") >= 4
    assert not re.search("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0041]", text)


def test_joiners_that_belong_to_a_script_or_an_emoji_stay(make_result):
    answer = "خانه\u200cها 👩\u200d🚀 क्\u200dष"
    assert render_card(make_result(answer=answer), run_id="r1").text == answer


def test_data_keeps_its_ampersands_and_comparisons_in_the_table(make_result, read):
    rows = (("AT&T", 1), ("<5 years", 2), ("a -> b", 3), ("c", 4))
    table = QueryResult("S", (Column("name", "text"), Column("n", "int4")), rows)
    lines = read(render_card(make_result(results=(table,)), run_id="r1"))
    assert {"AT&T | 1", "<5 years | 2", "a -> b | 3"} <= set(lines)


def test_data_keeps_its_ampersands_where_few_rows_are_told_as_words(make_result, read):
    rows = (("AT&T <5", 1), ("<!channel> *x*", 2))
    few = QueryResult("S", (Column("name", "text"), Column("n", "int4")), rows)
    lines = read(render_card(make_result(results=(few,)), run_id="r1"))
    assert {"• AT&amp;T &lt;5: 1", "• ‹!channel› ∗x∗: 2"} <= set(lines)


@pytest.mark.parametrize(
    ("markdown", "mrkdwn"),
    [
        ("**bold** *it* ~~gone~~ `code`", "*bold* _it_ ~gone~ `code`"),
        ("***both***", "_*both*_"),
        ("**a `b` c**", "*a* `b` *c*"),
        ("un**believ**able", "unbelievable"),
        ("# Title *x*", "*Title* *_x_*"),
        ("- a\n- b\n  - c", "• a\n• b\n    • c"),
        ("3. a\n4. b", "3. a\n4. b"),
        ("> quoted", "&gt; quoted"),
        ("film_category and store_id", "film_category and store_id"),
        (r"\*not bold\*", "∗not bold∗"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("```sql\nSELECT 1\n```", "```\nSELECT 1\n```"),
        ("````\na ``` b\n````", "```\na ˋˋˋ b\n```"),
        ("one\ntwo", "one\ntwo"),
    ],
)
def test_markdown_becomes_what_slack_understands(make_result, markdown, mrkdwn):
    assert render_card(make_result(answer=markdown), run_id="r1").text == mrkdwn
