"""A short-lived folder per server (its socket, a throw-away cluster), swept when its owner died.

The folder's lock is held by an open file that the server inherits: as long as any process of the
server lives, the lock is taken, and no longer. So nobody sweeps a folder in use, and a folder whose
owner was killed is swept by the next start, whatever process ids have been reused meanwhile.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agent.database.embedded.account import Account
from agent.database.embedded.errors import EmbeddedPostgresError

_DRAFT = "db-agent-new-"
_READY = "db-agent-run-"
# sun_path holds 104 bytes on macOS and 108 on Linux, with the final zero.
_LONGEST_SOCKET = 103
_SOCKET = f"{_READY}12345678/socket/.s.PGSQL.5432"
_DRAFT_GRACE_S = 600
_ABOVE_THE_SHELL = 20
_TRIES = 40
_PAUSE_S = 0.05  # between two tries to remove a folder


@dataclass(frozen=True)
class RunFolder:
    """A folder of ours in the system's temporary folder, and the file that keeps it locked."""

    path: Path
    lock: int

    @property
    def sockets(self) -> Path:
        return self.path / "socket"


@contextlib.contextmanager
def run_folder(account: Account) -> Iterator[RunFolder]:
    """Make a locked run folder that `account` can reach; it goes at the end of the block.

    Sweeps the folders of the dead first. Raises `EmbeddedPostgresError` when no temporary folder
    will do.
    """
    base = _temporary_folder(account)
    _sweep(base)
    try:
        run = _make(base, account)
    except OSError as error:
        raise EmbeddedPostgresError(
            f"No folder can be made in {base}: {error.strerror}. Set TMPDIR to a folder with space "
            "to spare.",
            detail=str(error),
        ) from error
    try:
        yield run
    finally:
        _remove(run.path)
        os.close(run.lock)


def _remove(folder: Path) -> None:
    """Remove the folder; a server that was stopped in its start may still write a last file."""
    for _ in range(_TRIES):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(_PAUSE_S)


def _make(base: Path, account: Account) -> RunFolder:
    draft = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=base))
    draft.chmod(account.folder_mode)
    lock = take_lock(draft / "lock")
    if lock is None:
        raise OSError(errno.EBUSY, "its lock is taken", str(draft))
    account.make_folder(draft / "socket")
    # It gets the name that sweepers look for only now that it is locked.
    path = draft.with_name(draft.name.replace(_DRAFT, _READY, 1))
    draft.rename(path)
    return RunFolder(path, lock)


def take_lock(file: Path, *, create: bool = True) -> int | None:
    """Open and lock `file`; return its descriptor, or None when another process holds it.

    The lock ends when every copy of the descriptor is closed, also those of child processes.
    """
    flags = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW | (os.O_CREAT if create else 0)
    opened = os.open(file, flags, 0o600)
    # The watchdog's shell redirects the low descriptors, and would let go of a lock among them.
    descriptor = fcntl.fcntl(opened, fcntl.F_DUPFD_CLOEXEC, _ABOVE_THE_SHELL)
    os.close(opened)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def _temporary_folder(account: Account) -> Path:
    candidates = [Path(tempfile.gettempdir()), Path("/tmp"), Path("/var/tmp")]
    for base in candidates:
        fits = len(os.fsencode(base / _SOCKET)) <= _LONGEST_SOCKET
        if fits and os.access(base, os.W_OK | os.X_OK) and account.can_enter(base):
            return base
    tried = ", ".join(map(str, dict.fromkeys(candidates)))
    raise EmbeddedPostgresError(
        f"No temporary folder will do for the server's socket (tried {tried}): it must be "
        "writable, reachable for the server's account, and have a short name. Set TMPDIR."
    )


def _sweep(base: Path) -> None:
    for folder in base.glob("db-agent-*"):
        # Another sweeper may be faster, and what is not ours cannot be removed.
        with contextlib.suppress(OSError):
            status = folder.lstat()
            if stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid():
                _sweep_one(folder, age_s=time.time() - status.st_mtime)


def _sweep_one(folder: Path, age_s: float) -> None:
    if folder.name.startswith(_DRAFT) and age_s > _DRAFT_GRACE_S:
        shutil.rmtree(folder, ignore_errors=True)
    elif folder.name.startswith(_READY):
        # A folder whose lock file a cleaner of old files took away may still be in use.
        lock = take_lock(folder / "lock", create=False)
        if lock is not None:
            shutil.rmtree(folder, ignore_errors=True)
            os.close(lock)
