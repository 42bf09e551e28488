"""What /ask tells of the bot's own record: the queue, the log, and questions about itself."""

from __future__ import annotations

from datetime import date

import pytest

from agent.messages import Outcome
from bot.about_itself import NoSelfAgent
from bot.ask_words import AboutItself, Log, Queue, Why, read_wish


def wish(text):
    today = date(2026, 11, 30)
    return read_wish(text, team="T1", viewer="U1", here="C1", today=today, time_zone="UTC")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("why", Why),
        ("Why?", Why),
        ("queue", Queue),
        ("queue?", Queue),
        ("log", Log),
        ("log failed this week", Log),
        ("LOG escalated", Log),
        ("log help", Log),
        ("log <@U123|mia>", Log),
        ("log refunds", Log),
        ("log wrong", Log),
        ("log marked as wrong", Log),
        ("log @Mia Torres", Log),
        ("log @Mia Torres failed this week", Log),
        ("about yourself: how many runs failed?", AboutItself),
    ],
)
def test_exact_forms_are_about_the_record(text, kind):
    assert isinstance(wish(text), kind)


@pytest.mark.parametrize(
    "text",
    [
        "why did revenue fall in 2024?",
        "why not",
        "log of payments in May",
        "log entries of each store in May",
        "log size?",
        "log how many films",
        "logins per day",
        "log in count by store",
        "queue length by store",
        "how many questions about yourself",
        "how many films?",
    ],
)
def test_what_merely_begins_so_is_a_question(text):
    assert wish(text) is None


def test_a_question_that_begins_like_a_form_is_answered(bot, agent, you):
    you.command("data", "why did revenue fall in 2024?")
    you.eventually(lambda: agent.asked)
    assert agent.asked == ["why did revenue fall in 2024?"]


class TestQueue:
    @pytest.fixture(autouse=True)
    def _refused(self, agent):
        agent.outcome = Outcome.ESCALATED
        agent.changes = {"answer": "", "draft": "9,999.", "summary": "It did not pass."}

    @pytest.fixture
    def desk(self, start_bot, workspace):
        start_bot(escalation_channel=workspace.channels["helpdesk"])

    def test_what_waits_is_listed_the_oldest_first(self, desk, you, mia):
        for question in ("first?", "second?"):
            you.card("data", you.ask("data", question))
            post = mia.told("helpdesk", question)
        mia.click(post, "take_escalation")
        mia.told("helpdesk", "has had it since")
        mia.command("data", "queue")
        queue = mia.told("data", "waiting for a person")
        assert queue["is_ephemeral"]
        title, first, second = queue["text"].split("\n")
        assert title == "*2 questions waiting for a person*, oldest first:"
        assert "“first?”: nobody has it yet" in first
        assert f"“second?”: <@{mia.id}> has it" in second
        linked = str(queue["blocks"])
        assert linked.count("|asked>") == linked.count("|open>") == 2

    def test_an_empty_queue_says_so(self, desk, you):
        you.command("data", "queue")
        assert "No question waits" in you.told("data", "No question waits")["text"]

    def test_without_a_channel_it_says_whom_to_ask(self, start_bot, you):
        start_bot(contact="the data team")
        you.command("data", "queue")
        assert "Ask the data team." in you.told("data", "no channel is set")["text"]

    def test_only_who_can_see_the_channel_sees_what_others_asked(
        self, start_bot, workspace, you, mia
    ):
        members = f"{workspace.bot_user_id},{mia.id}"
        body = {"name": "desk", "is_private": True, "members": members}
        inner = you.client.api_call("workspace.addChannel", json=body)["channel"]["id"]
        start_bot(escalation_channel=inner)
        you.card("general", you.ask("general", "about my pay?"))
        mia.told(inner, "A question for a person")
        mia.command("data", "queue")
        assert "about my pay?" in mia.told("data", "waiting for a person")["text"]
        ben = type(mia)(workspace, "ben")
        ben.command("data", "queue")
        hidden = ben.told("data", "No question of yours")
        assert "about my pay?" not in str(hidden)
        assert "1 more question" in str(hidden["blocks"])
        ben.command("general", "queue")
        assert "about my pay?" in ben.told("general", "waiting for a person")["text"]

    def test_what_only_the_asker_saw_is_not_listed_for_others_of_its_channel(
        self, start_bot, workspace, you, mia
    ):
        def private(name, *members):
            body = {"name": name, "is_private": True, "members": ",".join(members)}
            return you.client.api_call("workspace.addChannel", json=body)["channel"]["id"]

        ben = type(mia)(workspace, "ben")
        team = private("team", you.id, ben.id)
        desk = private("desk", workspace.bot_user_id, mia.id)
        start_bot(escalation_channel=desk)
        you.command(team, "about my pay?")
        you.click(you.told(team, "This needs a person"), "ask_a_person")
        mia.told(desk, "A question for a person")
        ben.command(team, "queue")
        assert "about my pay?" not in str(ben.told(team, "No question of yours"))
        you.command(team, "queue")
        assert "about my pay?" in you.told(team, "waiting for a person")["text"]


