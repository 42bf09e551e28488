"""Questions whose process died: each is told of once, whatever Slack says at first."""

from __future__ import annotations

import psycopg
import pytest
from slack_sdk import WebClient

from bot.clients import make_clients
from bot.cut_off import CutOffWatch
from bot.running import Running
from bot.store import Question, Store, StoreUnavailable, Thread

LOST = "I was interrupted while I worked on"


@pytest.fixture
def watch(store, workspace):
    """Another process, that knows of no run."""
    return CutOffWatch(store, make_clients(workspace.bot_token, workspace.api_url), Running())


@pytest.fixture
def die(store, store_url, workspace, you):
    """Leaves a question as a process does that dies over it; its run, thread and message."""
    client = WebClient(workspace.bot_token, base_url=workspace.api_url)
    team = str(client.auth_test()["team_id"])

    def leave(*, channel="data", posts=True, notes=True, status=""):
        ts = you.say(channel, "how many films?")
        channel_id = workspace.channels.get(channel, channel)
        run_id = store.claim(Question(Thread(team, channel_id, ts), ts, you.id, "how many films?"))
        if posts:
            stop = {"type": "button", "text": {"type": "plain_text", "text": "Stop"}}
            stop |= {"action_id": "stop_run", "value": run_id}
            where = {"channel": channel_id, "thread_ts": ts}
            steps = client.chat_postMessage(
                **where, text="Working on it…", blocks=[{"type": "actions", "elements": [stop]}]
            )
            if notes:
                store.place_card(run_id, steps["ts"])
        if status:
            client.agents_sessions_setStatus(channel_id=channel_id, thread_ts=ts, status=status)
        grow_old(store_url)
        return ts

    return leave


def grow_old(store_url):
    with psycopg.connect(store_url) as connection:
        connection.execute("update db_agent.runs set seen_at = now() - interval '1 hour'")


def only(you, channel, ts):
    (message,) = you.from_bot(channel, ts)
    return message["text"]


@pytest.mark.parametrize(
    "trouble",
    [
        {"error": {"method": "chat.update", "error": "internal_error"}},
        {"rate_limit": {"method": "chat.update", "retry_after": 600}},
        {"break": {"method": "chat.update"}},
    ],
    ids=["its own error", "a long rate limit", "a broken connection"],
)
def test_what_slack_does_not_take_at_first_is_told_at_the_next_look(watch, die, you, trouble):
    ts = die()
    you.faults(**trouble)
    watch.look()  # returns at once
    assert only(you, "data", ts) == "Working on it…"
    watch.look()
    assert only(you, "data", ts).startswith(LOST)


@pytest.mark.parametrize("posts", [True, False], ids=["posted and not noted", "never begun"])
def test_question_without_a_noted_message_is_told_of_in_one_message(watch, die, you, posts):
    ts = die(posts=posts, notes=False)
    watch.look()
    watch.look()
    assert only(you, "data", ts).startswith(LOST)


def test_thread_of_an_agent_does_not_stay_at_work(watch, die, you):
    channel = you.dm()
    ts = die(channel=channel, status="processing")
    watch.look()
    assert only(you, channel, ts).startswith(LOST)
    assert [each["state"] for each in you.client.api_call("workspace.boot")["sessions"]] == [
        "active"
    ]


def test_answer_to_a_change_is_not_told_to_be_lost(watch, die, store, workspace, you):
    ts = die()
    you.faults(error={"method": "chat.update", "error": "internal_error"})
    watch.look()
    thread = Thread(workspace.team_id, workspace.channels["data"], ts)
    assert store.revise(Question(thread, ts, you.id, "how many rentals?"), "1900000000.1")
    watch.look()  # that run may have taken the message
    assert only(you, "data", ts) == "Working on it…"


def test_answer_stays_though_its_process_died_before_it_could_be_recorded(
    bot, store_url, watch, you, monkeypatch
):
    def down(*_, **__):
        raise StoreUnavailable("away", detail="a test took it away")

    monkeypatch.setattr(Store, "finish", down)
    ts = you.ask("data", "how many films?")
    answer = you.card("data", ts)
    bot.stop()
    grow_old(store_url)
    watch.look()
    assert only(you, "data", ts) == answer["text"]


def test_answer_that_could_not_be_recorded_stays(bot, store_url, watch, you, monkeypatch):
    def down(*_, **__):
        raise StoreUnavailable("away", detail="a test took it away")

    with monkeypatch.context() as away:
        away.setattr(Store, "finish", down)
        ts = you.ask("data", "how many films?")
        answer = you.card("data", ts)
        you.eventually(lambda: not bot.unfinished)
    grow_old(store_url)
    bot._front._watch.look()  # as it does every few seconds
    grow_old(store_url)
    watch.look()
    assert only(you, "data", ts) == answer["text"]
