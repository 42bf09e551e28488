"""What the bot depends on goes away: the person hears of it, and the bot lives on."""

from __future__ import annotations

import threading

import psycopg
import pytest

from agent.database.embedded import EmbeddedPostgres
from agent.errors import SettingsInvalid
from agent.messages import Outcome
from bot.store import Store, StoreUnavailable


@pytest.fixture
def mortal():
    """A server for the store that the test may stop."""
    with EmbeddedPostgres.throwaway() as server:
        yield server


def test_crash_in_the_agent_is_told_without_its_words(bot, agent, you, caplog):
    agent.breaks_with = RuntimeError("secret words of a traceback")
    ts = you.ask("data", "how many films?")
    card = you.card("data", ts)
    assert "Something broke on our side" in card["text"]
    assert "secret" not in str(card)
    assert "secret words of a traceback" in caplog.text
    agent.breaks_with = None
    assert "You asked" in you.card("data", you.ask("data", "and now?"))["text"]


def test_system_fault_reads_as_a_fault_and_not_as_no_data(bot, agent, you):
    agent.outcome, agent.results = Outcome.SYSTEM_FAULT, ()
    card = you.card("data", you.ask("data", "how many films?"))
    assert "This run failed" in card["text"]
    assert "The database could not be reached" in card["text"]


@pytest.fixture
def cut(scratch_database, demo_admin_url):
    """Takes the store's database away, and gives it back."""
    name = psycopg.conninfo.conninfo_to_dict(scratch_database)["dbname"]
    kill = "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s"

    def switch(*, away):
        with psycopg.connect(demo_admin_url, autocommit=True) as admin:
            admin.execute(f"alter database {name} allow_connections {not away}")
            if away:
                admin.execute(kill, [name])

    yield switch
    switch(away=False)


def test_question_that_cannot_be_written_down_is_not_acknowledged_and_comes_again(
    start_bot, agent, deliver, you, scratch_database, open_store, cut
):
    bot = start_bot(store=open_store(scratch_database, wait_s=0.3))
    you.card("data", you.ask("data", "the first"))
    ts = you.say("data", "the message")
    payload = you.payload(ts=ts, text=f"{you.mention} the second")
    cut(away=True)
    assert deliver(bot, payload) == 500
    assert you.from_bot("data", ts) == []
    cut(away=False)
    you.eventually(lambda: deliver(bot, payload, retry="1") == 200)
    assert deliver(bot, payload, retry="2") == 200
    assert "You asked: the second" in you.card("data", ts)["text"]
    assert agent.asked == ["the first", "the second"]


def test_reply_that_may_be_a_question_comes_again_where_the_store_cannot_say(
    start_bot, agent, deliver, you, scratch_database, open_store, cut
):
    bot = start_bot(store=open_store(scratch_database, wait_s=0.3))
    first = you.ask("data", "the first")
    you.card("data", first)
    you.say("data", "only drama", thread_ts=first)
    you.cards("data", first, 2)
    words = {"type": "message", "text": "by store", "ts": "1900000000.000100"}
    reply = you.payload(**words, thread_ts=first)
    cut(away=True)
    assert deliver(bot, reply) == 500
    cut(away=False)
    you.eventually(lambda: deliver(bot, reply, retry="1") == 200)
    you.cards("data", first, 3)
    assert agent.asked == ["the first", "only drama", "by store"]


def test_command_says_that_it_is_not_taken_while_the_store_is_away(
    start_bot, agent, you, mortal, open_store
):
    start_bot(store=open_store(mortal.url(), wait_s=0.3))
    mortal.stop()
    you.command("data", "private how many films?")
    assert "I do not take it" in str(you.told("data", "cannot write your question down"))
    assert agent.asked == []


def test_answer_is_shown_while_the_store_is_away_and_written_down_once_it_is_back(
    start_bot, agent, you, scratch_database, open_store, cut
):
    agent.gate = threading.Event()
    store = open_store(scratch_database, wait_s=0.3)
    start_bot(store=store)
    ts = you.ask("data", "how many films?")
    you.eventually(lambda: agent.asked)
    cut(away=True)
    agent.gate.set()
    card = you.card("data", ts)
    assert "You asked" in card["text"]
    assert "I cannot reach my own record" in card["text"]
    cut(away=False)
    you.eventually(lambda: "cannot reach" not in you.card("data", ts)["text"])
    assert you.card("data", ts)["ts"] == card["ts"]
    you.say("data", "only drama", thread_ts=ts)
    you.cards("data", ts, 2)
    assert [each.question for each in agent.histories[-1]] == ["how many films?"]
    assert agent.asked == ["how many films?", "only drama"]


def test_button_says_so_while_the_store_is_away(start_bot, you, mortal, open_store):
    start_bot(store=open_store(mortal.url(), wait_s=0.3))
    ts = you.ask("data", "how many films?")
    card = you.card("data", ts)
    mortal.stop()
    you.click(card, "show_sql")
    _, answer = you.cards("data", ts, 2)
    assert "My own record" in answer["text"]


class BreaksOnce(Store):
    """A store with a bug that shows once."""

    has_broken = False

    def claim(self, question, how):
        if question.text.endswith("the second") and not self.has_broken:
            self.has_broken = True
            raise RuntimeError("a bug")
        return super().claim(question, how)


def test_event_that_broke_its_listener_is_not_acknowledged_so_that_it_comes_again(
    start_bot, agent, deliver, you, scratch_database
):
    store = BreaksOnce(scratch_database)
    store.open()
    bot = start_bot(store=store)
    you.card("data", you.ask("data", "the first"))
    ts = you.say("data", "the message")
    payload = you.payload(ts=ts, text=f"{you.mention} the second")
    assert deliver(bot, payload) == 500
    assert deliver(bot, payload, retry="1") == 200
    you.card("data", ts)
    store.close()
    assert agent.asked == ["the first", "the second"]


def test_store_that_is_down_at_start_is_named(scratch_database):
    with pytest.raises(StoreUnavailable, match="DB_AGENT_STORE_URL"):
        Store("postgresql://nobody:word@127.0.0.1:1/nothing").open()


def test_store_address_that_is_none_is_named_without_its_password():
    with pytest.raises(SettingsInvalid, match="DB_AGENT_STORE_URL") as raised:
        Store("postgres//nobody:word@host/nothing").open()
    assert "word" not in str(raised.value).replace("PASSWORD", "")


def test_store_login_that_may_not_create_is_told_what_it_needs(scratch_database):
    with psycopg.connect(scratch_database, autocommit=True) as connection:
        connection.execute("drop role if exists weak_store")
        connection.execute("create role weak_store login password 'word'")
    parts = psycopg.conninfo.conninfo_to_dict(scratch_database)
    weak = psycopg.conninfo.make_conninfo(**{**parts, "user": "weak_store", "password": "word"})
    try:
        with pytest.raises(SettingsInvalid, match="GRANT CREATE"):
            Store(weak).open()
    finally:
        with psycopg.connect(scratch_database, autocommit=True) as connection:
            connection.execute("drop role weak_store")