class TestLog:
    def test_entries_are_sentences_with_a_link_to_their_thread(self, bot, agent, you):
        card = you.card("data", you.ask("data", "how many films?"))
        you.command("data", "log answered today")
        log = you.told("data", "1 question")
        assert log["is_ephemeral"]
        assert "“how many films?”: answered" in log["text"]
        assert f"message={card['ts']}" in str(log["blocks"])

    def test_failed_runs_are_found(self, bot, agent, you):
        you.card("data", you.ask("data", "how many films?"))
        agent.outcome = Outcome.FAILED
        you.card("data", you.ask("data", "how many actors?"))
        you.command("data", "log failed")
        log = you.told("data", "1 question")
        assert "how many actors?" in log["text"]
        assert "how many films?" not in log["text"]

    def test_what_was_asked_in_private_is_for_nobody_else(self, bot, you, mia):
        you.card(you.dm(), you.say(you.dm(), "about my pay?"))
        you.card("data", you.ask("data", "how many films?"))
        mia.command("general", "log")
        assert "about my pay?" not in str(mia.told("general", "how many films?"))
        you.command("general", "log")
        assert "about my pay?" in str(you.told("general", "how many films?"))

    def test_nothing_found_says_so(self, bot, you):
        you.command("data", "log failed")
        assert "no such question" in you.told("data", "no such question")["text"]

    @pytest.mark.parametrize("words", ["log refunds", "log wrong", "log @Mia Torres"])
    def test_a_search_that_is_not_understood_stays_private(self, bot, agent, you, words):
        you.command("data", words)
        told = you.told("data", "I do not understand")
        assert told["is_ephemeral"]
        assert "`/ask log failed this week`" in told["text"]
        assert "put it as a whole sentence" in told["text"]
        assert agent.asked == []

    def test_help_says_what_to_look_for(self, bot, agent, you):
        you.command("data", "log help")
        assert "failed this week" in you.told("data", "I understand")["text"]
        assert agent.asked == []


class TestAboutItself:
    def test_the_question_goes_to_the_record_and_its_answer_to_one_person(
        self, start_bot, agent, you
    ):
        record = type(agent)(model_name="record")
        start_bot(options={"itself": record})
        you.command("data", "about yourself: how many questions failed?")
        card = you.told("data", "You asked: how many questions failed?")
        assert card["is_ephemeral"]
        assert you.from_bot("data") == [card]
        assert (record.asked, agent.asked) == (["how many questions failed?"], [])
        you.click(card, "why")
        assert "What I did, and why" in you.told("data", "What I did, and why")["text"]

    def test_a_question_back_says_to_ask_again(self, start_bot, agent, you):
        record = type(agent)(model_name="record")
        record.outcome = Outcome.NEEDS_CLARIFICATION
        start_bot(options={"itself": record})
        you.command("data", "about yourself: how many?")
        text = you.told("data", "I need to know one thing first")["text"]
        assert "Ask again with that in your question" in text
        assert "in the thread" not in text

    def test_without_a_question_it_asks_for_one(self, start_bot, agent, you):
        start_bot(options={"itself": type(agent)(model_name="record")})
        you.command("data", "about yourself")
        assert "such as: /ask about yourself:" in you.told("data", "Put a question")["text"]

    @pytest.mark.parametrize(
        ("itself", "words"),
        [(None, "cannot be asked about myself"), (NoSelfAgent("Make a login."), "Make a login.")],
    )
    def test_where_the_record_is_closed_it_says_why(self, start_bot, you, itself, words):
        start_bot(options={"itself": itself})
        you.command("data", "about yourself: how many failed?")
        assert words in you.told("data", words)["text"]


def test_outsiders_learn_nothing_from_the_record(bot, you, newcomer):
    you.card("data", you.ask("data", "how many films?"))
    stranger = newcomer("stranger", is_stranger=True)
    for words in ("log", "queue", "why"):
        stranger.command("data", words)
    told = you.eventually(lambda: len(found := stranger.from_bot("data")) == 3 and found)
    assert all("members of this workspace" in each["text"] for each in told)
