"""Whatever a run holds, its messages are ones that Slack takes and that ping nobody."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.messages import (
    AgentResult,
    Chart,
    Clarification,
    Column,
    Evidence,
    Figure,
    Outcome,
    QueryResult,
)
from agent.warnings import FAILED_WARNING, NO_QUERY_WARNING
from bot.local_workspace.blocks.validate import check_message_blocks, check_view, walk
from bot.render import (
    Doing,
    Handoff,
    reduced,
    render_card,
    render_csv,
    render_help,
    render_notice,
    render_sql,
    render_why,
    render_working,
)
from bot.render.escalation import Handed, render_escalation
from bot.render.feedback import render_reason_modal
from bot.render.people import quoted
from bot.render.reader import Reader

# The same runs everywhere: a slow or a busy machine must not decide what is tested.
FUZZ = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
OUR_TIME = re.compile(r"<!date\^\d+\^\{date_short_pretty\}, \{time\}\|[^<>]*>")
LIVE = re.compile(r"<[!@#]|<[a-z]+:", re.IGNORECASE)
NUMBER = re.compile(r"-?\d+(\.\d+)?(E[+-]?\d+)?|-\$?[\d.,]+")
HALF_ENTITY = re.compile("&(?!amp;|lt;|gt;)")
HIDDEN = re.compile("[\x00-\x08\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")

_bits = st.sampled_from(
    [
        *(
            "<!channel>",
            "<@U1>",
            "<https://x.example|y>",
            "https://x.example/?a=1&b=2",
            "&lt;!here>",
        ),
        *(
            "**b",
            "*",
            "_",
            "~~",
            "`",
            "```",
            "\n",
            "\n\n",
            "- ",
            "1. ",
            "# ",
            "> ",
            "|a|b|\n|-|-|\n",
        ),
        *(
            "![i](u)",
            "[l](u)",
            "\u202e",
            "\u200d",
            "\ud800",
            "\x00",
            "&",
            "<",
            ">",
            "“’",
            "é",
            "日本",
            "👩‍🚀",
        ),
    ]
)
_short = st.text(max_size=20) | st.lists(_bits, max_size=8).map("".join)
_texts = st.one_of(
    _short,
    st.lists(_short, max_size=12).map(" ".join),
    st.builds(lambda bit, times: bit * times, _bits, st.integers(1, 6_000)),
    st.builds(lambda bit, times: f"{bit} words " * times, _bits, st.integers(1, 2_000)),
)
_cells = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.decimals(),
    st.decimals(allow_nan=False, places=16, min_value=-(10**9), max_value=10**9),
    _texts,
)
_types = st.sampled_from(["text", "int4", "numeric", "date", "timestamptz", "money", "jsonb"])
_columns = st.builds(Column, _short | st.sampled_from(["film_id", "year", "month"]), _types)


_queries = _texts | st.builds(
    lambda columns, values: (
        "SELECT 1 FROM film WHERE "
        + " AND ".join(
            f"""\"{column.replace('"', "")}x\" = '{value.replace("'", "")}'"""
            for column, value in zip(columns, values, strict=True)
        )
    ),
    st.lists(_short, min_size=9, max_size=9),
    st.lists(_short, min_size=9, max_size=9),
)


@st.composite
def _results(draw: st.DrawFn) -> QueryResult:
    columns = draw(st.lists(_columns, max_size=30))
    row = st.tuples(*[_cells] * len(columns))
    rows = draw(st.lists(row, max_size=4)) * draw(st.sampled_from([1, 1, 40]))
    notes = draw(st.lists(_texts, max_size=2))
    return QueryResult(
        draw(_queries), tuple(columns), tuple(rows), draw(st.booleans()), notes=tuple(notes)
    )


_charts = st.builds(Chart, _texts, st.just(1), st.just({}), st.just(b""), _texts)
_clarifications = st.builds(Clarification, _texts, st.lists(_texts, max_size=5).map(tuple))
_locales = st.sampled_from(("", "de-DE", "ar-EG", "hi-IN", "tr-TR"))
_figures = st.builds(Figure, _short, st.sampled_from(["", "result 1, row 1"]))
_evidence = st.builds(Evidence, st.lists(_figures, max_size=5).map(tuple))
_runs = st.builds(
    AgentResult,
    question=_short,
    outcome=st.sampled_from(Outcome),
    failed=st.booleans(),
    answer=_texts,
    summary=_texts,
    results=st.lists(_results(), max_size=3).map(tuple),
    charts=st.lists(_charts, max_size=7).map(tuple),
    warnings=st.lists(_texts, max_size=6).map(tuple),
    trail=st.just(()),
    model=_short,
    hops=st.integers(0, 8),
    duration_ms=st.integers(0, 130_000),
    tables=st.lists(_texts, max_size=12).map(tuple),
    clarification=st.none() | _clarifications,
    plan=st.lists(_texts, max_size=5).map(tuple),
    caveats=st.lists(_texts, max_size=3).map(tuple),
    evidence=_evidence,
    judge=_short,
    draft=_texts,
    set_aside=st.lists(_results(), max_size=1).map(tuple),
    cost_usd=st.none() | st.decimals(0, 10_000, places=6),
)


