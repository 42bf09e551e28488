"""Everything that a person does reaches the bot over HTTP as it does over a socket."""

from __future__ import annotations

import threading
import time
from urllib.parse import urlencode

import pytest

from agent.messages import Outcome


@pytest.fixture
def gate(agent):
    agent.gate = threading.Event()
    return agent.gate


def test_challenge_is_given_back_while_the_bot_is_still_starting(slack, service):
    asked = {"type": "url_verification", "token": "t", "challenge": "abc-123"}
    assert slack.event(asked).json == {"challenge": "abc-123"}
    assert slack.event(asked, x_slack_signature="v0=0").status == 401


def test_check_of_the_certificate_is_answered(slack, bot):
    reply = slack.form(ssl_check="1", token="t")
    assert (reply.status, reply.body) == (200, "")


def test_mention_is_acknowledged_at_once_and_answered_once(bot, agent, gate, you):
    ts = you.ask("data", "how many films?")
    you.settled()  # while the answer is as slow as can be
    sent = [each for each in you.deliveries() if each["payload"]["event"].get("ts") == ts]
    assert sorted(each["payload"]["event"]["type"] for each in sent) == ["app_mention", "message"]
    assert all(attempt["ack_ms"] < 3000 for each in sent for attempt in each["attempts"])
    gate.set()
    assert "You asked: how many films?" in you.card("data", ts)["text"]
    assert agent.asked == ["how many films?"]


def test_event_that_is_sent_again_is_taken_and_answered_once(bot, agent, slack, you, caplog):
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    payload = you.payload()
    for attempt in ("1", "2", "3"):
        headers = {"x_slack_retry_num": attempt, "x_slack_retry_reason": "http_timeout"}
        assert slack.event(payload, **headers).status == 200
    bot.stop()
    assert agent.asked == ["how many films?"]
    assert len(you.from_bot("data", ts)) == 1
    again = [each for each in caplog.messages if "sends event" in each]
    assert len(again) == 3
    assert "attempt 3, http_timeout" in again[-1]


def test_event_that_nothing_listens_to_is_not_sent_again(bot, slack, you):
    you.card("data", you.ask("data", "how many films?"))
    reply = slack.event(you.payload(type="team_join"))
    assert (reply.status, reply.headers["x-slack-no-retry"]) == (404, "1")


def test_events_are_left_for_another_process_while_this_one_stops(bot, agent, slack, you):
    you.card("data", you.ask("data", "how many films?"))
    payload = you.payload(ts="1700000000.000100")
    bot.stop()
    reply = slack.event(payload)
    assert reply.status == 503
    assert "x-slack-no-retry" not in reply.headers
    assert agent.asked == ["how many films?"]


@pytest.mark.parametrize("question", ["how many films?", 'what is a "payload", & why = so?'])
def test_command_is_acknowledged_and_answered(bot, agent, gate, you, question):
    outcome = you.command("data", question)
    assert outcome["ack_ms"] < 3000
    gate.set()
    root = you.eventually(lambda: you.from_bot("data"))[0]
    assert "You asked" in you.cards("data", root["ts"], 2)[1]["text"]
    assert agent.asked == [question]


def test_command_that_somebody_overheard_and_sends_again_asks_nothing(bot, agent, slack, you):
    you.command("data", "how many films?")
    root = you.eventually(lambda: you.from_bot("data"))[0]
    you.cards("data", root["ts"], 2)
    sent = [each["payload"] for each in you.deliveries() if "command" in each["payload"]][-1]
    command = {**sent, "trigger_id": "1.2.3", "text": "how many actors?"}
    stamp = str(int(time.time()))
    body = urlencode(command).encode()
    for _ in range(3):
        kind = "application/x-www-form-urlencoded"
        assert slack.post(body, kind, x_slack_request_timestamp=stamp).status == 200
    you.eventually(lambda: len(agent.asked) > 1)
    bot.stop()  # what is under way is finished first
    assert agent.asked == ["how many films?", "how many actors?"]


def test_answer_of_a_command_comes_to_its_response_url(bot, you):
    you.command("finance-private", "help")  # where the bot is no member
    assert you.told("finance-private", "Ask me about your data")["is_ephemeral"]


def test_click_is_answered_and_a_form_with_a_mistake_stays_open(bot, agent, you, mia):
    agent.outcome = Outcome.ESCALATED
    agent.changes = {"answer": "", "draft": "9,999 films.", "summary": "It did not pass."}
    ts = you.ask("data", "how many films?")
    you.click(you.card("data", ts), "show_sql")
    assert "select category" in str(you.cards("data", ts, 2)[1])
    mia.click(mia.told("helpdesk", "A question for a person"), "answer_escalation")
    window = mia.modal()
    assert mia.submit(window, "  ")["errors"] == {"words": "Please write something."}
    mia.submit(window, "One thousand.")
    assert "One thousand." in str(you.cards("data", ts, 3)[2])


def test_home_tab_is_filled_once_it_is_opened(bot, you):
    you.client.api_call("workspace.openAppHome", json={"tab": "home"})
    assert you.eventually(lambda: you.client.api_call("workspace.boot")["apps"][0]["home"])
