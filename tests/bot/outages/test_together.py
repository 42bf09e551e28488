"""Several things that the bot depends on go away at once, and come back one after the other."""

from __future__ import annotations

import itertools
import time

import pytest

from tests.bot.conftest import eventually
from tests.bot.outages.world import World

pytestmark = pytest.mark.slow  # `make outages`

PARTS = ("store", "database", "model", "slack")
PAIRS = tuple(itertools.combinations(PARTS, 2))
HONEST = ("cannot be reached", "could not be reached", "is out of reach")
QUESTIONS = 6


def test_everything_goes_away_at_once(over_tcp: World) -> None:
    away_and_back(over_tcp, PARTS, for_s=1.0)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("parts", [*((each,) for each in PARTS), *PAIRS, PARTS], ids=" ".join)
@pytest.mark.parametrize("for_s", [1.0, 12.0])
def test_what_goes_away_comes_back(over_tcp: World, parts: tuple[str, ...], for_s: float) -> None:
    away_and_back(over_tcp, parts, for_s=for_s, questions=QUESTIONS)


def away_and_back(
    world: World, parts: tuple[str, ...], *, for_s: float, questions: int = 1
) -> None:
    """Ask before and during; each question has one card in the end, right or honest."""
    before = world.held()
    running = [world.ask(slow_s=0.4) for _ in range(questions)]
    eventually(lambda: all(case.turns for case, _ in running))
    with world.without(*parts):
        late = [world.ask() for _ in range(questions)]
        time.sleep(for_s)
        assert not world.spins()
    for case, ts in [*running, *late]:
        card = world.card(case, ts, within=90.0)
        is_right = case.story.ends.format(case=case.name) in card
        assert is_right or any(words in card for words in HONEST), card
    world.until_ready(True, within=30.0)
    assert world.is_answered(*world.ask())
    world.until_it_holds(before, more=4, within=30.0)
