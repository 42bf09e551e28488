"""Taking possession of a data folder that stays."""

from __future__ import annotations

import os
import time
from pathlib import Path

from agent.database.embedded.account import Account
from agent.database.embedded.errors import EmbeddedPostgresError
from agent.database.embedded.run_folder import take_lock

_DYING_PREDECESSOR_S = 15.0


def claim(data_dir: Path, account: Account) -> tuple[Path, int]:
    """Make `data_dir` where it is missing and lock it; return its full path and the lock.

    Waits for a server whose owner was killed a moment ago. Raises `EmbeddedPostgresError` when
    another process uses the folder, or when the server's account cannot reach it.
    """
    folder = data_dir.absolute()
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True)
            folder.chmod(account.folder_mode)
        lock = _lock(folder)
    except OSError as error:
        raise EmbeddedPostgresError(
            f"The data folder {folder} cannot be used: {error.strerror}. Choose another one.",
            detail=str(error),
        ) from error
    if not account.can_enter(folder):
        os.close(lock)
        raise EmbeddedPostgresError(
            "PostgreSQL refuses to run as root, and the account it runs as instead cannot reach "
            f"{folder}. Choose a data folder outside of closed homes, such as /var/lib/db-agent, "
            "or run db-agent as an ordinary user."
        )
    return folder, lock


def _lock(folder: Path) -> int:
    file = folder / "lock"
    deadline = time.monotonic() + _DYING_PREDECESSOR_S
    while (lock := take_lock(file)) is None:
        owner = _owner(file)
        if owner is not None or time.monotonic() > deadline:
            process = f" (process {owner})" if owner else ""
            raise EmbeddedPostgresError(
                f"The data folder {folder} is in use by another db-agent{process}. "
                "Stop that one, or choose another folder."
            )
        time.sleep(0.02)
    os.ftruncate(lock, 0)
    os.write(lock, str(os.getpid()).encode())
    return lock


def _owner(file: Path) -> int | None:
    """The living process that took the lock; its server may outlive a dead one for a moment."""
    try:
        owner = int(file.read_text())
        os.kill(owner, 0)
    except PermissionError:
        return owner
    except (OSError, ValueError):
        return None
    return owner
