"""Whatever goes away meanwhile, no question is lost and nobody waits in vain."""

from __future__ import annotations

import threading

import psycopg
import pytest

from agent.database.embedded import EmbeddedPostgres
from agent.messages import Outcome
from bot.audience import Audience
from bot.channel_settings import ChannelRules
from bot.clients import make_clients
from bot.escalation import Escalations
from bot.links import Links
from bot.settling import NOWHERE
from bot.store import LogSearch

ROUND_S = 0.2


@pytest.fixture
def refused(agent):
    """The agent's answers do not pass their checks."""
    agent.outcome = Outcome.ESCALATED
    agent.changes = {"answer": "", "draft": "9,999 films.", "summary": "It did not pass."}


@pytest.fixture
def desk(start_bot, workspace, monkeypatch):
    """A bot with an escalation channel that looks after it often, and tries again soon.

    On a busy machine its first look may come before the run's own try, and meet what is wrong.
    """
    monkeypatch.setattr("bot.escalation_watch.AGAIN_AFTER_S", 1.0)
    return start_bot(
        escalation_channel=workspace.channels["helpdesk"], options={"round_s": ROUND_S}
    )


@pytest.fixture
def turn_back(store_url):
    """Sets a time of all escalations back by so many hours."""

    def turn(column, hours):
        with psycopg.connect(store_url) as connection:
            connection.execute(
                f"update db_agent.escalations set {column} = now() - make_interval(hours => %s)",
                [hours],
            )

    return turn


def passed_on(you, mia):
    """Ask what is refused, and return the thread and the post."""
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    return ts, mia.told("helpdesk", "A question for a person")


def answered(mia, post, words="One thousand."):
    mia.click(post, "answer_escalation")
    return mia.submit(mia.modal(), words)


def test_what_slack_did_not_take_is_posted_later(desk, agent, refused, you, mia, store):
    agent.gate = threading.Event()
    ts = you.ask("data", "how many films?")
    you.eventually(lambda: agent.asked)
    you.faults(error={"method": "chat.postMessage", "error": "internal_error"})
    agent.gate.set()
    you.card("data", ts)
    mia.told("helpdesk", "A question for a person")
    you.eventually(lambda: store.open_escalations()[0].ts)
    assert len(mia.from_bot("helpdesk")) == 1


def test_what_cannot_be_posted_waits_in_the_queue(start_bot, workspace, refused, you, caplog):
    start_bot(escalation_channel=workspace.channels["finance-private"])
    card = you.card("data", you.ask("data", "how many films?"))
    assert "I have passed it on to a person" in card["text"]
    you.eventually(lambda: "an escalation was not posted: channel_not_found" in caplog.text)
    you.command("data", "queue")
    assert "“how many films?”" in you.told("data", "waiting for a person")["text"]


def test_nothing_is_posted_where_outsiders_read(start_bot, refused, you, caplog):
    body = {"name": "shared", "is_ext_shared": True, "members": you.workspace.bot_user_id}
    shared = you.client.api_call("workspace.addChannel", json=body)["channel"]["id"]
    start_bot(escalation_channel=shared)
    you.card("data", you.ask("data", "how many films?"))
    you.eventually(lambda: "shared outside" in caplog.text)
    assert you.from_bot(shared) == []


def test_words_are_kept_in_the_window_while_the_record_is_away(
    start_bot, workspace, refused, you, mia, open_store
):
    with EmbeddedPostgres.throwaway() as server:
        start_bot(
            store=open_store(server.url(), wait_s=0.3),
            escalation_channel=workspace.channels["helpdesk"],
        )
        _, post = passed_on(you, mia)
        mia.click(post, "answer_escalation")
        modal = mia.modal()
    outcome = mia.submit(modal, "One thousand.")
    assert "Your words are still here" in outcome["errors"]["words"]
    mia.click(post, "take_escalation")
    assert "cannot be reached" in mia.told("helpdesk", "cannot be reached")["text"]


