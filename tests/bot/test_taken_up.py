"""Questions whose process died: another one goes on with each, in the same message."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import psycopg
import pytest
from slack_sdk import WebClient

from bot.run_watch import RunWatch
from bot.running import Lost, Running
from bot.store import Hold, Question, Thread

TRIES = 3


@pytest.fixture
def dead(store, workspace, you):
    """Leaves a question as a process does that dies over it; its run, its thread, its message."""
    client = WebClient(workspace.bot_token, base_url=workspace.api_url)
    team = str(client.auth_test()["team_id"])

    def leave(*, begins=1, posts=True, notes=True, result=None):
        ts = you.say("data", "how many films?")
        channel = workspace.channels["data"]
        thread = Thread(team, channel, ts)
        run_id = store.claim(Question(thread, ts, you.id, "how many films?"))
        for number in range(begins):
            begun = store.begin(run_id, f"process {number}")
        message = None
        if posts:
            metadata = {"event_type": "db_agent_message", "event_payload": {"mark": run_id}}
            where = {"channel": channel, "thread_ts": ts, "metadata": metadata}
            message = client.chat_postMessage(**where, text="Working on it…")["ts"]
            if notes:
                store.place_card(run_id, message, hold=begun.hold)
        if result is not None:
            store.finish(run_id, result, hold=begun.hold)
        return SimpleNamespace(run_id=run_id, ts=ts, message=message)

    return leave


@pytest.mark.parametrize(
    ("left", "is_message_known"),
    [
        ({}, True),
        ({"notes": False}, True),
        ({"posts": False}, False),
        ({"posts": False, "begins": 0}, False),
    ],
    ids=["posted and noted", "posted and not noted", "begun and not posted", "only written down"],
)
def test_question_of_a_dead_process_is_answered_once_in_its_message(
    dead, start_bot, agent, you, left, is_message_known
):
    lost = dead(**left)
    start_bot()
    card = you.card("data", lost.ts)
    assert "You asked: how many films?" in card["text"]
    assert (card["ts"] == lost.message) is is_message_known
    assert agent.asked == ["how many films?"]


def test_what_was_written_down_and_not_shown_is_shown_without_being_asked_again(
    dead, start_bot, agent, you, store_url
):
    result = agent._result("how many films?", ())
    lost = dead(result=result)
    start_bot()
    card = you.card("data", lost.ts)
    assert card["ts"] == lost.message
    assert "You asked: how many films?" in card["text"]

    def is_shown():
        with psycopg.connect(store_url) as connection:
            sql = "select shown from db_agent.runs where id = %s"
            return connection.execute(sql, [lost.run_id]).fetchone()[0]

    you.eventually(is_shown)
    assert agent.asked == []


def test_question_over_which_three_processes_died_is_given_up_in_words(
    dead, start_bot, agent, you, store, workspace
):
    lost = dead(begins=TRIES)
    start_bot(operators_channel=workspace.channels["helpdesk"])
    card = you.card("data", lost.ts)
    assert "I was interrupted three times" in card["text"]
    assert lost.run_id in card["text"]
    assert "given up" in str(you.told("helpdesk", "processes died"))
    assert agent.asked == []
    assert store.run(lost.run_id).failed


def test_runs_that_were_given_back_in_order_are_no_failures(dead, start_bot, you, store):
    lost = dead(begins=0, posts=False)
    for number in range(2 * TRIES):
        begun = store.begin(lost.run_id, f"process {number}")
        store.give_back(lost.run_id, begun.hold)
    start_bot()
    assert "You asked: how many films?" in you.card("data", lost.ts)["text"]


def test_run_that_another_process_has_taken_stops_and_writes_nothing(start_bot, agent, you, store):
    agent.gate = threading.Event()
    bot = start_bot()
    ts = you.ask("data", "how many films?")
    you.eventually(lambda: agent.asked and you.from_bot("data", ts))
    (run,) = store.under_way_at(bot.me.team_id, you.workspace.channels["data"])
    begun = store.begin(run.run_id, "another process")
    you.eventually(lambda: not bot.unfinished)
    (message,) = you.from_bot("data", ts)
    assert message["text"].startswith("Working on it")
    assert store.is_held(run.run_id, begun.hold)
    assert store.run(run.run_id).finished_at is None


def test_what_is_written_by_a_process_that_lost_the_run_changes_nothing(dead, store, agent):
    lost = dead(posts=False)
    before = store.begin(lost.run_id, "first").hold
    now = store.begin(lost.run_id, "second").hold
    result = agent._result("how many films?", ())
    assert not store.finish(lost.run_id, result, hold=before)
    store.turn_away(lost.run_id, "no", hold=before)
    store.place_card(lost.run_id, "1.1", hold=before)
    assert not store.note_shown(lost.run_id, before, card_ts="1.1")
    record = store.run(lost.run_id)
    assert (record.card_ts, record.finished_at) == (None, None)
    assert store.finish(lost.run_id, result, hold=now)


def test_a_process_that_stood_still_is_sure_of_nothing_before_the_store_has_answered(dead, store):
    lost = dead(posts=False)
    running = Running(sure_for_s=0.0)
    hold = store.begin(lost.run_id, running.owner).hold
    running.begin(lost.run_id, Thread("T", "C", "1.0"), "U1", hold)
    assert not running.is_ours(lost.run_id, hold)
    store.begin(lost.run_id, "another process")
    RunWatch(store, running).look()
    with pytest.raises(Lost):
        running.require(lost.run_id, hold)


def test_two_tries_of_one_run_in_one_process_are_kept_apart():
    running = Running()
    first, second = Hold("us", 1), Hold("us", 2)
    running.begin("r", Thread("T", "C", "1.0"), "U1", first)
    running.begin("r", Thread("T", "C", "1.0"), "U1", second)
    running.lose("r", first)
    running.end("r", first)
    assert running.is_ours("r", second)
    with pytest.raises(Lost):
        running.require("r", first)


def test_stopping_leaves_what_outlasts_its_grace_to_the_next_process(
    start_bot, agent, you, store_url, open_store
):
    agent.gate = threading.Event()
    bot = start_bot(workers=1)
    first = you.ask("data", "the first")
    you.eventually(lambda: agent.asked)
    second = you.ask("data", "the second")
    you.settled()
    assert not bot.stop(grace_s=0.3)
    (working,) = you.from_bot("data", first)
    assert working["text"].startswith("Working on it")
    agent.gate.set()
    start_bot(store=open_store(store_url))
    assert you.card("data", first)["ts"] == working["ts"]
    assert "You asked: the second" in you.card("data", second)["text"]
    assert sorted(agent.asked) == ["the first", "the first", "the second"]


def test_run_is_stopped_by_a_click_that_another_process_hears(
    start_bot, agent, deliver, you, store_url, open_store
):
    agent.gate = threading.Event()
    start_bot()
    ts = you.ask("data", "how many films?")
    you.eventually(lambda: agent.asked and you.from_bot("data", ts))
    other = start_bot(store=open_store(store_url), options={"answers": False})
    other.stop()  # it hears nothing by itself, but what is handed to it
    you.say("data", f"{you.mention} stop", thread_ts=ts)
    you.eventually(
        lambda: [m for m in you.from_bot("data", ts) if f"Stopped by <@{you.id}>" in m["text"]]
    )


def test_one_process_takes_what_another_answers(start_bot, agent, you, store_url, open_store):
    start_bot(options={"answers": False})
    ts = you.ask("data", "how many films?")
    you.settled()
    assert you.from_bot("data", ts) == []
    start_bot(store=open_store(store_url), options={"takes_events": False})
    assert "You asked" in you.card("data", ts)["text"]


def test_nothing_that_it_took_to_go_on_is_kept_once_the_answer_is_shown(start_bot, you, store_url):
    start_bot()
    you.card("data", you.ask("data", "how many films?"))
    you.command("data", "private how many films?")

    def left():
        with psycopg.connect(store_url) as connection:
            return connection.execute(
                "select (select count(*) from db_agent.transitions where checkpoint is not null)"
                " + (select count(*) from db_agent.runs where not shown or part is not null"
                "    or how ? 'response_url' and how ->> 'response_url' <> '')"
                " + (select count(*) from db_agent.procrastinate_jobs)"
            ).fetchone()[0]

    you.eventually(lambda: left() == 0)
