"""The app is removed, or its token revoked: no model is asked any more, and the log says why."""

from __future__ import annotations

import threading

import pytest

SHUT_OUT = "Slack lets this app do nothing any more"


@pytest.fixture
def event(bot, you):
    """An event about the app itself."""

    def payload(kind, **given):
        made = you.payload()
        made["event"] = {"type": kind, **given}
        return made

    return payload


def test_removed_app_asks_no_model_any_more_and_says_why(bot, agent, deliver, you, event, caplog):
    you.card("data", you.ask("data", "the first"))
    assert bot.connected
    assert deliver(bot, event("app_uninstalled")) == 200
    assert SHUT_OUT in caplog.text
    assert "it was removed from the workspace" in caplog.text
    assert not bot.connected
    assert bot.trouble == "it was removed from the workspace"
    ts = you.ask("data", "the second")
    you.say(you.dm(), "the third")
    you.command("data", "the fourth")
    you.settled()
    bot.stop()
    assert agent.asked == ["the first"]
    assert all("You asked" not in each["text"] for each in you.from_bot("data", ts))


def test_revoked_token_of_the_bot_stops_what_runs(start_bot, agent, deliver, you, caplog):
    agent.gate = threading.Event()
    bot = start_bot(workers=1)
    running = you.ask("data", "the first")
    you.eventually(lambda: agent.asked)
    waiting = you.ask("data", "the second")
    you.settled()
    payload = you.payload()
    payload["event"] = {"type": "tokens_revoked", "tokens": {"bot": [bot.me.user_id]}}
    assert deliver(bot, payload) == 200  # the gate stays shut: only being stopped ends the run
    you.eventually(lambda: bot.unfinished == 0)
    assert agent.asked == ["the first"]
    assert "its token was revoked" in caplog.text
    for ts in (running, waiting):
        assert all("You asked" not in each["text"] for each in you.from_bot("data", ts))


def test_token_of_somebody_else_changes_nothing(bot, agent, deliver, you, event):
    you.card("data", you.ask("data", "the first"))
    for tokens in ({"oauth": ["U0LOCALBEN"]}, {"bot": ["U0OTHERBOT"]}, {}, None):
        assert deliver(bot, event("tokens_revoked", tokens=tokens)) == 200
    assert bot.connected
    you.card("data", you.ask("data", "the second"))


def test_token_that_slack_refuses_is_noticed_at_the_first_call(bot, agent, deliver, you, caplog):
    you.card("data", you.ask("data", "the first"))
    ts = you.say("data", "the message")
    payload = you.payload(ts=ts, text=f"{you.mention} the second")
    you.settled()
    for method in ("chat.startStream", "chat.postMessage", "auth.test"):
        you.faults(error={"method": method, "error": "account_inactive", "times": 999})
    deliver(bot, payload)
    you.eventually(lambda: f"{SHUT_OUT}: it was removed from the workspace" in caplog.text)
    assert not bot.connected
    you.eventually(lambda: bot.unfinished == 0)
    assert agent.asked == ["the first"]
    for method in ("chat.startStream", "chat.postMessage", "auth.test"):
        you.faults(error={"method": method, "error": "account_inactive", "times": 0})
    you.card("data", you.ask("data", "the third"))  # it was a whim of Slack's
    assert bot.connected
    assert "Slack lets this app in again" in caplog.text
