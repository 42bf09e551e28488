"""`/ask private QUESTION`: the question and its answer are seen by the asker and nobody else."""

from __future__ import annotations

from datetime import date

import pytest

from agent.messages import Outcome
from bot.ask_words import Private, Why, read_wish
from bot.only_for_asker import OnlyForAsker
from bot.render import Card


def wish(text):
    today = date(2026, 11, 30)
    return read_wish(text, team="T1", viewer="U1", here="C1", today=today, time_zone="UTC")


@pytest.mark.parametrize(
    ("text", "question", "is_plain"),
    [
        ("private how many films?", "how many films?", True),
        ("Private: equity deals by year?", "equity deals by year?", True),
        ("privately, films per category", "films per category", True),
        ("private top five categories by revenue", "top five categories by revenue", True),
        ("private films per category", "films per category", False),
        ("private customers with late rentals", "customers with late rentals", False),
        (
            "private how many films\nand how many actors?",
            "how many films\nand how many actors?",
            True,
        ),
        ("private", "", True),
        ("private?", "", True),
        ("private help", "", True),
    ],
)
def test_a_question_behind_private_is_private(text, question, is_plain):
    assert wish(text) == Private(question, is_plain)


@pytest.mark.parametrize(
    "text",
    [
        "private equity deals by year?",
        "private-label sales per month",
        "private schools by region",
        "private and public schools by region",
        "privatekunden per month",
        "how many private customers do we have?",
    ],
)
def test_private_as_part_of_a_question_is_no_form(text):
    assert wish(text) is None


def test_what_is_private_anyway_may_follow_it():
    assert wish("private why") == Why()


@pytest.fixture
def asked(bot, you):
    """Asks in private; gives the card, which is the second message that the asker sees."""

    def ask(text, channel="data"):
        you.command(channel, f"private {text}")
        _, card = you.eventually(lambda: len(found := you.from_bot(channel)) == 2 and found)
        return card

    return ask


def test_nobody_else_sees_the_question_or_its_answer(asked, agent, you, mia):
    card = asked("how many films?")
    assert "You asked: how many films?" in card["text"]
    assert agent.asked == ["how many films?"]
    assert all(each["is_ephemeral"] for each in you.from_bot("data"))
    assert mia.from_bot("data") == []
    assert mia.seen("data") == [each for each in you.seen("data") if not each.get("is_ephemeral")]


def test_the_asker_is_told_what_is_being_answered_and_for_whom(asked, you):
    asked("films per <!channel> category")
    told = you.from_bot("data")[0]
    assert "Only you will see this question and its answer" in told["text"]
    assert "films per &lt;!channel&gt; category" in str(told["blocks"])
    assert "If “private” belongs to your question" in told["text"]


def test_a_plain_question_is_repeated_without_a_doubt(asked, you):
    asked("how many films?")
    assert "belongs to your question" not in you.from_bot("data")[0]["text"]


def test_its_buttons_work_and_answer_the_asker_alone(asked, you, mia):
    card = asked("how many films?")
    for action, words in (("show_sql", "select category"), ("why", "What I did, and why")):
        you.click(card, action)
        assert you.told("data", words)["is_ephemeral"]
    you.click(card, "ask_a_person")
    assert you.told("data", "whoever runs this bot")["is_ephemeral"]
    assert mia.from_bot("data") == []


def test_its_rows_come_as_a_file_in_the_direct_messages_of_the_asker(asked, you, mia):
    card = asked("how many films?")
    you.click(card, "csv")
    assert you.told("data", "in a direct message")["is_ephemeral"]
    (file,) = you.eventually(
        lambda: [
            file
            for root in you.from_bot(you.dm())
            for each in you.seen(you.dm(), root["ts"])
            for file in each.get("files") or ()
        ]
    )
    assert file["name"] == "how-many-films.csv"
    assert mia.from_bot("data") == []


def test_its_entry_in_the_log_is_for_the_asker_alone(asked, you, mia):
    asked("how many secrets?")
    mia.command("data", "log")
    assert "secrets" not in str(mia.told("data", "no such question"))
    you.command("data", "log")
    assert "how many secrets?" in str(you.told("data", "1 question"))


def test_why_tells_of_it_to_the_asker_and_not_to_others(asked, you, mia):
    asked("how many films?")
    mia.command("data", "why")
    assert "asked me nothing" in mia.told("data", "nothing")["text"]
    you.command("data", "why")
    assert you.told("data", "What I did, and why")["is_ephemeral"]


def test_a_failed_run_is_told_in_private_too(bot, agent, you, mia):
    agent.outcome = Outcome.FAILED
    you.command("data", "private how many films?")
    assert you.told("data", "could not be reached")["is_ephemeral"]
    assert mia.from_bot("data") == []


def test_a_crash_is_told_in_private_too(bot, agent, you, mia):
    agent.breaks_with = RuntimeError("secret details")
    you.command("data", "private how many films?")
    told = you.told("data", "Something broke on our side")
    assert told["is_ephemeral"]
    assert "secret details" not in str(you.seen("data"))
    assert mia.from_bot("data") == []


def test_slack_is_answered_no_more_often_than_it_takes(asked, you, caplog):
    asked("how many films?")
    command = next(
        each["payload"] for each in you.deliveries() if each["payload"].get("command") == "/ask"
    )
    (place, refused) = OnlyForAsker(command["response_url"]), Card([{"type": "odd"}], "")
    place.post(refused)
    assert not place.finish([refused] * 3)
    assert not place.finish([Card([], "a last word")])
    assert "as often as Slack lets us" in caplog.text
    assert "a last word" not in str(you.seen("data"))


def test_private_alone_says_how_it_is_used(bot, agent, you):
    you.command("data", "private")
    told = you.told("data", "/ask private how many customers")
    assert told["is_ephemeral"]
    assert agent.asked == []


def test_private_as_part_of_a_question_is_asked_in_the_open(bot, agent, you):
    you.command("data", "private equity deals by year?")
    (root,) = you.eventually(lambda: you.from_bot("data"))
    assert root["text"] == f"<@{you.id}> asked: private equity deals by year?"
    you.cards("data", root["ts"], 2)
    assert agent.asked == ["private equity deals by year?"]


def test_an_outsider_gets_no_private_answer(bot, agent, newcomer):
    stranger = newcomer("stranger", is_stranger=True)
    stranger.command("data", "private how many films?")
    (told,) = stranger.eventually(lambda: stranger.from_bot("data"))
    assert "members of this workspace" in told["text"]
    assert agent.asked == []
