"""Calls of Slack that break, where a question is asked and not yet answered."""

from __future__ import annotations

import pytest

from bot import only_for_asker, post_once


@pytest.fixture(autouse=True)
def _hurry(monkeypatch):
    monkeypatch.setattr(post_once, "PAUSES_S", (0.05, 0.05))
    monkeypatch.setattr(only_for_asker, "PAUSES_S", (0.05, 0.05, 0.05))


@pytest.mark.parametrize("kind", ["break", "server_error"])
@pytest.mark.parametrize("taken", [True, False], ids=["taken", "not taken"])
def test_a_command_s_question_stands_once_and_is_answered(bot, agent, you, kind, taken):
    you.faults(**{kind: {"method": "chat.postMessage", "taken": taken}})
    you.command("data", "how many films?")
    you.eventually(lambda: agent.asked == ["how many films?"])
    (root,) = [each for each in you.from_bot("data") if "asked:" in each["text"]]
    assert you.cards("data", root["ts"], 2)[1]["text"].startswith("You asked")


def test_a_question_about_a_message_stands_once(bot, agent, you):
    ts = you.say("data", "films are dear")
    shortcut = {"channel": you.workspace.channels["data"], "ts": ts}
    you.client.api_call(
        "workspace.messageShortcut", json={**shortcut, "callback_id": "ask_about_message"}
    )
    modal = you.modal()
    you.faults(**{"break": {"method": "chat.postMessage", "taken": True}})
    you.submit(modal, "how many?")
    you.eventually(lambda: agent.asked)
    asked = [each for each in you.from_bot("data", ts) if "asked about" in each["text"]]
    assert len(asked) == 1


def test_a_command_is_told_where_its_question_cannot_be_put(bot, agent, you):
    you.faults(server_error={"method": "chat.postMessage", "times": 9})
    you.command("data", "how many films?")
    assert you.told("data", "Please try again in a moment")["is_ephemeral"]
    assert agent.asked == []


@pytest.mark.parametrize(
    "plan", [{"server_error": {"times": 2}}, {"rate_limit": {"retry_after": 0}}, {"break": {}}]
)
def test_an_answer_in_private_is_said_again_whole(bot, you, plan):
    ((kind, how),) = plan.items()
    you.faults(**{kind: {"method": "response_url", **how}})
    you.command("data", "tables film")
    told = you.eventually(lambda: you.from_bot("data"))[0]
    assert told["is_ephemeral"]
    assert told["blocks"]


@pytest.mark.parametrize(
    ("method", "kind"), [("users.info", "break"), ("conversations.info", "server_error")]
)
def test_nobody_is_refused_since_a_look_at_them_broke(bot, you, method, kind):
    you.faults(**{kind: {"method": method, "times": 1}})
    assert "You asked" in you.card("data", you.ask("data", "how many films?"))["text"]
