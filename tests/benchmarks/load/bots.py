"""Bots under load: some processes on one store, and the workspace in another."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil
import psycopg
from crowd.processes import serve_workspace, started

from agent.database.embedded import EmbeddedPostgres
from load.model import Said

CONNECTIONS = 200
"""Five bots need more than the server of a demo gives."""


@dataclass(frozen=True)
class Kind:
    """What each bot is told."""

    store_url: str = ""
    workers: int = 8
    pace_s: float = 0.0
    """How long its model takes for a question, in seconds."""


@dataclass(frozen=True)
class Seen:
    """What a process holds."""

    rss_mb: float
    threads: int
    files: int
    """Sockets and pipes too."""
    cpu_s: float
    """The processor's time since it was started, in seconds."""

    @classmethod
    def of(cls, pid: int) -> Seen:
        process = psutil.Process(pid)
        with process.oneshot():
            rss_mb = process.memory_info().rss / 1e6
            cpu_s = sum(process.cpu_times()[:2])
            return cls(rss_mb, process.num_threads(), process.num_fds(), cpu_s)


@dataclass
class Fleet:
    """All that runs, and what its bots have said so far."""

    place: dict[str, Any]
    store_url: str
    pipes: list[Connection]
    pids: list[int]
    said: list[Said] = field(default_factory=list)
    ended: int = 0
    unfinished: int = 0

    def look(self) -> None:
        """Ask every bot what it has answered since, and how many questions it has taken on."""
        self.unfinished = 0
        for pipe in self.pipes:
            pipe.send("look")
        for pipe in self.pipes:
            said, unfinished = pipe.recv()
            self.said += said
            self.ended += len(said)
            self.unfinished += unfinished

    @property
    def cpu_s(self) -> float:
        """What the bots took of the processor, in seconds."""
        return sum(Seen.of(pid).cpu_s for pid in self.pids)

    def select(self, query: str) -> list[tuple[Any, ...]]:
        """Ask the store."""
        with psycopg.connect(self.store_url) as connection:
            return connection.execute(query.encode()).fetchall()


@contextlib.contextmanager
def fleet(
    processes: int, kind: Kind, *, kept: int | None = None, serve: Any = None
) -> Iterator[Fleet]:
    """Start so many bots; in the workspace a channel keeps `kept` messages, or all.

    `serve` is what a bot's process runs, where it is not ours.
    """
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        folder.chmod(0o755)  # the server may run under an account of its own
        server = stack.enter_context(
            EmbeddedPostgres.start(folder / "store", connections=CONNECTIONS)
        )
        kind = Kind(server.url(), kind.workers, kind.pace_s)
        _, place = stack.enter_context(started(serve_workspace, {"kept": kept}))
        bots = [
            stack.enter_context(started(serve or serve_bot, place, kind)) for _ in range(processes)
        ]
        yield Fleet(place, server.url(), [each[0] for each in bots], [each[1] for each in bots])


def serve_bot(pipe: Connection, place: dict[str, Any], kind: Kind) -> None:
    """Be one of the bots, until told to stop; say first who we are."""
    from bot.app import SlackBot
    from bot.settings import read_settings
    from bot.store import Store
    from load.model import PacedModel

    settings = read_settings(
        slack_bot_token=place["bot_token"],
        slack_app_token=place["app_token"],
        slack_url=place["api_url"],
        workers=kind.workers,
        _env_file=None,
    )
    model = PacedModel(pace_s=kind.pace_s)
    store = Store(kind.store_url)
    store.open()
    bot = SlackBot(settings, agent=model, store=store)
    bot.start()
    pipe.send(os.getpid())
    with contextlib.suppress(EOFError):  # whoever measured is gone
        while pipe.recv() is not None:
            pipe.send((model.take(), bot.unfinished))
    bot.stop(2.0)
    store.close()