def test_a_person_cannot_be_called_while_the_record_is_away(start_bot, workspace, you, open_store):
    with EmbeddedPostgres.throwaway() as server:
        start_bot(
            store=open_store(server.url(), wait_s=0.3),
            escalation_channel=workspace.channels["helpdesk"],
            contact="the data team",
        )
        ts = you.ask("data", "how many films?")
        card = you.card("data", ts)
    you.click(card, "ask_a_person")
    assert "cannot be reached" in you.cards("data", ts, 2)[-1]["text"]


def test_a_refused_run_without_a_record_says_whom_to_ask(
    start_bot, workspace, agent, refused, you, open_store
):
    agent.gate = threading.Event()
    with EmbeddedPostgres.throwaway() as server:
        start_bot(
            store=open_store(server.url(), wait_s=0.3),
            escalation_channel=workspace.channels["helpdesk"],
            contact="the data team",
        )
        ts = you.ask("data", "how many films?")
        you.eventually(lambda: agent.asked)
    agent.gate.set()
    card = you.card("data", ts)
    assert "I could not pass it on to a person" in card["text"]
    assert "Ask the data team." in card["text"]


def test_an_answer_whose_thread_is_closed_comes_in_a_direct_message(desk, refused, you, mia):
    _, post = passed_on(you, mia)
    you.faults(error={"method": "chat.postMessage", "error": "is_archived"})
    answered(mia, post)
    message = you.told(you.dm(), "answers:")
    assert "About: “how many films?”" in str(message["blocks"])


def test_an_answer_to_a_deleted_question_still_arrives(desk, refused, you, mia):
    ts, post = passed_on(you, mia)
    you.client.chat_delete(channel=you.workspace.channels["data"], ts=ts)
    answered(mia, post)
    assert (
        "answers:"
        in you.eventually(
            lambda: [each for each in you.from_bot("data", ts) if "answers:" in each["text"]]
        )[-1]["text"]
    )


def test_where_no_way_leads_to_who_asked_the_post_says_so(desk, refused, you, mia, store):
    _, post = passed_on(you, mia)
    (waiting,) = store.open_escalations()
    you.faults(error={"method": "chat.postMessage", "error": "is_archived", "times": 2})
    answered(mia, post)
    told = mia.told("helpdesk", "Please tell them yourself")
    assert f"let me tell <@{you.id}>" in str(told["blocks"])
    assert store.escalation(waiting.id).answer_ts == NOWHERE
    assert store.undelivered(settled_for_s=0) == ()


def test_an_answer_that_did_not_get_through_is_brought_later(desk, refused, you, mia, turn_back):
    ts, post = passed_on(you, mia)
    you.faults(error={"method": "chat.postMessage", "error": "internal_error"})
    answered(mia, post)
    mia.told("helpdesk", "✅ Answered")
    turn_back("answered_at", 1)
    assert "One thousand." in you.cards("data", ts, 2)[-1]["text"]


def test_an_answer_that_was_recorded_and_lost_is_brought_later(
    desk, refused, you, mia, store, turn_back
):
    ts, _ = passed_on(you, mia)
    (waiting,) = store.open_escalations()
    store.answer_escalation(waiting.id, mia.id, "One thousand.")
    turn_back("answered_at", 1)
    assert f"<@{mia.id}> answers:" in you.cards("data", ts, 2)[-1]["text"]


def test_what_waits_too_long_is_brought_up_once(desk, refused, you, mia, turn_back):
    _, post = passed_on(you, mia)
    mia.click(post, "take_escalation")
    mia.told("helpdesk", "has had it since")
    turn_back("opened_at", 5)
    reminder = mia.told("helpdesk", "Still waiting for a person")
    assert f"5 h ago: <@{you.id}>" in reminder["text"]
    assert f"<@{mia.id}> has it" in reminder["text"]
    you.settled()
    threading.Event().wait(ROUND_S * 4)
    reminders = [each for each in mia.from_bot("helpdesk") if "Still waiting" in each["text"]]
    assert [each["ts"] for each in reminders] == [reminder["ts"]]
    assert "http" not in reminder["text"]


def test_what_has_waited_less_is_not_brought_up(desk, refused, you, mia, turn_back):
    passed_on(you, mia)
    turn_back("opened_at", 3)
    threading.Event().wait(ROUND_S * 4)
    assert "Still waiting" not in str(mia.from_bot("helpdesk"))


