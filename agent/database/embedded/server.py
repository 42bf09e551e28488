"""A PostgreSQL server of our own: what it is started with, and how it is reached."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from agent.database.embedded.account import Account, server_account
from agent.database.embedded.binaries import Binaries, find_binaries
from agent.database.embedded.claim import claimed
from agent.database.embedded.cluster import (
    ADMIN,
    PORT,
    Cluster,
    copy_cluster,
    create_cluster,
)
from agent.database.embedded.errors import EmbeddedPostgresError, gravest
from agent.database.embedded.process import ServerProcess, launch
from agent.database.embedded.run_folder import RunFolder, run_folder

_START_LIMIT_S = 60.0

CONNECTIONS = 60
"""What one bot and its database need at most, and some to spare."""
_SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "logging_collector": "off",
    "log_min_messages": "warning",
    "max_connections": str(CONNECTIONS),
    "shared_buffers": "32MB",
    "jit": "off",
}
_THROWAWAY_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "min_wal_size": "32MB",
    "max_wal_size": "64MB",
}


class EmbeddedPostgres:
    """A running server that only we can reach, and that never outlives this process.

    Use it as a context manager, or call `stop`.
    """

    def __init__(
        self, host: _Host, cluster: Cluster, run: RunFolder, plan: _Plan, undo: contextlib.ExitStack
    ) -> None:
        self._host = host
        self._cluster = cluster
        self._sockets = run.sockets
        self._process = _run(cluster, host, run, plan, undo)
        self._undo = undo.pop_all()

    @classmethod
    def start(
        cls,
        data_dir: Path,
        *,
        bin_dir: Path | None = None,
        durable: bool = True,
        connections: int = CONNECTIONS,
    ) -> EmbeddedPostgres:
        """Start a server on `data_dir`; make the folder and the cluster in it where missing.

        `durable` keeps what was committed through a power cut; without it such an end may cost the
        whole cluster. Raises `EmbeddedPostgresError`; it names the folder when another process uses
        it.
        """
        host = _Host.find(bin_dir)
        with contextlib.ExitStack() as undo:
            folder, lock = undo.enter_context(claimed(data_dir, host.account))
            cluster = Cluster(folder / "cluster")
            if not cluster.exists():
                create_cluster(cluster.home, host.binaries, host.account, durable=durable)
            run = undo.enter_context(run_folder(host.account))
            settings = _SETTINGS if durable else _SETTINGS | _THROWAWAY_SETTINGS
            settings = settings | {"max_connections": str(connections)}
            plan = _Plan(settings, folder / "postgres.log", locks=[lock, run.lock])
            return cls(host, cluster, run, plan, undo)

    @classmethod
    def throwaway(
        cls, template: Path | None = None, *, bin_dir: Path | None = None
    ) -> EmbeddedPostgres:
        """Start a server on a copy of `template` (a cluster at rest), else on an empty cluster.

        The copy lies in the temporary folder and goes with the server. Raises
        `EmbeddedPostgresError`.
        """
        host = _Host.find(bin_dir)
        with contextlib.ExitStack() as undo:
            run = undo.enter_context(run_folder(host.account))
            home = run.path / "cluster"
            if template is None:
                cluster = create_cluster(home, host.binaries, host.account, durable=False)
            else:
                cluster = copy_cluster(template, home, host.account)
            settings = _SETTINGS | _THROWAWAY_SETTINGS
            plan = _Plan(settings, run.path / "postgres.log", locks=[run.lock])
            return cls(host, cluster, run, plan, undo)

    def url(self, *, database: str = ADMIN, user: str = ADMIN) -> str:
        """The address of `database` for the login `user`, with its password."""
        return self._cluster.url(self._sockets, database, user)

    def password(self, role: str) -> str:
        """The password to give to `role`, the one that `url` puts into its addresses."""
        return self._cluster.password(role)

    @property
    def alive(self) -> bool:
        """Whether the server still runs; False after a crash."""
        return self._process.alive

    def keep(self, home: Path) -> None:
        """Stop the server and copy its cluster to `home`, whole or not at all.

        What lies there then is a template for `throwaway`. Raises `EmbeddedPostgresError`.
        """
        self._process.stop()
        self._cluster.shrink(self._host.binaries, self._host.account)
        copy_cluster(self._cluster.home, home, self._host.account)
        self.stop()

    def stop(self) -> None:
        """Stop the server, wait for its end, remove what was temporary; safe to call twice."""
        self._undo.close()

    def __enter__(self) -> EmbeddedPostgres:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def server_version(bin_dir: Path | None = None) -> str:
    """The version of the server that would be started, such as "18.6".

    Raises `EmbeddedPostgresError` when there is none.
    """
    return _Host.find(bin_dir).binaries.version


@dataclass(frozen=True)
class _Host:
    """What this machine offers."""

    account: Account
    binaries: Binaries

    @classmethod
    def find(cls, bin_dir: Path | None) -> _Host:
        account = server_account()
        return cls(account, find_binaries(bin_dir, account))


@dataclass(frozen=True)
class _Plan:
    settings: Mapping[str, str]
    log: Path
    locks: Sequence[int]


def _run(
    cluster: Cluster, host: _Host, run: RunFolder, plan: _Plan, undo: contextlib.ExitStack
) -> ServerProcess:
    cluster.check_version(host.binaries)
    cluster.forget_dead_server()
    settings = {**plan.settings, "unix_socket_directories": str(run.sockets)}
    if host.binaries.major >= 18:
        settings["io_method"] = "sync"  # no idle worker processes for so small a server
    command = [host.binaries / "postgres", "-D", str(cluster.data)]
    for name, value in settings.items():
        command += ["-c", f"{name}={value}"]
    process = launch(command, host.account, plan.log, plan.locks)
    undo.callback(process.stop)
    _wait_until_ready(process, cluster)
    return process


def _wait_until_ready(process: ServerProcess, cluster: Cluster) -> None:
    deadline = time.monotonic() + _START_LIMIT_S
    while not cluster.is_ready():
        if process.alive and time.monotonic() < deadline:
            time.sleep(0.005)
            continue
        complaints = process.complaints()
        raise EmbeddedPostgresError(
            f"The embedded PostgreSQL server did not start: {gravest(complaints)}. "
            "Name a running database with DATABASE_URL to do without it.",
            detail=f"{process.log}:\n{complaints}",
        )