def _holds(card) -> None:
    check_message_blocks(card.blocks, lambda file: None)
    assert 0 < len(card.text.strip()) <= len(card.text) <= 4_000
    mrkdwn = [text["text"] for _, text in walk(card.blocks) if text.get("type") == "mrkdwn"]
    assert not any(HALF_ENTITY.search(text) for text in [*mrkdwn, card.text])
    # As it stands, not as escapes: what is sent must be text that UTF-8 can carry.
    sent = OUR_TIME.sub("", json.dumps([card.blocks, card.text], ensure_ascii=False))
    sent.encode("utf-8")
    assert "://" not in card.text
    assert not any(each.search(sent) for each in (LIVE, HIDDEN))


@settings(FUZZ, max_examples=100)
@given(_runs, st.lists(st.none() | st.just("F1"), max_size=7), _texts, _locales)
def test_any_run_gives_a_card_that_slack_takes(run, files, asked, locale):
    card = render_card(
        run,
        run_id="5b0c9ad6-3f5e-4d8e-9b5c-0a4f2d1e7c11",
        chart_file_ids=files,
        handoff=Handoff("", has_channel=True, can_share=True),
        opening=quoted(asked, 1_000),
        reader=Reader(locale),
    )
    assert "context_actions" in {block["type"] for block in card.blocks}
    _holds(card)
    _holds(reduced(card))
    for due, warning in (
        (run.failed, FAILED_WARNING),
        (run.outcome is Outcome.ANSWERED and not run.n_queries, NO_QUERY_WARNING),
    ):
        if due:
            assert f"⚠️ *{warning}*" in card.blocks[0]["text"]["text"]
            assert f"⚠️ {warning}" in card.text


@settings(FUZZ, max_examples=40)
@given(
    run=_runs,
    words=_texts,
    ending=st.sampled_from(["", "answered", "marked_wrong", "closed"]),
    objections=st.lists(_texts, max_size=6).map(tuple),
)
def test_any_run_gives_a_post_that_slack_takes(run, words, ending, objections):
    handed = Handed(
        id="e1",
        result=run,
        asker="nobody",  # an id in small letters is no mention
        caller="",
        objections=objections,
        story=words,
        thread_link="",
        opened_at=NOW,
        ending=ending,
        settled_by="nobody",
        settled_at=NOW,
        answer=words,
    )
    _holds(render_escalation(handed))
    _holds(reduced(render_escalation(handed)))


@settings(FUZZ, max_examples=50)
@given(texts=st.lists(_texts, max_size=30), model=_short)
def test_any_words_give_smaller_messages_that_slack_takes(texts, model):
    _holds(render_working([*map(Doing, texts)], model=model, plan=texts[:5]))
    _holds(render_sql(texts, texts[:3]))
    _holds(render_why(" ".join(texts)[:2_000]))
    _holds(render_notice(" ".join(texts)))
    _holds(render_help(model=model))


@settings(FUZZ, max_examples=50)
@given(result=_results())
def test_any_result_gives_a_csv_without_formulas(result):
    text = render_csv(result).decode("utf-8-sig")
    for row in csv.reader(io.StringIO(text, newline="")):
        for cell in row:
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\r")) or NUMBER.fullmatch(cell)


@pytest.mark.parametrize("outcome", list(Outcome))
def test_every_ending_can_be_shown_even_when_a_run_brought_nothing(make_result, outcome):
    empty = make_result(
        outcome, answer="", summary="", results=(), tables=(), hops=0, model="", duration_ms=0
    )
    _holds(render_card(empty, run_id="r1"))


AND_MORE = " AND ".join(f"column_{n} = 'a rather long value <&> of {n}'" for n in range(90))
NOTES = ("a note " * 400,)
NOW = datetime(2026, 11, 30, tzinfo=UTC)


@settings(FUZZ, max_examples=40)
@given(question=_texts, reason=_texts)
def test_any_question_gives_a_window_for_a_reason_that_slack_takes(question, reason):
    view = render_reason_modal("5b0c9ad6", question=question, reason=reason)
    check_view({**view, "callback_id": "reason"}, lambda file: None)


@pytest.mark.parametrize("answer", ["Short.", "A long answer & more. " * 1_000])
@pytest.mark.parametrize("warning", ["", "A figure & its source do not agree. ", "<" * 200])
def test_the_fullest_run_still_fits(make_result, answer, warning):
    columns = tuple(Column(f"column_{n}", "text") for n in range(30))
    rows = (("a cell with a good deal of text in it, " * 5,) * 30,) * 200
    full = make_result(
        answer=answer,
        warnings=tuple(f"{warning}{n}" for n in range(400)) if warning else (),
        results=(QueryResult(f"SELECT 1 FROM x WHERE {AND_MORE}", columns, rows, notes=NOTES),),
        time_zone="America/Argentina/ComodRivadavia",
        plan=("a long step " * 20,) * 5,
        charts=(Chart("title " * 100, 1, {}, b"", "what it shows " * 200),) * 9,
        tables=tuple(f"a_table_with_a_long_name_{n}" * 5 for n in range(99)),
        model="m" * 500,
    )
    card = render_card(
        full,
        run_id="r1",
        chart_file_ids=["F1"] * 9,
        handoff=Handoff("", has_channel=True, can_share=True),
        opening=quoted("<&> " * 1_000, 1_000),
    )
    _holds(card)
    if warning:
        assert "more warnings are too long to stand here" in card.text
    else:
        assert {"table", "image"} <= {block["type"] for block in card.blocks}


def test_a_full_table_alone_keeps_to_the_characters_that_slack_allows_a_table(make_result):
    columns = tuple(Column(f"column_{n}", "text") for n in range(20))
    rows = (("a cell of twenty-one",) * 20,) * 40
    _holds(render_card(make_result(results=(QueryResult("S", columns, rows),)), run_id="r1"))
