"""Where answers are private, only the one who asks gets to see them."""

from __future__ import annotations

import threading

import pytest

from agent.messages import Outcome


@pytest.fixture
def private(start_bot, was_set, workspace):
    """A channel where answers are private, with a bot that knows it."""
    was_set(workspace.channels["data"], private=True)
    start_bot()
    return "data"


def test_an_answer_is_seen_by_the_one_who_asks_and_the_thread_knows_of_it(
    private, agent, you, mia, told_alone
):
    ts = you.ask(private, "how many films?")
    (card,) = told_alone(you, private, ts)
    assert "You asked: how many films?" in str(card)
    (word,) = mia.from_bot(private, ts)
    assert f"Only <@{you.id}> gets to see my answer" in str(word)
    assert agent.asked == ["how many films?"]


def test_the_buttons_of_a_private_answer_work_for_its_asker(private, you, mia, told_alone):
    ts = you.ask(private, "how many films?")
    (card,) = told_alone(you, private, ts)
    you.click(card, "show_sql")
    assert "select category" in str(told_alone(you, private, ts, count=2)[1])
    assert "select category" not in str(mia.from_bot(private) + mia.from_bot(private, ts))


def test_a_follow_up_goes_on_with_ones_own_answers_and_nobody_elses(
    private, agent, you, mia, told_alone
):
    ts = you.ask(private, "how many films?")
    told_alone(you, private, ts)
    mia.say(private, "by store?", thread_ts=ts)
    told_alone(mia, private, ts)
    you.say(private, "by year?", thread_ts=ts)
    told_alone(you, private, ts, count=2)
    asked = [[each.question for each in history] for history in agent.histories]
    assert asked == [[], [], ["how many films?"]]


def test_the_word_of_it_stays_the_one_when_another_process_goes_on(
    private, agent, store, you, mia, workspace, told_alone
):
    agent.gate = threading.Event()
    ts = you.ask(private, "how many films?")
    you.eventually(lambda: agent.asked)
    (run,) = store.under_way_at(workspace.team_id, workspace.channels[private])
    begun = store.begin(run.run_id, "another process")
    you.eventually(lambda: store.is_held(run.run_id, begun.hold))
    store.give_back(run.run_id, begun.hold)
    agent.gate.set()
    (word,) = mia.from_bot(private, ts)
    assert word["ts"] == begun.card_ts


def test_a_private_answer_that_was_wrong_is_called_so_to_its_asker_alone(
    start_bot, was_set, you, mia, workspace, told_alone
):
    was_set(workspace.channels["data"], private=True)
    bot = start_bot(escalation_channel=workspace.channels["helpdesk"])
    ts = you.ask("data", "how many films?")
    you.click(told_alone(you, "data", ts)[0], "ask_a_person")
    mia.click(mia.told("helpdesk", "A question for a person"), "mark_wrong")
    mia.submit(mia.modal(), "It counts twice.")
    assert "counts twice" in you.told(you.dm(), "counts twice")["text"]
    bot.stop()  # what is under way is finished first
    (word,) = mia.from_bot("data", ts)
    assert f"Only <@{you.id}> gets to see my answer" in word["text"]
    assert "wrong" not in str(word)


def test_others_do_not_hear_why(private, you, mia, told_alone):
    ts = you.ask(private, "how many films?")
    told_alone(you, private, ts)
    mia.say(private, "why?", thread_ts=ts)
    (reply,) = told_alone(mia, private, ts)
    assert "in the thread of an answer" in str(reply)
    you.say(private, "why?", thread_ts=ts)
    assert "What I did, and why" in str(told_alone(you, private, ts, count=2)[1])


def test_what_was_private_stays_so_once_answers_are_for_everybody(
    private, agent, form, you, mia, told_alone
):
    ts = you.ask(private, "how many films?")
    told_alone(you, private, ts)
    form.set(you, private, "allowed", "follow_ups")
    you.say(private, "by store?", thread_ts=ts)
    mia.eventually(lambda: "by store?" in str(mia.from_bot(private, ts)))
    assert agent.histories == [(), ()]
    mia.command(private, "log")
    (told,) = told_alone(mia, private)
    assert "by store" in str(told)
    assert "how many films" not in str(told)


def test_a_command_posts_nothing_for_others(private, agent, you, mia, told_alone):
    you.command(private, "how many films?")
    told = told_alone(you, private, count=2)
    assert "You asked: how many films?" in str(told[1])
    assert mia.from_bot(private) == []


def test_a_changed_question_is_answered_anew_for_the_same_eyes(
    start_bot, was_set, agent, workspace, you, mia, told_alone
):
    was_set(workspace.channels["data"], private=True)
    start_bot(escalation_channel=workspace.channels["helpdesk"])
    ts = you.ask("data", "how many films?")
    told_alone(you, "data", ts)
    agent.outcome = Outcome.ESCALATED
    agent.changes = {"answer": "", "draft": "9,999 actors.", "summary": "It did not pass."}
    channel = workspace.channels["data"]
    you.client.chat_update(channel=channel, ts=ts, text=f"{you.mention} how many actors?")
    # What only one person reads goes to others only when that person asks for it.
    assert "Nobody outside this conversation has seen it" in str(
        told_alone(you, "data", ts, count=2)[1]
    )
    assert agent.asked == ["how many films?", "how many actors?"]
    assert [word["text"][:4] for word in mia.from_bot("data", ts)] == ["Only"]


def test_a_persons_answer_to_a_private_question_comes_as_a_direct_message(
    start_bot, was_set, agent, you, mia, told_alone, workspace
):
    was_set(workspace.channels["data"], private=True)
    start_bot(escalation_channel=workspace.channels["helpdesk"])
    agent.outcome = Outcome.ESCALATED
    agent.changes = {"answer": "", "draft": "9,999 films.", "summary": "It did not pass."}
    ts = you.ask("data", "how many films?")
    (card,) = told_alone(you, "data", ts)
    you.click(card, "ask_a_person")
    post = mia.told("helpdesk", "A question for a person")
    mia.click(post, "answer_escalation")
    mia.submit(mia.modal(), "One thousand.")
    you.told(you.dm(), "One thousand.")
    assert "One thousand" not in str(mia.from_bot("data", ts) + mia.from_bot("data"))


def test_a_stranger_is_refused_for_their_eyes_only(private, agent, newcomer, told_alone):
    stranger = newcomer("sam", is_stranger=True)
    ts = stranger.ask(private, "how many films?")
    assert "only answer members" in told_alone(stranger, private, ts)[0]["text"]
    assert agent.asked == []


def test_an_answer_that_slack_will_not_show_alone_is_not_shown_to_all(private, you):
    you.faults(error={"method": "chat.postEphemeral", "error": "user_not_in_channel"})
    ts = you.ask(private, "how many films?")
    word = you.eventually(
        lambda: [each for each in you.from_bot(private, ts) if "could not show" in str(each)]
    )
    assert len(word) == 1
    assert "You asked" not in str(you.from_bot(private, ts))
