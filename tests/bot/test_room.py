"""How many questions run at the same time, in all processes together."""

from __future__ import annotations

import threading

import pytest


@pytest.fixture
def gate(agent):
    agent.gate = threading.Event()
    return agent.gate


def test_one_person_runs_so_many_questions_and_no_more_while_others_go_on(
    start_bot, agent, gate, you, mia
):
    start_bot(workers=6, max_running_per_person=2)
    mine = [you.ask("data", f"mine {number}") for number in range(4)]
    you.eventually(lambda: len(agent.asked) == 2)
    theirs = mia.ask("data", "theirs")
    mia.eventually(lambda: "theirs" in agent.asked)
    assert len(agent.asked) == 3
    gate.set()
    for ts in mine:
        assert "You asked: mine" in you.card("data", ts)["text"]
    mia.card("data", theirs)
    assert len(agent.asked) == 5


def test_two_processes_together_run_no_more_than_the_record_allows(
    start_bot, agent, gate, you, mia, store_url, open_store
):
    start_bot(workers=4, max_running=3)
    start_bot(workers=4, max_running=3, store=open_store(store_url))
    asked = [(who, who.ask("data", f"by {who.id}")) for who in (you, mia) for _ in range(3)]
    you.eventually(lambda: len(agent.asked) == 3)
    you.settled()
    assert len(agent.asked) == 3
    gate.set()
    for who, ts in asked:
        assert "You asked" in who.card("data", ts)["text"]
    assert len(agent.asked) == 6
