"""The buttons of an old card: what is gone is said, with what to do; what is left is shown."""

from __future__ import annotations

import psycopg
import pytest

from agent.messages import Column, QueryResult
from bot.keep import Keep
from bot.store.retention import age_out

FILMS = QueryResult(
    "select title from film order by title limit 2",
    (Column("title", "text"),),
    (("Alien",), ("Brazil",)),
)
GONE = "rows that this answer was made of are no longer kept"


@pytest.fixture
def desk(agent, workspace, demo_catalogue):
    """What a bot over the demo database, whose answers have rows, is started with."""
    agent.results = (FILMS,)
    return {
        "escalation_channel": workspace.channels["helpdesk"],
        "options": {"catalogue": demo_catalogue},
    }


@pytest.fixture
def years_later(store, store_url):
    """Lets everything be so many days old."""

    def wait(days):
        with psycopg.connect(store_url) as connection:
            for table in ("runs", "results"):
                older = "created_at = created_at - make_interval(days => %s)"
                connection.execute(f"update db_agent.{table} set {older}", [days])
        assert age_out(store, Keep(30, 365)).results

    return wait


@pytest.fixture
def old_card(start_bot, desk, you, years_later):
    """A card of 31 days ago."""
    start_bot(**desk)
    ts = you.ask("data", "which films?")
    card = you.card("data", ts)
    years_later(31)
    return card, ts


def test_the_sql_and_the_story_are_still_there(old_card, you):
    card, ts = old_card
    you.click(card, "show_sql")
    assert FILMS.sql in str(you.cards("data", ts, 2)[-1]["blocks"])
    you.click(card, "why")
    assert "What I did, and why" in str(you.cards("data", ts, 3)[-1]["blocks"])


def test_the_rows_are_read_anew_and_that_is_said(old_card, you, file_in):
    card, ts = old_card
    you.click(card, "csv")
    file = file_in(you, "data", ts)
    assert len(file.text.splitlines()) == 3
    assert "read anew" in file.comment
    assert "the rows that the answer was made of are no longer kept" in file.comment


def test_rows_that_nobody_can_read_anew_are_said_to_be_gone(start_bot, desk, you, years_later):
    start_bot(**{**desk, "options": {}})
    ts = you.ask("data", "which films?")
    card = you.card("data", ts)
    years_later(31)
    you.click(card, "csv")
    told = you.cards("data", ts, 2)[-1]["text"]
    assert "no longer kept, and could not be read anew. Ask the question again" in told


def test_a_person_who_is_called_is_told(old_card, you, mia):
    card, _ = old_card
    you.click(card, "ask_a_person")
    post = str(mia.told("helpdesk", "A question for a person")["blocks"])
    assert GONE in post
    assert FILMS.sql in post
    assert "Alien" not in post


def test_an_answer_that_is_shared_says_so(start_bot, desk, you, mia, years_later):
    start_bot(**desk)
    you.command("data", "private which films?")
    card = you.told("data", "You asked: which films?")
    years_later(31)
    you.click(card, "share")
    shared = str(mia.told("data", "shares the answer")["blocks"])
    assert "You asked: which films?" in shared
    assert GONE in shared
    assert "Alien" not in shared


def test_a_follow_up_goes_on_with_the_words_and_the_sql(old_card, agent, you):
    _, ts = old_card
    you.ask("data", "and the newest?", ts)
    you.cards("data", ts, 2)
    (earlier,) = agent.histories[-1]
    assert (earlier.question, earlier.sql, earlier.results) == ("which films?", (FILMS.sql,), ())


@pytest.mark.parametrize("button", ["show_sql", "why", "csv", "ask_a_person"])
def test_of_a_run_that_is_gone_nothing_is_shown_and_that_is_said(
    start_bot, desk, you, years_later, button
):
    start_bot(**desk)
    ts = you.ask("data", "which films?")
    card = you.card("data", ts)
    years_later(366)
    you.click(card, button)
    told = you.cards("data", ts, 2)[-1]["text"]
    assert "no record of this answer" in told
    assert "deleted when they are old" in told
    assert "Please ask again" in told
