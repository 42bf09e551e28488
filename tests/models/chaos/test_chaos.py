"""A part of the chaos for each run of the tests; `make chaos` is the whole of it."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from agent.database.demo import DemoDatabase

sys.path.insert(0, str(Path(__file__).parents[1]))

from chaos.catalogue import FAULTS
from chaos.recipes import recipes
from chaos.series import Report, play
from chaos.voices import ADAPTERS

pytestmark = pytest.mark.timeout(300)

SEED, RUNS, IN_SLACK = 11, len(FAULTS), 12


@pytest.fixture(scope="module")
def report(demo: DemoDatabase) -> Report:
    """One run for each kind of fault, as they went."""
    return play(recipes(SEED, RUNS, in_slack=IN_SLACK, sure=True), demo)


def test_every_run_among_faulty_servers_ends_right_once_and_is_billed_for_what_it_got(
    report: Report,
) -> None:
    assert not report.findings, "\n".join(report.findings)


def test_the_runs_meet_most_kinds_of_fault_over_every_adapter_and_in_slack(report: Report) -> None:
    assert set(report.runs) == set(ADAPTERS)
    assert report.in_slack >= IN_SLACK
    assert len(report.faults) > len(FAULTS) // 2
    ended = " ".join(report.endings)
    for outcome in ("answered", "system_fault", "failed", "cancelled"):
        assert outcome in ended


def test_a_series_is_the_same_for_the_same_seed() -> None:
    assert recipes(3, 50, in_slack=5) == recipes(3, 50, in_slack=5)
    assert recipes(3, 50, in_slack=5) != recipes(4, 50, in_slack=5)
    assert {each.first.kind for each in recipes(3, 200, in_slack=0)} == {
        fault.kind for fault in FAULTS
    }
    assert replace(recipes(3, 1, in_slack=0)[0], number=1) != recipes(3, 1, in_slack=0)[0]
