"""However long a list, a form or a Home tab would be, Slack takes it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.channel_rule import ChannelSettings
from bot.local_workspace.blocks.validate import check_message_blocks, check_view, walk
from bot.render import Card, render_help
from bot.render.home import HomePage, render_home
from bot.render.log import render_log
from bot.render.modals import render_answer_modal, render_shut_modal, render_wrong_modal
from bot.render.people import in_a_line
from bot.render.queue import Waiting, render_queue, render_reminder
from bot.render.settings import render_settings_form, render_settings_saved
from bot.render.shortcut import PointedAt, render_ask_about
from bot.render.tables import ListedTable, render_tables
from bot.render.usage import Everybody, Left, Sum, render_usage

FUZZ = settings(deadline=None, derandomize=True, max_examples=25)
HALF_ENTITY = re.compile("&(?!amp;|lt;|gt;)")
LIVE = re.compile(r"<[!]|<[a-z]+:", re.IGNORECASE)
OUR_TIME = re.compile(r"<!date\^\d+\^[^<>]*>")
_texts = st.one_of(
    st.text(max_size=60),
    st.builds(
        lambda bit, times: bit * times,
        st.sampled_from(
            ["&", "<", "<!channel> ", "é", "日本", "\x00", "\u202e", "words and words ", "`"]
        ),
        st.integers(1, 3_000),
    ),
)
_counts = st.integers(0, 10**9)
_money = st.decimals(0, 10**7, places=6)


_sums = st.builds(Sum, _counts, _counts, _money, st.just(0), st.sampled_from(["U1", "C1", "", "m"]))
_shares = st.builds(lambda one, times: [one] * times, _sums, st.sampled_from([0, 1, 500]))
_lefts = st.lists(
    st.builds(Left, st.just("for you today"), _money, _money, st.just("at midnight (UTC)")),
    max_size=3,
)
_waiting = st.builds(
    lambda question, times: (
        [Waiting(question, "U1", 3_600.0, "U2", "https://a.slack.com/p1")] * times
    ),
    _texts,
    st.sampled_from([0, 1, 15, 500]),
)
_tables = st.builds(
    lambda name, comment, times: [
        ListedTable(f"{name}{n}", "view", comment, n) for n in range(times)
    ],
    _texts,
    _texts,
    st.sampled_from([0, 1, 40, 1_000]),
)
_sentences = st.builds(
    lambda text, times: [f"<@U1> asked {in_a_line(text)}"] * times,
    _texts,
    st.sampled_from([0, 1, 15, 500]),
)


def words_hold(blocks: list[dict]) -> None:
    mrkdwn = [text["text"] for _, text in walk(blocks) if text.get("type") == "mrkdwn"]
    for text in mrkdwn:
        assert not HALF_ENTITY.search(text)
        assert not LIVE.search(OUR_TIME.sub("", text.replace("<https://a.slack.com", "")))


def holds(card: Card) -> None:
    check_message_blocks(card.blocks, lambda file: None)
    words_hold(card.blocks)
    assert card.text.strip()
    assert len(card.text) <= 4_000


def view_holds(view: dict) -> None:
    check_view({"callback_id": "form", **view}, lambda file: None)
    words_hold(view["blocks"])
    assert len(view.get("private_metadata", "")) <= 3_000


@FUZZ
@given(sentences=_sentences, waiting=_waiting)
def test_a_log_and_a_queue_of_any_length_are_taken(sentences, waiting):
    holds(render_log(sentences, limit=15))
    holds(render_queue(waiting, more=2, hidden=3))
    if waiting:
        holds(render_reminder(waiting))


@FUZZ
@given(tables=_tables, words=_texts)
def test_a_list_of_tables_of_any_length_is_taken(tables, words):
    holds(render_tables(tables, total=len(tables)))
    holds(render_tables(tables, total=len(tables), words=words or "film", fits=False))


@FUZZ
@given(today=_sums, people=_shares, channels=_shares, models=_shares, left=_lefts)
def test_a_bill_of_any_length_is_taken(today, people, channels, models, left):
    everybody = Everybody(today, people, channels, models)
    holds(render_usage(today, today, left, everybody))


@FUZZ
@given(sentences=_sentences, tables=_tables, prompts=st.lists(_texts, max_size=6), today=_sums)
def test_a_home_tab_of_any_length_is_taken(sentences, tables, prompts, today):
    usage = render_usage(today, today, [])
    page = HomePage(sentences, tables, usage, prompts)
    view_holds({"type": "home", "blocks": render_home(page, render_help(model="m"))})


@FUZZ
@given(question=_texts, answer=_texts)
def test_windows_about_any_words_are_taken(question, answer):
    view_holds(render_answer_modal("e1", question=question, asker="U1", holder="U2"))
    view_holds(render_wrong_modal("e1", question=question, answer=answer))
    view_holds(render_shut_modal("There is nothing to do here."))
    about = PointedAt("C0123456789", "1700000000.000100", question, "U1", "https://a.example/" * 12)
    view_holds(render_ask_about(about))


@pytest.mark.parametrize("outsiders", [None, 0, 1, 240])
def test_the_form_of_a_channel_is_taken_however_many_read_along(outsiders):
    teams = None if outsiders is None else [f"T0{n:09}" for n in range(outsiders)]
    for shared_with in (None, frozenset(teams or ())):
        state = ChannelSettings(
            shared_with=shared_with, set_by="U1", set_at=datetime(2026, 11, 30, tzinfo=UTC)
        )
        view_holds(render_settings_form("C0123456789", state, teams))
        view_holds(render_settings_saved("C0123456789", state))


def test_a_bill_that_is_cut_says_so():
    many = [Sum(1, 1_000, Decimal("0.01"), name=f"U{n:010}") for n in range(500)]
    card = render_usage(many[0], many[0], [], Everybody(many[0], many, [], []))
    holds(card)
    assert "did not fit here" in str(card.blocks[-1])
