"""Guests ask where an administrator lets them, and learn nothing from elsewhere there."""

from __future__ import annotations

from agent.messages import Outcome

GUEST = "guests only in channels where an administrator has allowed it"


def test_a_guest_asks_where_an_administrator_allows_it_and_only_there(
    bot, agent, form, newcomer, you
):
    guest = newcomer("gus", is_ultra_restricted=True)
    form.set(you, "data", "allowed", "follow_ups", "guests")
    ts = guest.ask("data", "how many films?")
    card = guest.card("data", ts)
    guest.click(card, "show_sql")
    assert "select category" in str(guest.cards("data", ts, 2)[1])
    for channel in ("general", guest.dm()):
        refused = guest.card(channel, guest.ask(channel, "how many actors?"))
        assert GUEST in refused["text"]
    assert agent.asked == ["how many films?"]


def test_a_guest_who_may_ask_does_not_see_what_was_asked_elsewhere(
    start_bot, agent, was_set, newcomer, told_alone, you
):
    was_set(you.workspace.channels["data"], guests=True)
    start_bot()
    you.card("general", you.ask("general", "how many films?"))
    guest = newcomer("gus", is_restricted=True)
    guest.command("data", "log")
    guest.command("data", "about yourself: what was asked?")
    guest.command("data", "private how many actors?")
    told = told_alone(guest, "data", count=4)
    assert sum(GUEST in each["text"] for each in told) == 2
    assert "how many films" not in str(told)
    assert agent.asked == ["how many films?", "how many actors?"]


def test_who_became_a_guest_meanwhile_is_refused_at_each_click_and_window(
    start_bot, agent, newcomer, you, workspace
):
    agent.outcome = Outcome.ESCALATED
    agent.changes = {"answer": "", "draft": "9,999 films.", "summary": "It did not pass."}
    start_bot(escalation_channel=workspace.channels["helpdesk"])
    max_ = newcomer("max")
    ts = max_.ask("data", "how many films?")
    card = max_.card("data", ts)
    max_.click(max_.told("helpdesk", "A question for a person"), "answer_escalation")
    window = max_.modal()
    you.client.api_call("workspace.changeUser", json={"user": max_.id, "is_restricted": True})
    assert "full members" in str(max_.submit(window, "One thousand.")["errors"])
    max_.click(card, "show_sql")
    assert GUEST in max_.cards("data", ts, 2)[1]["text"]
    assert "One thousand" not in str(you.from_bot("data", ts))
