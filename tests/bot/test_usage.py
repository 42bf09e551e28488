"""`/ask usage`: one's own figures for everybody, all of them for administrators alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from itertools import count
from typing import Any

import psycopg
import pytest

from agent.messages import AgentResult, Outcome, Usage
from bot.ask_words import Usage as UsageWish
from bot.ask_words import read_wish
from bot.store import Question, Store, Thread

NOW = datetime.now(UTC)


@pytest.fixture
def ran(store: Store, store_url: str, workspace: Any) -> Callable[..., str]:
    """Writes down a run that somebody asked for."""
    plain = AgentResult("?", Outcome.ANSWERED, False, "1", "", (), (), (), (), "given", 1, 1, ())
    numbers = count(1)

    def run(
        person: Any, dollars: str | None, *, channel: str = "data", at: Any = None, **given: Any
    ) -> str:
        thread = Thread("T0LOCALDEV", workspace.channels.get(channel, channel), f"{next(numbers)}")
        run_id = store.claim(Question(thread, thread.ts, person.id, "?"))
        assert run_id is not None
        cost = None if dollars is None else Decimal(dollars)
        store.finish(run_id, replace(plain, cost_usd=cost, usage=Usage(1_000), **given))
        if at is not None:
            with psycopg.connect(store_url) as connection:
                sql = "update db_agent.runs set created_at = %s where id = %s"
                connection.execute(sql, (at, run_id))
        return run_id

    return run


HEARS = {"answers": False}
"""What it is told of here, nobody is to answer."""


def usage(person: Any, channel: str = "general") -> str:
    person.command(channel, "usage")
    card = person.told(channel, "Your usage")
    parts = [
        block["text"]["text"] if block["type"] == "section" else block["elements"][0]["text"]
        for block in card["blocks"]
    ]
    return "\n".join(parts)


def test_a_member_sees_their_own_and_nobody_elses(
    start_bot: Callable[..., Any], ran: Callable[..., str], you: Any, mia: Any
) -> None:
    start_bot(max_usd_per_person_day="2", max_usd_per_channel_day="50", options=HEARS)
    ran(mia, "0.12")
    ran(mia, "0.50", channel="general")
    ran(you, "7.77", channel="general", model="claude-secret")
    last_month = NOW.replace(day=1) - timedelta(days=1)
    ran(mia, "9", at=last_month)
    assert usage(mia) == (
        "*Your usage*\n"
        "Today: 2 questions · 2,000 tokens · $0.62\n"
        "This month: 2 questions · 2,000 tokens · $0.62\n"
        "$1.38 of $2.00 left for you today; it begins anew at midnight (UTC)."
    )
    assert not [each for each in you.from_bot("general") if "Your usage" in str(each)]


def test_an_administrator_sees_everybody(
    start_bot: Callable[..., Any], ran: Callable[..., str], you: Any, mia: Any, workspace: Any
) -> None:
    start_bot(max_usd_per_channel_day="50", max_usd_per_workspace_month="100", options=HEARS)
    ran(mia, "0.12", model="claude-sonnet-5")
    ran(mia, "1", channel=mia.dm(), model="claude-sonnet-5")
    ran(you, None, model="groq:any")
    ran(you, "0.004", channel=you.dm(), model="claude-opus-5", outcome=Outcome.FAILED, failed=True)
    data = workspace.channels["data"]
    told = usage(you)
    assert told.splitlines() == [
        "*Your usage*",
        "Today: 2 questions · 2,000 tokens · under $0.01 · 1 question of unknown cost",
        "This month: 2 questions · 2,000 tokens · under $0.01 · 1 question of unknown cost",
        "$50.00 of $50.00 left for this channel today; it begins anew at midnight (UTC). "
        f"$98.88 of $100.00 left for the workspace this month; it begins anew on {_next()} (UTC).",
        "*Everybody, this month*",
        "4 questions · 4,000 tokens · $1.12 · 1 question of unknown cost",
        "*By person*",
        f"• <@{mia.id}>: 2 questions · 2,000 tokens · $1.12",
        f"• <@{you.id}>: 2 questions · 2,000 tokens · under $0.01 · 1 question of unknown cost",
        "*By channel*",
        "• direct messages: 2 questions · 2,000 tokens · $1.00",
        f"• <#{data}>: 2 questions · 2,000 tokens · $0.12 · 1 question of unknown cost",
        "*By model, checking included*",
        "• claude-sonnet-5: 2 questions · 2,000 tokens · $1.12",
        "• claude-opus-5: 1 question · 1,000 tokens · under $0.01",
        "• groq:any: 1 question · 1,000 tokens · cost unknown",
    ]


def test_questions_that_are_gone_are_nobodys_and_still_in_the_sum(
    start_bot: Callable[..., Any], ran: Callable[..., str], store: Store, you: Any, mia: Any
) -> None:
    start_bot(admins=you.id, options=HEARS)
    ran(mia, "0.12", at=NOW.replace(day=1, hour=0, minute=0))
    mia.eventually(lambda: store.drop_old_runs(days=0, limit=10))  # one process at a time may
    told = usage(you)
    assert "• people whose questions are no longer on record: 1 question" in told
    assert "*Everybody, this month*\n1 question · 1,000 tokens · $0.12" in told
    assert mia.id not in told


def _next() -> str:
    first = (NOW.replace(day=1) + timedelta(days=31)).replace(day=1)
    months = ("January", "February", "March", "April", "May", "June", "July", "August")
    months = (*months, "September", "October", "November", "December")
    return f"1 {months[first.month - 1]}"


def test_whoever_the_settings_name_sees_everybody(
    start_bot: Callable[..., Any], ran: Callable[..., str], mia: Any, newcomer: Callable[..., Any]
) -> None:
    start_bot(admins=f"{mia.id}, U0000000000", options=HEARS)
    ran(mia, "0.12")
    assert "*Everybody, this month*" in usage(mia)
    assert "*Everybody, this month*" in usage(newcomer("boss", is_admin=True))
    assert "Everybody" not in usage(newcomer("colleague"))


def test_groups_have_no_name_and_are_one_line(
    start_bot: Callable[..., Any], ran: Callable[..., str], you: Any, mia: Any, workspace: Any
) -> None:
    start_bot(options=HEARS)
    for others in ([mia.id], [mia.id, you.client.auth_test()["user_id"]]):
        users = [workspace.bot_user_id, *others]
        group = you.client.conversations_open(users=users)["channel"]["id"]
        ran(mia, "0.10", channel=group)
    told = usage(you)
    assert "• group messages: 2 questions · 2,000 tokens · $0.20" in told
    assert group not in told


def test_at_most_ten_of_each_are_listed(
    start_bot: Callable[..., Any], ran: Callable[..., str], you: Any
) -> None:
    start_bot(options=HEARS)
    for number in range(12):
        ran(you, "0.01", channel=f"C0000000{number:02}", model=f"model {number}")
    told = usage(you)
    assert (told.count("<#C"), told.count("• model")) == (10, 10)
    assert "No limit in money is set." in told


def test_what_never_came_to_a_model_is_no_question(
    start_bot: Callable[..., Any], store: Store, mia: Any
) -> None:
    start_bot()
    mia.card("general", mia.ask("general", "thanks"))
    assert "Today: 0 questions · 0 tokens · $0.00" in usage(mia)


def test_where_the_record_is_away_it_is_said(
    start_bot: Callable[..., Any], open_store: Callable[..., Store], store_url: str, mia: Any
) -> None:
    away = open_store(store_url, wait_s=0.2)
    start_bot(store=away, options=HEARS)
    away.close()
    mia.command("general", "usage")
    mia.told("general", "cannot be reached at the moment. Please try again in a moment.")


@pytest.mark.parametrize(
    ("text", "is_wish"),
    [
        ("usage", True),
        ("My usage?", True),
        ("USAGE.", True),
        ("usage of films in May", False),
        ("usage by store", False),
    ],
)
def test_only_the_word_alone_asks_for_it(text: str, is_wish: bool) -> None:
    given = {"team": "T", "viewer": "U", "here": "C", "today": NOW.date(), "time_zone": "UTC"}
    assert (read_wish(text, **given) == UsageWish()) is is_wish
