"""The connection to Slack breaks, and is there again."""

from __future__ import annotations

import logging
import os
import time

import pytest

from bot.slack_errors import SlackUnavailable


@pytest.fixture
def workspace(start_workspace):
    """One that soon sends again what nobody acknowledged."""
    return start_workspace(ack_within=0.8)


def test_dropped_socket_comes_back_and_questions_are_answered(bot, agent, you):
    you.card("data", you.ask("data", "the first"))
    you.faults(drop_sockets=True)
    ts = you.ask("data", "the second")
    assert "You asked: the second" in you.card("data", ts, within=20)["text"]


def test_slack_that_asks_to_connect_anew_loses_nothing(bot, agent, you):
    you.faults(disconnect="refresh_requested")
    for number in range(3):
        you.card("data", you.ask("data", f"question {number}"), within=20)
    assert agent.asked == ["question 0", "question 1", "question 2"]


def test_dropped_socket_burns_no_processor(bot, you):
    you.card("data", you.ask("data", "the first"))
    you.faults(drop_sockets=True)
    time.sleep(1)  # found and replaced by now
    before = os.times()
    time.sleep(1)
    after = os.times()
    assert after.user + after.system - before.user - before.system < 0.5


def test_idle_connection_stays(start_bot, you, monkeypatch, caplog):
    caplog.set_level(logging.INFO)
    monkeypatch.setattr("bot.local_workspace.socket_mode.PING_EVERY_S", 0.4)
    start_bot()
    time.sleep(3)  # several pings, and nothing else said
    made = [line for line in caplog.messages if "new session has been established" in line]
    assert len(made) == 1, caplog.messages
    you.card("data", you.ask("data", "still there?"))


def test_one_lost_connection_is_no_reason_to_warn_and_more_are(bot, you, caplog):
    caplog.set_level(logging.INFO, logger="bot.socket_mode")
    you.card("data", you.ask("data", "the first"))
    for number in (1, 2):
        you.faults(drop_sockets=True)
        you.eventually(lambda: len(lost(caplog)) == number)  # noqa: B023 (called at once)
        you.card("data", you.ask("data", f"question {number}"), within=20)
    assert [record.levelname for record in lost(caplog)] == ["INFO", "WARNING"]
    assert not any("Slack" in record.message for record in lost(caplog))


def lost(caplog):
    return [each for each in caplog.records if "connection ended" in each.message]


def test_slack_without_an_event_connection_is_named_at_start(start_bot, you):
    you.faults(error={"method": "apps.connections.open", "error": "internal_error", "times": 9})
    with pytest.raises(SlackUnavailable, match="Socket Mode"):
        start_bot()


def test_proxy_of_the_environment_is_not_used_for_this_machine(start_bot, you, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.setenv("no_proxy", "")
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    start_bot()
    you.command("finance-private", "how many films?")
    you.card("data", you.ask("data", "how many films?"))
    you.eventually(lambda: len(you.from_bot("finance-private")) == 2)
