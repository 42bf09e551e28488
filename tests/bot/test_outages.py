"""What the bot depends on goes away: the person hears of it, and the bot lives on."""

from __future__ import annotations

import threading

import psycopg
import pytest
from slack_sdk import WebClient

from agent.database.embedded import EmbeddedPostgres
from agent.errors import SettingsInvalid
from agent.messages import Outcome
from bot.clients import make_clients
from bot.cut_off import CutOffWatch
from bot.running import Running
from bot.store import Question, Store, StoreUnavailable, Thread


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


def test_question_is_answered_while_the_store_is_away(
    start_bot, agent, deliver, you, mortal, open_store
):
    bot = start_bot(store=open_store(mortal.url(), wait_s=0.3))
    you.card("data", you.ask("data", "the first"))
    mortal.stop()
    ts = you.ask("data", "the second")
    card = you.card("data", ts)
    assert "You asked: the second" in card["text"]
    assert "I cannot reach my own record" in card["text"]
    for _ in range(2):
        assert deliver(bot, you.payload(event_ts="1", text=f"{you.mention} the second")) == 200
    you.settled()
    assert agent.asked == ["the first", "the second"]


def test_follow_up_says_that_it_knows_nothing_while_the_store_is_away(
    start_bot, agent, you, mortal, open_store
):
    start_bot(store=open_store(mortal.url(), wait_s=0.3))
    ts = you.ask("data", "the first")
    you.card("data", ts)
    mortal.stop()
    you.ask("data", "only drama", thread_ts=ts)
    _, card = you.cards("data", ts, 2)
    assert "knows nothing said before" in card["text"]


def test_store_that_goes_away_in_mid_run_costs_only_the_record(
    start_bot, agent, you, mortal, open_store
):
    agent.gate = threading.Event()
    start_bot(store=open_store(mortal.url(), wait_s=0.3))
    ts = you.ask("data", "how many films?")
    you.eventually(lambda: agent.asked)
    mortal.stop()
    agent.gate.set()
    card = you.card("data", ts)
    assert "You asked" in card["text"]
    assert "I cannot reach my own record" in card["text"]


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

    def claim(self, question):
        if question.text.endswith("the second") and not self.has_broken:
            self.has_broken = True
            raise RuntimeError("a bug")
        return super().claim(question)


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


def test_store_that_is_not_as_we_left_it_costs_only_the_record(
    start_bot, you, scratch_database, open_store
):
    start_bot(store=open_store(scratch_database))
    with psycopg.connect(scratch_database, autocommit=True) as admin:
        admin.execute("drop table db_agent.results")
        card = you.card("data", you.ask("data", "the first"))
        assert "You asked" in card["text"]
        assert "I cannot reach my own record" in card["text"]
        admin.execute("drop schema db_agent cascade")
    card = you.card("data", you.ask("data", "the second"))
    assert "You asked" in card["text"]


def test_record_is_kept_again_once_the_store_is_back(
    start_bot, agent, you, scratch_database, open_store, demo_admin_url
):
    start_bot(store=open_store(scratch_database, wait_s=0.3))
    name = psycopg.conninfo.conninfo_to_dict(scratch_database)["dbname"]
    kill = "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s"
    with psycopg.connect(demo_admin_url, autocommit=True) as admin:
        admin.execute(f"alter database {name} allow_connections false")
        admin.execute(kill, [name])
        away = you.card("data", you.ask("data", "the first"))
        assert "I cannot reach my own record" in away["text"]
        admin.execute(f"alter database {name} allow_connections true")

    def recorded():
        ts = you.ask("data", "the second")
        return "cannot reach" not in you.card("data", ts)["text"] and ts

    ts = you.eventually(recorded)
    you.say("data", "only drama", thread_ts=ts)
    you.cards("data", ts, 2)
    assert [each.question for each in agent.histories[-1]] == ["the second"]


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


def test_card_of_a_process_that_was_killed_says_so_after_the_restart(
    start_bot, you, workspace, store, store_url
):
    first = start_bot()
    ts = you.ask("data", "how many films?")
    card = you.card("data", ts)
    first.stop()
    client = WebClient(workspace.bot_token, base_url=workspace.api_url)
    steps = {"type": "section", "text": {"type": "mrkdwn", "text": "Working on it…"}}
    client.chat_update(channel=card["channel"], ts=card["ts"], text="Working", blocks=[steps])
    # As a kill -9 in mid-run leaves it: claimed, a card posted, and not heard of since.
    with psycopg.connect(store_url) as connection:
        connection.execute(
            "update db_agent.runs set status = 'running', outcome = null, finished_at = null, "
            "seen_at = now() - interval '1 hour', input_tokens = 1200, cost_usd = 0.02"
        )
    start_bot()
    you.eventually(lambda: "I was interrupted" in you.from_bot("data", ts)[0]["text"])
    assert "It had taken 1,200 tokens · $0.02." in you.from_bot("data", ts)[0]["text"]
    assert you.card("data", ts)["ts"] == card["ts"]


def test_own_run_is_renewed_before_anybody_takes_it_for_cut_off(store, store_url, workspace):
    running = Running()
    watch = CutOffWatch(store, make_clients(workspace.bot_token, workspace.api_url), running)
    thread = Thread("T1", "C1", "1.000")
    ours = store.claim(Question(thread, "1.000", "U1", "how many films?"))
    lost = store.claim(Question(thread, "2.000", "U1", "how many films?"))
    running.begin(ours, thread)
    with psycopg.connect(store_url) as connection:
        connection.execute("update db_agent.runs set seen_at = now() - interval '1 hour'")
    watch.look()
    with psycopg.connect(store_url) as connection:
        found = dict(connection.execute("select id::text, status from db_agent.runs").fetchall())
    assert found == {ours: "running", lost: "turned_away"}
