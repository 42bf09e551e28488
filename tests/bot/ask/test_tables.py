"""`/ask tables`: what the login may read, for the eyes of the one who asks."""

from __future__ import annotations

from datetime import date

import psycopg
import pytest

from agent.database.postgres import PostgresDatabase
from bot.ask_words import Tables, read_wish


def wish(text):
    today = date(2026, 11, 30)
    return read_wish(text, team="T1", viewer="U1", here="C1", today=today, time_zone="UTC")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tables", ""),
        ("Tables?", ""),
        ("tables customer payment", "customer payment"),
        ("tables about rented films", "rented films"),
        ("tables: payment", "payment"),
        ("private tables film", "film"),
    ],
)
def test_tables_and_some_words_are_looked_for(text, words):
    assert wish(text) == Tables(words)


@pytest.mark.parametrize(
    "text",
    [
        "tables sold per month",
        "tables sold last year?",
        "tables that were ordered by each of our customers",
        "tables how many",
        "tables and chairs by region",
        "table of revenue per category",
        "which tables do you have?",
    ],
)
def test_a_question_about_tables_of_another_kind_is_a_question(text):
    assert wish(text) is None


def test_all_tables_with_their_remarks_and_sizes_are_told_to_the_asker_alone(
    start_bot, agent, you, mia, demo_catalogue
):
    start_bot(options={"catalogue": demo_catalogue})
    you.command("data", "tables")
    told = you.told("data", "I may read")
    assert told["is_ephemeral"]
    assert mia.from_bot("data") == []
    words = str(told["blocks"])
    assert f"I may read {len(demo_catalogue.tables())} tables" in words
    assert "`film` (about 1,000 rows): Titles on offer." in words
    assert "`customer_list` (view): Customers with their address written out." in words
    assert agent.asked == []


def test_words_find_the_tables_that_fit(start_bot, you, demo_catalogue):
    start_bot(options={"catalogue": demo_catalogue})
    you.command("data", "tables payment")
    words = you.told("data", "for “payment”")["text"]
    assert "`payment`" in words
    assert "`language`" not in words


def test_words_that_fit_nothing_say_so(start_bot, you, demo_catalogue):
    start_bot(options={"catalogue": demo_catalogue})
    you.command("data", "tables zeppelins & <co>")
    told = you.told("data", "No table fits")
    assert "No table fits “zeppelins &amp; &lt;co&gt;”." in str(told["blocks"])
    assert "`rental`" in told["text"]


def test_what_the_login_may_not_read_is_not_told(start_bot, you, scratch_database, catalogue_of):
    admin = catalogue_of("create table shown (id int); create table salaries (id int)")
    address = psycopg.conninfo.conninfo_to_dict(scratch_database)
    with psycopg.connect(scratch_database, autocommit=True) as connection:
        connection.execute("create role clerk login password 'clerk'")
        connection.execute("grant select on shown to clerk")
    try:
        url = psycopg.conninfo.make_conninfo(**{**address, "user": "clerk", "password": "clerk"})
        clerk = PostgresDatabase(url, allow_strong_role=True)
        start_bot(options={"catalogue": clerk})
        you.command("data", "tables")
        words = str(you.told("data", "I may read 1 table:")["blocks"])
        assert "`shown`" in words
        assert "salaries" not in words
        clerk.close()
    finally:
        with psycopg.connect(scratch_database, autocommit=True) as connection:
            connection.execute("drop owned by clerk")
            connection.execute("drop role clerk")
    assert len(admin.tables()) == 2


def test_names_and_remarks_of_tables_are_inert(start_bot, you, catalogue_of):
    hostile = catalogue_of(
        'create table "<!channel> `x`" (id int); '
        """comment on table "<!channel> `x`" is '<!here> *bold* see https://evil.example/x'"""
    )
    start_bot(options={"catalogue": hostile})
    you.command("data", "tables")
    told = you.told("data", "I may read 1 table")
    assert "<!" not in str(told)
    assert "`https://evil.example/x`" in str(told["blocks"])
    assert "*bold*" not in str(told)


def test_a_database_of_a_thousand_tables_fits_a_message(start_bot, you, catalogue_of):
    sql = "; ".join(f"create table area_{n} (id int)" for n in range(1_000))
    start_bot(options={"catalogue": catalogue_of(sql)})
    you.command("data", "tables")
    told = you.told("data", "I may read 1,000 tables")
    shown = str(told["blocks"]).count("`area_")
    assert shown > 100
    assert f"{1_000 - shown} more tables did not fit here" in str(told["blocks"])


def test_an_empty_database_says_whom_it_waits_for(start_bot, you, catalogue_of):
    start_bot(options={"catalogue": catalogue_of("select 1")})
    you.command("data", "tables")
    assert "Whoever runs this bot can allow some" in you.told("data", "no table")["text"]


def test_a_database_out_of_reach_is_told(start_bot, you):
    nowhere = PostgresDatabase("postgresql://nobody:password@127.0.0.1:1/nothing")
    start_bot(options={"catalogue": nowhere})
    you.command("data", "tables")
    told = you.told("data", "cannot be reached")
    assert told["is_ephemeral"]
    assert "password" not in str(told)


def test_outsiders_are_told_of_no_table(start_bot, newcomer, demo_catalogue):
    start_bot(options={"catalogue": demo_catalogue})
    stranger = newcomer("stranger", is_stranger=True)
    stranger.command("data", "tables")
    (told,) = stranger.eventually(lambda: stranger.from_bot("data"))
    assert "members of this workspace" in told["text"]
    assert "film" not in str(told)


def test_in_a_channel_that_strangers_read_only_the_asker_is_told(
    start_bot, workspace, you, demo_catalogue
):
    members = f"{workspace.bot_user_id},{you.id}"
    body = {"name": "shared", "members": members, "is_ext_shared": True}
    shared = you.client.api_call("workspace.addChannel", json=body)["channel"]["id"]
    start_bot(options={"catalogue": demo_catalogue})
    you.command(shared, "tables")
    assert you.told(shared, "I may read")["is_ephemeral"]
