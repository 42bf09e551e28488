"""One thing that the bot depends on goes away; what was asked is answered, or ends honestly."""

from __future__ import annotations

import pytest

from tests.bot.conftest import eventually
from tests.bot.outages.world import World

FAILED = "This run failed"
pytestmark = pytest.mark.slow  # `make outages`: its verdicts look at threads and the processor


@pytest.mark.parametrize("way", ["over_tcp", "over_sockets"])
def test_store_goes_away_in_the_midst_of_a_run_and_comes_back(
    way: str, request: pytest.FixtureRequest
) -> None:
    world: World = request.getfixturevalue(way)
    before = world.held()
    running, ts = world.ask(slow_s=0.5)
    eventually(lambda: running.turns)
    with world.without("store"):
        late, late_ts = world.ask()
        world.until_ready(False)
        assert not world.spins()
        assert not world.was_acknowledged(late_ts), "what cannot be stored is not acknowledged"
    assert world.is_answered(running, ts)
    assert world.is_answered(late, late_ts)
    assert (running.repeated, late.repeated) == (0, 0)
    world.until_ready(True)
    world.until_it_holds(before)


def test_database_goes_away_and_the_card_says_so(over_tcp: World) -> None:
    world, before = over_tcp, over_tcp.held()
    with world.without("database"):
        asked, ts = world.ask()
        card = world.card(asked, ts)
        assert not world.spins()
    assert FAILED in card
    assert "cannot be reached" in card
    assert world.is_answered(*world.ask())
    world.until_it_holds(before)


def test_model_goes_away_for_a_moment_and_nobody_notices(over_tcp: World) -> None:
    world, before = over_tcp, over_tcp.held()
    with world.without("model"):
        asked, ts = world.ask()
        assert not world.spins()
    assert world.is_answered(asked, ts)
    world.until_it_holds(before)


def test_slack_goes_away_in_the_midst_of_a_run_and_the_card_comes_afterwards(
    over_tcp: World,
) -> None:
    world, before = over_tcp, over_tcp.held()
    running, ts = world.ask(slow_s=0.3)
    eventually(lambda: running.turns)
    with world.without("slack"):
        late, late_ts = world.ask()
        world.until_ready(False)
        assert not world.spins()
    assert world.is_answered(running, ts)
    assert world.is_answered(late, late_ts)
    assert (running.repeated, late.repeated) == (0, 0)
    world.until_ready(True)
    world.until_it_holds(before)
