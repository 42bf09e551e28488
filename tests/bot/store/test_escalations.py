"""Escalations: one at a time for a run, given to one person, settled once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from agent.messages import Outcome
from bot.store import EscalationStatus, RunUnknown, StoreUnavailable

REASON = "asked for by a person"


@pytest.fixture
def opened(store, ran):
    """An open escalation."""
    return store.escalate(ran(), reason=REASON, asked_by="UBOB")


def test_an_escalation_holds_its_run_and_who_asked_for_a_person(store, ran):
    run_id = ran("how many films?", outcome=Outcome.ESCALATED, draft="5 films")
    found = store.escalate(run_id, reason="refused by the checks", asked_by="UANN")
    assert (found.status, found.reason, found.asked_by) == (
        EscalationStatus.OPEN,
        "refused by the checks",
        "UANN",
    )
    assert found.run == store.run(run_id)
    assert store.escalation(found.id) == found
    assert not found.is_settled


def test_asking_twice_for_a_person_opens_one_escalation(store, opened):
    again = store.escalate(opened.run.id, reason="another", asked_by="UCY")
    assert again == opened
    store.claim_escalation(opened.id, "UDAN")
    assert store.escalate(opened.run.id, reason="another", asked_by="UCY").id == opened.id


def test_many_who_ask_at_the_same_time_open_one_escalation(store, ran):
    run_id, start = ran(), threading.Barrier(6)

    def ask(number):
        start.wait()
        return store.escalate(run_id, reason=REASON, asked_by=f"U{number}").id

    with ThreadPoolExecutor(6) as threads:
        assert len(set(threads.map(ask, range(6)))) == 1


def test_a_settled_question_can_be_asked_for_again(store, opened):
    store.answer_escalation(opened.id, "UDAN", "7 films")
    again = store.escalate(opened.run.id, reason=REASON, asked_by="UBOB")
    assert again.id != opened.id
    assert again.status is EscalationStatus.OPEN


@pytest.mark.parametrize("run_id", ["00000000-0000-0000-0000-000000000000", "no id"])
def test_a_run_that_is_not_recorded_says_so(store, run_id):
    with pytest.raises(RunUnknown, match="no record of this answer") as fault:
        store.escalate(run_id, reason=REASON, asked_by="UBOB")
    assert isinstance(fault.value, StoreUnavailable)


def test_one_of_many_gets_the_escalation(store, opened):
    start = threading.Barrier(6)

    def claim(number):
        start.wait()
        return store.claim_escalation(opened.id, f"U{number}")

    with ThreadPoolExecutor(6) as threads:
        claims = [each for each in threads.map(claim, range(6)) if each]
    (claimed,) = claims
    assert claimed.status is EscalationStatus.CLAIMED
    assert claimed == store.escalation(opened.id)
    assert claimed.claimed_at >= opened.opened_at


def test_the_click_of_who_has_it_may_come_twice(store, opened):
    first = store.claim_escalation(opened.id, "UDAN")
    assert store.claim_escalation(opened.id, "UDAN") == first
    assert store.claim_escalation(opened.id, "UEVE") is None


def test_an_answer_is_given_once(store, opened):
    store.claim_escalation(opened.id, "UDAN")
    answered = store.answer_escalation(opened.id, "UDAN", "7 fi\x00lms")
    assert (answered.status, answered.answered_by, answered.answer) == (
        EscalationStatus.ANSWERED,
        "UDAN",
        "7 films",
    )
    assert answered.is_settled
    assert store.answer_escalation(opened.id, "UEVE", "8 films") is None
    assert store.mark_wrong(opened.id, "UEVE", "no") is None
    assert store.claim_escalation(opened.id, "UEVE") is None
    assert store.escalation(opened.id) == answered


def test_it_can_be_answered_without_having_been_claimed(store, opened):
    answered = store.answer_escalation(opened.id, "UDAN", "7 films")
    assert (answered.claimed_by, answered.answered_by) == (None, "UDAN")


def test_a_wrong_answer_is_marked_with_a_note(store, opened):
    marked = store.mark_wrong(opened.id, "UDAN", "It counts returned ones too.")
    assert marked.status is EscalationStatus.MARKED_WRONG
    assert (marked.answered_by, marked.answer) == ("UDAN", "It counts returned ones too.")


def test_what_nobody_needs_any_more_is_closed(store, opened):
    assert store.close_escalation(opened.id, "UBOB").status is EscalationStatus.CLOSED
    assert store.open_escalations() == ()


def test_where_it_was_posted_and_answered_is_remembered(store, opened):
    store.place_escalation(opened.id, "C9", "7.000")
    store.answer_escalation(opened.id, "UDAN", "7 films")
    store.place_answer(opened.id, "8.000")
    found = store.escalation(opened.id)
    assert (found.channel, found.ts, found.answer_ts) == ("C9", "7.000", "8.000")


def test_what_waits_is_listed_oldest_first(store, ran):
    first, second, third, fourth = (
        store.escalate(ran(f"q{number}"), reason=REASON, asked_by="UBOB") for number in range(4)
    )
    store.claim_escalation(second.id, "UDAN")
    store.answer_escalation(third.id, "UDAN", "done")
    assert [each.id for each in store.open_escalations()] == [first.id, second.id, fourth.id]
    assert [each.run.question.text for each in store.open_escalations(limit=1)] == ["q0"]


@pytest.mark.parametrize("escalation_id", ["00000000-0000-0000-0000-000000000000", "'; drop"])
def test_an_unknown_escalation_is_none(store, escalation_id):
    assert store.escalation(escalation_id) is None
    assert store.claim_escalation(escalation_id, "UDAN") is None
    assert store.answer_escalation(escalation_id, "UDAN", "x") is None
    store.place_escalation(escalation_id, "C1", "1.0")
    store.place_answer(escalation_id, "1.0")
