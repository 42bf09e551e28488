"""Which operating-system account the server runs as."""

from __future__ import annotations

import os
import pwd
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from agent.database.embedded.errors import EmbeddedPostgresError

# Nothing of our own environment reaches the server: neither keys nor PG* variables.
# TZ spares initdb a search through all time zones of the machine.
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
_UNPRIVILEGED = "nobody"


@dataclass(frozen=True)
class Account:
    """The account of the server; both ids are None when it is simply ours."""

    uid: int | None = None
    gid: int | None = None

    @property
    def folder_mode(self) -> int:
        """The mode of a folder of ours that the server has to walk through."""
        return 0o700 if self.uid is None else 0o711

    def popen(
        self,
        command: Sequence[str],
        *,
        stdin: int | IO[Any] | None = subprocess.DEVNULL,
        stdout: int | IO[Any] | None = subprocess.PIPE,
        stderr: int | IO[Any] | None = subprocess.STDOUT,
        pass_fds: Sequence[int] = (),
    ) -> subprocess.Popen[str]:
        """Start `command` as this account, in a session of its own (so Ctrl-C does not reach it).

        Raises `EmbeddedPostgresError` when the account may not be switched to, and `OSError` when
        the program cannot be started.
        """
        switch: dict[str, Any] = {}
        if self.uid is not None:
            switch = {"user": self.uid, "group": self.gid, "extra_groups": []}
        return subprocess.Popen(
            command,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            pass_fds=pass_fds,
            start_new_session=True,
            umask=0o077,
            cwd="/",
            env=_ENVIRONMENT,
            text=True,
            errors="replace",
            **switch,
        )

    def run(self, command: Sequence[str]) -> tuple[int, str]:
        """Run `command` to its end; return its exit status and all it printed."""
        with self.popen(command) as process:
            output, _ = process.communicate()
        return process.returncode, output.strip()

    def can_enter(self, folder: Path) -> bool:
        """Whether this account gets through to `folder`; asked of the system itself."""
        if self.uid is None:
            return os.access(folder, os.R_OK | os.X_OK)
        try:
            status, _ = self.run(
                ["/bin/sh", "-c", 'test -d "$1" && test -x "$1"', "sh", str(folder)]
            )
        except PermissionError as error:
            raise EmbeddedPostgresError(
                "PostgreSQL refuses to run as root, and this process may not switch to the "
                f"account '{_UNPRIVILEGED}'. Run db-agent as an ordinary user, or name a database "
                "with DATABASE_URL.",
                detail=str(error),
            ) from error
        return status == 0

    def make_folder(self, folder: Path) -> None:
        """Make `folder`, which must not exist, for the server alone (mode 0700)."""
        folder.mkdir(mode=0o700)
        self.own(folder)

    def own(self, path: Path) -> None:
        """Give one file or folder of ours to this account."""
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)


def server_account() -> Account:
    """Return ourselves or, since PostgreSQL refuses to run as root, `nobody`."""
    if os.geteuid() != 0:
        return Account()
    try:
        entry = pwd.getpwnam(_UNPRIVILEGED)
    except KeyError:
        return Account(65534, 65534)
    return Account(entry.pw_uid, entry.pw_gid)
