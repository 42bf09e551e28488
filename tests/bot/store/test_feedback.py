"""Votes on answers, and who is sharing which private answer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.store import LogSearch, RunUnknown, SharingStatus, StoreUnavailable, Vote

AT = datetime(2026, 11, 24, 14, 5, tzinfo=UTC)
LATER = AT + timedelta(seconds=1)


@pytest.fixture
def entry(store):
    """The one entry of the log, as somebody else reads it."""
    store.note_channel("T1", "C1", is_public=True)

    def read():
        (found,) = store.find_runs(LogSearch(team="T1", viewer="UEVE"))
        return found

    return read


def test_each_person_has_one_vote_on_a_run_and_may_change_it(store, ran, entry):
    run_id = ran()
    store.vote(run_id, "UBOB", is_good=True, at=AT)
    store.vote(run_id, "UBOB", is_good=True, at=LATER)
    store.vote(run_id, "UDAN", is_good=True, at=AT)
    assert (entry().thumbs_up, entry().thumbs_down) == (2, 0)
    assert store.vote(run_id, "UBOB", is_good=False, at=LATER) == Vote(is_good=False)
    assert (entry().thumbs_up, entry().thumbs_down) == (1, 1)


def test_click_that_comes_in_late_does_not_undo_a_later_one(store, ran):
    run_id = ran()
    store.vote(run_id, "UBOB", is_good=False, at=LATER)
    assert store.vote(run_id, "UBOB", is_good=True, at=AT) == Vote(is_good=False)


def test_reason_stays_with_the_vote_that_it_is_of(store, ran, entry):
    run_id = ran()
    assert store.explain(run_id, "UBOB", "Wrong\x00 month") == Vote(False, "Wrong month")
    now = datetime.now(UTC)
    again = store.vote(run_id, "UBOB", is_good=False, at=now + timedelta(minutes=1))
    assert again == Vote(False, "Wrong month")
    assert entry().complaint == "Wrong month"
    store.vote(run_id, "UBOB", is_good=True, at=now + timedelta(minutes=2))
    assert (entry().thumbs_up, entry().thumbs_down, entry().complaint) == (1, 0, "")


def test_log_is_searched_for_what_people_thought(store, ran):
    for question, good in (("loved", True), ("hated", False), ("passed over", None)):
        run_id = ran(question)
        if good is not None:
            store.vote(run_id, "UBOB", is_good=good, at=AT)

    def found(**search):
        entries = store.find_runs(LogSearch(team="T1", viewer="UANN", **search))
        return {each.question for each in entries}

    assert found(thumbs_up=True) == {"loved"}
    assert found(thumbs_down=True) == {"hated"}
    assert found(thumbs_down=False) == {"loved", "passed over"}


@pytest.mark.parametrize("run_id", ["", "no id", "3b1cd432-ceb4-43fc-b2da-461d0397be58"])
def test_nothing_is_noted_of_a_run_that_is_unknown(store, run_id):
    for note in (
        lambda: store.vote(run_id, "UBOB", is_good=True, at=AT),
        lambda: store.explain(run_id, "UBOB", "why"),
        lambda: store.begin_share(run_id),
    ):
        with pytest.raises(RunUnknown) as caught:
            note()
        assert isinstance(caught.value, StoreUnavailable)


def test_a_private_answer_is_shared_once(store, ran):
    run_id = ran()
    assert store.begin_share(run_id).status is SharingStatus.NEW
    assert store.begin_share(run_id).status is SharingStatus.UNDER_WAY
    store.end_share(run_id, "7.000")
    store.drop_share(run_id)  # too late: it stands there
    done = store.begin_share(run_id, lease_s=0)
    assert (done.status, done.ts) == (SharingStatus.DONE, "7.000")


def test_sharing_that_came_to_nothing_begins_anew(store, ran):
    run_id = ran()
    store.begin_share(run_id)
    store.drop_share(run_id)
    assert store.begin_share(run_id).status is SharingStatus.NEW
    assert store.begin_share(run_id, lease_s=0).status is SharingStatus.LEFT_BEHIND
    assert store.begin_share(run_id).status is SharingStatus.UNDER_WAY
