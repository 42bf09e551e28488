"""What a process looks after is that of the workspaces that it has a way into, and of no other."""

from __future__ import annotations

import pytest

from bot.store import Question, Thread

HERE, THERE = "T1", "T2"


@pytest.fixture
def claimed(store):
    """A run under way in each of two workspaces, in a channel that both share."""
    return {
        team: store.claim(Question(Thread(team, "C1", "1.000"), "1.000", "U1", "how many films?"))
        for team in (HERE, THERE)
    }


def test_runs_under_way_are_those_of_the_workspace(store, claimed):
    for team in (HERE, THERE):
        assert [each.run_id for each in store.under_way_at(team, "C1")] == [claimed[team]]
        assert store.team_of(claimed[team]) == team


def test_questions_that_wait_for_a_person_are_those_of_the_workspace(store, claimed):
    opened = {
        team: store.escalate(run_id, reason="refused", asked_by="U1")
        for team, run_id in claimed.items()
    }
    for each in opened.values():
        store.place_escalation(each.id, "C9", "9.000")
    (waiting,) = store.open_escalations(team=HERE)
    (overdue,) = store.take_overdue(open_for_s=-1, team=HERE)
    assert waiting.id == overdue.id == opened[HERE].id
    for each in opened.values():
        store.answer_escalation(each.id, "U2", "Seven.")
    (untold,) = store.undelivered(settled_for_s=-1, team=THERE)
    assert untold.id == opened[THERE].id
    assert [each.id for each in store.take_overdue(open_for_s=-1, team=THERE)] == []
