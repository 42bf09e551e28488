"""The log: what is found, and by whom."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from agent.messages import Outcome
from bot.store import EscalationStatus, LogSearch, Question, Thread


@pytest.fixture
def found(store):
    """Searches as UANN, from a channel of her own, and returns the questions found."""

    def find(*, viewer="UANN", here="CANN", team="T1", limit=20, **search):
        given = LogSearch(team=team, viewer=viewer, here=here, **search)
        return [entry.question for entry in store.find_runs(given, limit)]

    return find


@pytest.fixture
def public(store):
    """Makes C1 a channel that everybody may read."""
    store.note_channel("T1", "C1", is_public=True)


def test_the_newest_come_first_and_not_too_many(ran, found, public):
    for number in range(4):
        ran(f"q{number}")
    assert found(limit=3) == ["q3", "q2", "q1"]


def test_an_entry_says_how_the_run_ended_and_where_it_is(store, ran, public):
    run_id = ran("top five", outcome=Outcome.FAILED, ts="5.000", warnings=("careful",))
    store.place_card(run_id, "6.000")
    (entry,) = store.find_runs(LogSearch(team="T1", viewer="UBOB"))
    assert (entry.run_id, entry.question, entry.asked_by) == (run_id, "top five", "UANN")
    assert (entry.channel, entry.thread_ts, entry.message_ts) == ("C1", "5.000", "5.000")
    assert (entry.card_ts, entry.outcome, entry.failed) == ("6.000", Outcome.FAILED, True)
    assert (entry.summary, entry.answer) == ("summary of top five", "")
    assert (entry.duration_ms, str(entry.cost_usd)) == (12_000, "0.02")
    assert entry.warnings == ("careful",)
    assert (entry.escalation, entry.held_by) == (None, None)
    assert datetime.now(UTC) - entry.created_at < timedelta(minutes=1)


def test_an_entry_says_who_has_its_newest_escalation(store, ran, public):
    run_id = ran()
    first = store.escalate(run_id, reason="", asked_by="UBOB")
    store.mark_wrong(first.id, "UDAN", "")
    second = store.escalate(run_id, reason="", asked_by="UBOB")
    store.claim_escalation(second.id, "UEVE")
    (entry,) = store.find_runs(LogSearch(team="T1", viewer="UBOB"))
    assert (entry.escalation, entry.held_by) == (EscalationStatus.CLAIMED, "UEVE")


def test_direct_messages_are_found_by_who_wrote_them_alone(store, ran, found):
    # Even if somebody noted the channel as public, and even when asked from within it.
    store.note_channel("T1", "D1", is_public=True)
    ran("my secret", by="UANN", channel="D1")
    assert found() == ["my secret"]
    assert found(viewer="UBOB") == []
    assert found(viewer="UBOB", here="D1") == []
    assert found(viewer="UBOB", asked_by="UANN") == []
    assert found(viewer="UBOB", words=("secret",)) == []


def test_answers_that_only_the_asker_saw_are_found_by_them_alone(ran, found, public):
    ran("whispered", by="UANN", channel="C1", ts="command 12.34")
    assert found() == ["whispered"]
    assert found(viewer="UBOB", here="C1") == []


def test_a_channel_is_private_until_it_is_known_to_be_public(store, ran, found):
    ran("in a channel", by="UANN", channel="C1")
    assert found(viewer="UBOB") == []
    store.note_channel("T1", "C1", is_public=True)
    assert found(viewer="UBOB") == ["in a channel"]
    store.note_channel("T1", "C1", is_public=False)
    assert found(viewer="UBOB") == []


def test_a_private_channel_is_found_from_within_it_and_by_who_asked(ran, found):
    ran("among us", by="UANN", channel="CPRIVATE")
    assert found(viewer="UBOB", here="CPRIVATE") == ["among us"]
    assert found(viewer="UBOB", here="C1") == []
    assert found(viewer="UANN", here="C1") == ["among us"]


def test_another_workspace_is_never_found(store, ran, found):
    store.note_channel("T2", "C1", is_public=True)
    ran("elsewhere", team="T2")
    assert found() == []


def test_small_talk_and_what_still_runs_are_in_no_log(store, found):
    for ts, reason in (("1.0", "no question"), ("2.0", None), ("3.0", "I am busy.")):
        run_id = store.claim(Question(Thread("T1", "C1", ts), ts, "UANN", f"q{ts}"))
        if reason:
            store.turn_away(run_id, reason)
    assert found() == ["q3.0"]


def test_what_broke_or_was_cut_off_counts_as_failed(store, found):
    for ts in ("1.0", "2.0", "3.0"):
        run_id = store.claim(Question(Thread("T1", "C1", ts), ts, "UANN", f"q{ts}"))
        if ts == "1.0":
            store.turn_away(run_id, "Something broke.", failed=True)
        if ts == "2.0":
            store.turn_away(run_id, "I am busy.")
        if ts == "3.0":
            store.turn_away(run_id, "cut off", failed=True)
    assert found(failed=True) == ["q3.0", "q1.0"]


@pytest.fixture
def mixed(store, ran, public):
    """One run of each kind, each called after it."""
    ran("fine")
    ran("noted", outcome=Outcome.ANSWERED_WITH_CAVEATS, warnings=("careful",))
    ran("failed", outcome=Outcome.FAILED, warnings=("It failed.",))
    ran("broke", outcome=Outcome.SYSTEM_FAULT)
    ran("refused", outcome=Outcome.ESCALATED)
    store.escalate(ran("doubted"), reason="", asked_by="UBOB")


@pytest.mark.parametrize(
    ("search", "questions"),
    [
        ({"failed": True}, {"failed", "broke"}),
        ({"failed": False}, {"fine", "noted", "refused", "doubted"}),
        ({"outcomes": frozenset({Outcome.ANSWERED})}, {"fine", "doubted"}),
        ({"outcomes": frozenset({Outcome.ANSWERED}), "failed": True},
         {"fine", "doubted", "failed", "broke"}),
        ({"outcomes": frozenset({Outcome.ANSWERED}), "escalated": False}, {"fine"}),
        ({"outcomes": frozenset()}, set()),
        ({"escalated": True}, {"refused", "doubted"}),
        ({"escalated": True, "failed": True}, {"refused", "doubted", "failed", "broke"}),
        ({"escalated": False}, {"fine", "noted", "failed", "broke"}),
        ({"warned": True}, {"noted", "failed"}),
        ({"warned": True, "failed": True}, {"failed"}),
        ({"warned": False, "failed": True}, {"broke"}),
    ],
)  # fmt: skip
def test_endings_are_found(mixed, found, search, questions):
    assert set(found(**search)) == questions


def test_a_person_a_channel_and_a_time_narrow_the_search(store, store_url, ran, found, public):
    store.note_channel("T1", "C2", is_public=True)
    old = ran("old", by="UBOB")
    ran("new", by="UBOB")
    ran("hers", by="UANN", channel="C2")
    at = datetime(2026, 11, 1, tzinfo=UTC)
    with psycopg.connect(store_url) as connection:
        connection.execute("update db_agent.runs set created_at = %s where id = %s", [at, old])
    assert found(asked_by="UBOB") == ["new", "old"]
    assert found(channel="C2") == ["hers"]
    assert found(since=at, until=at + timedelta(seconds=1)) == ["old"]
    assert found(until=at) == []
    assert found(since=at + timedelta(seconds=1), asked_by="UBOB") == ["new"]


@pytest.mark.parametrize(
    ("words", "is_found"),
    [
        (("revenue",), True),
        (("REVENUE", "2024"), True),
        (("revenues",), True),
        (("Top Five",), True),
        (("five top",), False),
        (("payment",), True),
        (("revenue", "rental"), False),
        (("%",), False),
        (("",), True),
        (("sports",), True),
        (("'; drop table db_agent.runs; --",), False),
    ],
)
def test_words_are_found_in_question_answer_and_tables(ran, found, words, is_found):
    ran("top five by revenue", answer="Sports led in 2024.", tables=("payment",))
    assert bool(found(words=words)) is is_found
