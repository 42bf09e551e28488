"""The slash command /ask."""

from __future__ import annotations

import pytest


def test_command_posts_the_question_and_answers_in_its_thread(bot, agent, you):
    you.command("data", "how many films?")
    (root,) = you.eventually(lambda: you.from_bot("data"))
    assert root["text"] == f"<@{you.id}> asked: how many films?"
    _, card = you.eventually(
        lambda: (
            [each for each in you.from_bot("data", root["ts"]) if "asked:" in each["text"]][1:]
            and you.cards("data", root["ts"], 2)
        )
    )
    assert "You asked: how many films?" in card["text"]


def test_command_is_acknowledged_at_once_and_says_nothing_itself(bot, you):
    outcome = you.command("data", "how many films?")
    assert outcome["ack_ms"] < 1000
    assert outcome["ack_payload"] is None


def test_follow_up_to_a_command_needs_no_mention(bot, agent, you):
    you.command("data", "films per category")
    (root,) = you.eventually(lambda: you.from_bot("data"))
    you.cards("data", root["ts"], 2)
    you.say("data", "only drama", thread_ts=root["ts"])
    you.cards("data", root["ts"], 3)
    assert agent.asked == ["films per category", "only drama"]
    assert [each.question for each in agent.histories[1]] == ["films per category"]


@pytest.mark.parametrize("text", ["", "help", " HELP ", "hello!"])
def test_command_without_a_question_explains_itself_to_the_one_who_asked(bot, agent, you, text):
    you.command("data", text)
    (help_card,) = you.eventually(lambda: you.from_bot("data"))
    assert help_card["is_ephemeral"]
    assert "Ask me about your data" in help_card["text"]
    assert agent.asked == []


def test_command_where_the_bot_is_no_member_is_answered_in_private(bot, agent, you, caplog):
    you.command("finance-private", "how many films?")
    invite, card = you.eventually(
        lambda: len(found := you.from_bot("finance-private")) == 2 and found
    )
    assert "/invite @db-agent" in invite["text"]
    assert "You asked: how many films?" in card["text"]
    assert invite["is_ephemeral"]
    assert card["is_ephemeral"]
    you.click(card, "show_sql")
    sql = you.eventually(lambda: you.from_bot("finance-private")[2:])[0]
    assert "select category" in str(sql["blocks"])
    warned = [each for each in caplog.records if each.levelname == "WARNING"]
    assert [each.getMessage() for each in warned if "channel_not_found" in each.getMessage()] == []


def test_command_in_the_direct_messages_with_the_bot_opens_a_thread_there(bot, agent, you):
    you.command(you.dm(), "films per category")
    (root,) = you.eventually(lambda: you.from_bot(you.dm()))
    you.cards(you.dm(), root["ts"], 2)
    you.say(you.dm(), "only drama", thread_ts=root["ts"])
    you.cards(you.dm(), root["ts"], 3)
    assert [each.question for each in agent.histories[1]] == ["films per category"]


def test_command_that_slack_does_not_let_us_post_is_told_in_private(bot, agent, you):
    you.faults(error={"method": "chat.postMessage", "error": "is_archived"})
    you.command("data", "how many films?")
    (refused,) = you.eventually(lambda: you.from_bot("data"))
    assert refused["is_ephemeral"]
    assert "did not let me post" in refused["text"]
    assert agent.asked == []


def test_too_long_command_is_refused_in_private(bot, agent, you):
    you.command("data", "how many films? " * 300)
    (refused,) = you.eventually(lambda: you.from_bot("data"))
    assert refused["is_ephemeral"]
    assert "4,000" in refused["text"]
    assert agent.asked == []


def test_command_pings_nobody_but_the_one_who_asked(bot, agent, you, mia):
    you.command("data", "rentals of @mia and <!channel> & more")
    (root,) = you.eventually(lambda: you.from_bot("data"))
    assert root["text"] == f"<@{you.id}> asked: rentals of @mia and &lt;!channel&gt; &amp; more"
    you.cards("data", root["ts"], 2)
    assert agent.asked == ["rentals of @mia and <!channel> & more"]
