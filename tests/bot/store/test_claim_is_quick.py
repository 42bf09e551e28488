"""A claim is made before Slack is told that its event arrived: it must not take long."""

from __future__ import annotations

import psycopg
import pytest

from bot.store import Question, Thread


@pytest.fixture
def trips(monkeypatch):
    """One for each time that a connection waited for its server."""
    counted, wait = [], psycopg.Connection.wait

    def noted(work):
        try:
            ready = next(work)
        except StopIteration as done:  # there was nothing to wait for
            return done.value
        counted.append(work)
        while True:
            try:
                ready = work.send((yield ready))
            except StopIteration as done:
                return done.value

    monkeypatch.setattr(psycopg.Connection, "wait", lambda self, work: wait(self, noted(work)))
    return counted


def test_a_claim_and_its_place_in_the_line_are_one_transaction_of_four_round_trips(store, trips):
    taken = []
    for number in range(12):  # the driver prepares what it has sent a few times
        question = Question(Thread("T1", "C1", f"{number}.0"), f"{number}.0", "U1", "how many?")
        before = len(trips)
        assert store.claim(question)
        taken.append(len(trips) - before)
    assert min(taken) == 4  # more where the connection was looked at first
