"""What is told of a question by how the work on it ends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.logs.scope import current_scope
from bot.metrics import Metrics
from bot.store import Question, Thread
from bot.telemetry.observer import Observer

QUESTION = Question(Thread("T1", "C1", "17.1"), "17.1", "U1", "how many films?")


@pytest.fixture
def observer():
    return Observer(Metrics())


def lines_of(observer, word):
    return [each for each in observer.metrics.exposition().splitlines() if each.startswith(word)]


def test_a_question_that_goes_on_elsewhere_has_no_end_here(observer):
    with observer.running("r1", QUESTION) as scope:
        scope.goes_on = True
    with pytest.raises(LookupError), observer.running("r1", QUESTION):
        raise LookupError
    assert lines_of(observer, "db_agent_runs_ended_total{") == []
    assert current_scope() is None
    with observer.running("r1", QUESTION):
        pass
    assert lines_of(observer, "db_agent_runs_ended_total{") == [
        'db_agent_runs_ended_total{outcome="turned_away"} 1.0'
    ]


def test_waiting_is_measured_once_and_another_attempt_is_a_rescue(observer):
    asked_at = datetime.now(UTC) - timedelta(seconds=3)
    with observer.running("r1", QUESTION, attempt=1, asked_at=asked_at) as scope:
        observer.shown_first()
        observer.shown_first()
        assert 3 <= scope.waited_s < 60
    with observer.running("r1", QUESTION, attempt=2, asked_at=asked_at):
        observer.shown_first()
    assert lines_of(observer, "db_agent_queue_wait_seconds_count") == [
        "db_agent_queue_wait_seconds_count 1.0"
    ]
    assert lines_of(observer, "db_agent_first_status_seconds_count") == [
        "db_agent_first_status_seconds_count 1.0"
    ]
    assert lines_of(observer, "db_agent_questions_rescued_total ") == [
        "db_agent_questions_rescued_total 1.0"
    ]
