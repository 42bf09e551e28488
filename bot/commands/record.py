"""Where the bot's own record is: for the bot, and for who looks into it beside the bot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from agent.database.demo import STORE, store_server
from agent.database.embedded.cluster import Cluster
from agent.database.link.address import read_address
from bot.settings import StorePlace

SOCKETS_LINE = 4
"""Where the file of a running PostgreSQL server names the folder of its socket, from 0."""


@contextmanager
def store_url(
    place: StorePlace, bin_dir: Path | None, *, say: Callable[[str], None]
) -> Iterator[str]:
    """Yield the address of the record: as it is set, or of a server of our own while it is used.

    `say` is told where that keeps its data. Raises `DatabaseUnavailable`, or `SettingsInvalid` for
    an address that cannot be read.
    """
    if place.store_url is not None:
        address = place.store_url.get_secret_value().strip()
        read_address(address, name="DB_AGENT_STORE_URL")
        yield address
        return
    folder = place.data_dir / "store"
    say(f"DB_AGENT_STORE_URL is not set: the bot keeps its record in {folder}.")
    with store_server(folder, bin_dir=bin_dir) as address:
        yield address


@contextmanager
def store_url_beside_the_bot(place: StorePlace, bin_dir: Path | None) -> Iterator[str]:
    """Yield the address of the record, also while a bot on this machine serves it.

    Raises what `store_url` does.
    """
    running = None if place.store_url else _running(place.data_dir / "store")
    if running is not None:
        yield running
        return
    with store_url(place, bin_dir, say=lambda _: None) as address:
        yield address


def _running(folder: Path) -> str | None:
    """Return the address of the server that a bot runs on `folder`; None where there is none."""
    cluster = Cluster(folder / "cluster")
    if not (cluster.exists() and cluster.is_ready()):
        return None
    lines = (cluster.data / "postmaster.pid").read_text().splitlines()
    address = cluster.url(Path(lines[SOCKETS_LINE]), STORE, STORE)
    try:
        psycopg.connect(address, connect_timeout=3).close()
    except psycopg.Error:
        return None  # its file outlived it
    return address
