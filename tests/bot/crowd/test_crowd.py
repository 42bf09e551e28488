"""A part of the crowd for each run of the tests; `make chaos-slack` is the whole of it."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

from bot import delivery, only_for_asker, post_once
from bot.local_workspace import LocalWorkspace
from bot.manifest import load_manifest

sys.path.insert(0, str(Path(__file__).parents[1]))

from crowd.checks import Findings
from crowd.deeds import Kind, Then, deeds
from crowd.office import Office, Outcome
from crowd.processes import place_of

SEED, QUESTIONS = 5, 32
PAUSES_S = (0.05, 0.05, 0.1, 0.2, 0.4)


@pytest.fixture(scope="module")
def outcome(store_url: str) -> Outcome:
    """What a small crowd leaves, with all its faults."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (delivery, only_for_asker, post_once):
            patch.setattr(module, "PAUSES_S", PAUSES_S)
        settings = {"ack_within": 0.6, "retry_pauses": (0.0, 0.5, 1.0)}
        with LocalWorkspace.start(load_manifest(), file_ready_after=0.0, **settings) as workspace:
            office = Office(place_of(workspace), store_url, look_every_s=0.05)
            return office.run(deeds(SEED, QUESTIONS), SEED)


def test_every_question_of_a_crowd_is_answered_once_whatever_goes_wrong(
    outcome: Outcome, store_url: str
) -> None:
    findings = Findings()
    findings.check(outcome, store_url)
    assert not findings.wrong, "\n".join(findings.wrong)
    assert findings.fates["answered once"] >= QUESTIONS * 0.8


def test_much_goes_wrong_meanwhile(outcome: Outcome) -> None:
    assert len(outcome.struck) >= 6
    assert sum(outcome.struck.values()) >= QUESTIONS / 2
    assert outcome.envelopes["again"]


def test_a_series_is_the_same_for_the_same_seed() -> None:
    assert deeds(3, 200) == deeds(3, 200) != deeds(4, 200)
    assert set(Counter(each.kind for each in deeds(3, 200))) == set(Kind)
    assert set(Counter(each.then for each in deeds(3, 200))) == set(Then)