def test_a_window_that_slack_did_not_open_is_said(desk, refused, you, mia):
    _, post = passed_on(you, mia)
    you.faults(error={"method": "views.open", "error": "expired_trigger_id"})
    mia.click(post, "answer_escalation")
    assert "press the button again" in mia.told("helpdesk", "press the button")["text"]


def test_a_card_that_is_gone_is_marked_as_wrong_in_its_thread(desk, you, mia):
    ts = you.ask("data", "how many films?")
    card = you.card("data", ts)
    you.click(card, "ask_a_person")
    post = mia.told("helpdesk", "A question for a person")
    you.faults(error={"method": "chat.update", "error": "message_not_found"})
    mia.click(post, "mark_wrong")
    mia.submit(mia.modal(), "Drama is counted twice.")
    warned = you.eventually(
        lambda: [
            each
            for each in you.from_bot("data", ts)
            if "says that this answer is wrong" in str(each["blocks"])
        ]
    )
    assert "You asked: how many films?" in str(warned[0]["blocks"])


def test_a_card_is_warned_of_once_though_its_news_is_brought_later(desk, you, mia, turn_back):
    ts = you.ask("data", "how many films?")
    you.click(you.card("data", ts), "ask_a_person")
    post = mia.told("helpdesk", "A question for a person")
    you.cards("data", ts, 2)
    you.faults(error={"method": "chat.postMessage", "error": "internal_error"})
    mia.click(post, "mark_wrong")
    mia.submit(mia.modal(), "Drama is counted twice.")
    mia.told("helpdesk", "Marked as wrong")
    turn_back("answered_at", 1)
    card, _, news = you.cards("data", ts, 3)
    assert "says that my answer is wrong" in news["text"]
    assert str(card["blocks"]).count("says that this answer is wrong") == 1


def test_an_escalation_is_posted_once_whoever_comes_with_it(desk, you, mia, workspace, store):
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    entry = store.find_runs(LogSearch(desk.me.team_id, you.id))[0]
    opened = store.escalate(entry.run_id, reason="asked for by a person", asked_by=you.id)
    mia.told("helpdesk", "A question for a person")  # by the round that looks after such things
    clients = make_clients(workspace.bot_token, workspace.api_url)
    other = Escalations(
        store,
        clients,
        Audience(clients.patient, desk.me, ChannelRules(store, desk.me.team_id)),
        Links(clients.quick),
        channel=workspace.channels["helpdesk"],
    )
    you.eventually(lambda: store.escalation(opened.id).ts)
    assert opened.ts is None
    assert other.post(opened)
    assert len(mia.from_bot("helpdesk")) == 1


def test_a_post_is_worked_on_only_where_it_stands(desk, refused, you, mia, deliver):
    _, post = passed_on(you, mia)
    mia.click(post, "take_escalation")
    mia.told("helpdesk", "has had it since")
    click = [each["payload"] for each in you.deliveries() if each["type"] == "interactive"][-1]
    click["channel"]["id"] = you.workspace.channels["general"]
    assert deliver(desk, click) == 200
    assert "no record of this question" in mia.told("general", "no record")["text"]


def test_someone_who_cannot_see_the_channel_cannot_answer(
    start_bot, workspace, refused, you, mia, deliver, store
):
    body = {"name": "desk", "is_private": True, "members": f"{workspace.bot_user_id},{mia.id}"}
    inner = you.client.api_call("workspace.addChannel", json=body)["channel"]["id"]
    bot = start_bot(escalation_channel=inner)
    you.card("data", you.ask("data", "how many films?"))
    mia.click(mia.told(inner, "A question for a person"), "answer_escalation")
    mia.submit(mia.modal(), " ")
    bodies = [each["payload"] for each in you.deliveries() if each["type"] == "interactive"]
    submission = next(each for each in bodies if each["type"] == "view_submission")
    submission["user"]["id"] = "U0LOCALBEN"
    submission["view"]["state"]["values"]["words"]["words"]["value"] = "I answer."
    assert deliver(bot, submission) == 200
    assert [each.status for each in store.open_escalations()] == ["open"]
