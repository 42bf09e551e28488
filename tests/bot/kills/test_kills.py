"""A few points of the kill matrix; `make kills` tries all of them, again and again."""

from __future__ import annotations

import pytest

from agent.database.demo import DemoDatabase
from tests.bot.kills.matrix import run, schedule, table
from tests.bot.kills.points import POINTS, points_for

IN_SHORT = (
    *("claimed, before its acknowledgement", "posted, before that is noted"),
    *("in a later call of the model", "the query is committed", "uploaded"),
    *("the end is recorded", "after the last edit", "people are called, before that is noted"),
    *("a follow-up waits, at work", "in a migration"),
)


@pytest.mark.timeout(240)
def test_whatever_dies_each_question_has_one_card_with_its_right_ending(
    demo: DemoDatabase,
) -> None:
    points = [each for each in POINTS if each.name in IN_SHORT]
    assert len(points) == len(IN_SHORT)
    matrix = run(demo, list(enumerate(points)), processes=1, lanes=2)
    assert not matrix.wrong, "\n".join([*table(matrix), *matrix.wrong])
    assert sum(each.kills for each in matrix.tallies.values()) == len(points)


@pytest.mark.timeout(240)
def test_process_that_stood_still_changes_nothing_when_it_goes_on(demo: DemoDatabase) -> None:
    points = [each for each in points_for(2) if each.name == "frozen before a step is recorded"]
    matrix = run(demo, list(enumerate(points)), processes=2, lanes=1)
    assert not matrix.wrong, "\n".join(matrix.wrong)


def test_points_have_names_of_their_own_and_each_is_tried_as_often_as_the_others() -> None:
    names = [each.name for each in POINTS]
    assert len(set(names)) == len(names) >= 40
    tried = [point.name for _, point in schedule(POINTS, 3 * len(POINTS), seed=1)]
    assert {tried.count(name) for name in names} <= {2, 3}
    assert schedule(POINTS, 100, seed=1) == schedule(POINTS, 100, seed=1)
