"""A bot over everything that can go away."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.bot.outages.world import World, world


@pytest.fixture(scope="package")
def over_tcp() -> Iterator[World]:
    """A bot whose servers are reached over TCP, for all tests here."""
    with world() as made:
        yield made


@pytest.fixture(scope="package")
def over_sockets() -> Iterator[World]:
    """A bot whose store is reached over a Unix socket, as in the demo."""
    with world(over_tcp=False) as made:
        yield made
