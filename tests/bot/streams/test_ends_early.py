"""A stream that is over before its run, or that does not end when it should."""

from __future__ import annotations

import pytest
from slack_sdk import WebClient

from bot.store import Question, Thread


def test_step_after_the_end_of_the_stream_is_an_edit_that_holds_all_steps(bot, agent, you, streams):
    ts = you.ask("data", "how many films?")
    begun = streams.streamed("data", ts)
    agent.take("first")
    streams.shows("data", ts, "✓ Did first.")
    you.faults(expire_streams=True)
    agent.take("second", "third")
    edited = streams.shows("data", ts, "✓ Did first.", "✓ Did second.", "✓ Did third.")
    assert edited["ts"] == begun["ts"]
    assert edited["blocks"][0]["type"] == "section"
    assert "stop_run" in str(edited["blocks"])
    agent.gate.set()
    assert you.card("data", ts)["ts"] == begun["ts"]


def test_rate_limit_on_a_step_leaves_it_out_and_the_next_one_brings_it(bot, agent, you, streams):
    ts = you.ask("data", "how many films?")
    streams.streamed("data", ts)
    you.eventually(lambda: agent.asked)
    you.faults(rate_limit={"method": "chat.appendStream", "retry_after": 0, "times": 1})
    agent.take("first")
    streams.shows("data", ts, "✓ Did first.")
    agent.take("second")
    streams.shows("data", ts, "✓ Did first.", "✓ Did second.")
    agent.gate.set()
    you.card("data", ts)


@pytest.mark.parametrize(
    "trouble",
    [
        {"rate_limit": {"method": "chat.stopStream", "retry_after": 0, "times": 4}},
        {"break": {"method": "chat.stopStream", "taken": True}},
        {"error": {"method": "chat.stopStream", "error": "unknown_method"}},
    ],
    ids=["rate limit", "broken connection", "refusal"],
)
def test_end_that_does_not_come_through_costs_no_answer(
    bot, agent, you, streams, trouble, monkeypatch
):
    monkeypatch.setattr("bot.delivery.PAUSES_S", (0.05, 0.05, 0.05))
    ts = you.ask("data", "how many films?")
    begun = streams.streamed("data", ts)
    you.faults(**trouble)
    agent.gate.set()
    assert you.card("data", ts)["ts"] == begun["ts"]
    assert len(you.from_bot("data", ts)) == 1


def test_stream_that_slack_never_lets_end_is_deleted_and_the_card_is_another_message(
    bot, agent, you, streams, monkeypatch
):
    monkeypatch.setattr("bot.delivery.PAUSES_S", (0.01, 0.01))
    ts = you.ask("data", "how many films?")
    begun = streams.streamed("data", ts)
    you.faults(error={"method": "chat.stopStream", "error": "internal_error", "times": 100})
    agent.gate.set()
    card = you.card("data", ts)
    assert card["ts"] != begun["ts"]
    assert len(you.from_bot("data", ts)) == 1
    assert you.client.api_call("workspace.boot")["sessions"][-1]["state"] == "active"


@pytest.mark.parametrize("word", ["edit_window_closed", "cant_update_message", "a_new_word"])
def test_message_that_may_not_be_changed_is_deleted_and_the_card_is_another(
    bot, agent, you, streams, word
):
    ts = you.ask("data", "how many films?")
    begun = streams.streamed("data", ts)
    you.faults(error={"method": "chat.update", "error": word, "times": 100})
    agent.gate.set()
    card = you.card("data", ts)
    assert card["ts"] != begun["ts"]
    you.eventually(lambda: not bot.unfinished)
    assert you.from_bot("data", ts) == [card]


def test_card_left_streaming_by_a_process_that_died_is_finished_by_the_next(
    start_bot, agent, workspace, store, you, streams
):
    agent.gate.set()
    ts = you.ask("data", "how many films?")  # no bot hears it
    channel, client = you.workspace.channels["data"], WebClient(workspace.bot_token)
    client.base_url = workspace.api_url
    team = str(client.auth_test()["team_id"])
    where = {"channel": channel, "thread_ts": ts}
    step = {"type": "task_update", "id": "1", "title": "Looking", "status": "in_progress"}
    begun = client.chat_startStream(
        **where, recipient_user_id=you.id, recipient_team_id=team, chunks=[step]
    )
    run_id = store.claim(Question(Thread(team, channel, ts), ts, you.id, "how many films?"))
    store.place_card(run_id, begun["ts"])
    start_bot()
    you.eventually(lambda: "You asked" in streams.message("data", ts)["text"])
    left = streams.message("data", ts)
    assert left["streaming_state"] == "completed"
    assert "stop_run" not in str(left["blocks"])
