"""Whether a reply in a thread of ours needs a mention is set per channel."""

from __future__ import annotations

from agent.messages import Clarification, Outcome


def test_without_follow_ups_a_reply_is_left_alone_and_a_mention_is_answered(
    start_bot, agent, was_set, you
):
    was_set(you.workspace.channels["data"], follow_ups=False)
    bot = start_bot()
    ts = you.ask("data", "how many films?")
    you.card("data", ts)
    you.say("data", "let us take that to the meeting", thread_ts=ts)
    you.settled()
    you.ask("data", "by store?", thread_ts=ts)
    you.cards("data", ts, 2)
    bot.stop()  # what was taken on is finished first
    assert agent.asked == ["how many films?", "by store?"]
    assert [each.question for each in agent.histories[1]] == ["how many films?"]


def test_a_direct_message_never_needs_a_mention(start_bot, agent, was_set, you):
    was_set(you.dm(), follow_ups=False)
    start_bot()
    ts = you.say(you.dm(), "how many films?")
    you.card(you.dm(), ts)
    you.say(you.dm(), "by store?", thread_ts=ts)
    you.cards(you.dm(), ts, 2)
    assert agent.asked == ["how many films?", "by store?"]


def test_a_question_back_says_whether_its_answer_needs_a_mention(
    start_bot, agent, form, was_set, you
):
    was_set(you.workspace.channels["data"], follow_ups=False)
    start_bot()
    agent.outcome = Outcome.NEEDS_CLARIFICATION
    agent.changes = {"clarification": Clarification("Which year?", ())}
    card = you.card("data", you.ask("data", "how many films?"))
    assert "mention me: I will go on" in str(card)
    form.set(you, "data", "allowed", "follow_ups")
    card = you.card("data", you.ask("data", "how many actors?"))
    assert "in the thread and I will go on" in str(card)
