"""Taking possession of a data folder that stays.

Two locks tell apart what would look alike: `owner` is held by the process that started the server,
`lock` by the server's processes too. If only the second is taken, the owner was killed a moment
ago and its server is about to end.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

from agent.database.embedded.account import Account
from agent.database.embedded.errors import EmbeddedPostgresError
from agent.database.embedded.run_folder import take_lock

_DYING_PREDECESSOR_S = 15.0


@contextlib.contextmanager
def claimed(data_dir: Path, account: Account) -> Iterator[tuple[Path, int]]:
    """Make `data_dir` where it is missing and hold it; yield its full path and the server's lock.

    Raises `EmbeddedPostgresError` when another process uses the folder, or when the server's
    account cannot reach it.
    """
    folder = data_dir.absolute()
    with contextlib.ExitStack() as undo:
        try:
            if not folder.is_dir():
                folder.mkdir(parents=True)
                folder.chmod(account.folder_mode)
            undo.callback(os.close, _become_owner(folder))
            lock = _wait_for_server(folder)
            undo.callback(os.close, lock)
        except OSError as error:
            raise EmbeddedPostgresError(
                f"The data folder {folder} cannot be used: {error.strerror}. Choose another one.",
                detail=str(error),
            ) from error
        if not account.can_enter(folder):
            raise EmbeddedPostgresError(
                "PostgreSQL refuses to run as root, and the account it runs as instead cannot "
                f"reach {folder}. Choose a data folder outside of closed homes, such as "
                "/var/lib/db-agent, or run db-agent as an ordinary user."
            )
        yield folder, lock


def _become_owner(folder: Path) -> int:
    owner = take_lock(folder / "owner")
    if owner is None:
        process = (folder / "owner").read_text()
        raise EmbeddedPostgresError(
            f"The data folder {folder} is in use by another db-agent (process {process}). "
            "Stop that one, or choose another folder."
        )
    os.ftruncate(owner, 0)
    os.write(owner, str(os.getpid()).encode())
    return owner


def _wait_for_server(folder: Path) -> int:
    deadline = time.monotonic() + _DYING_PREDECESSOR_S
    while (lock := take_lock(folder / "lock")) is None:
        if time.monotonic() > deadline:
            raise EmbeddedPostgresError(
                f"A PostgreSQL server still runs on the data folder {folder}, though the db-agent "
                "that started it is gone. Wait for it to end, or stop it."
            )
        time.sleep(0.01)
    return lock
