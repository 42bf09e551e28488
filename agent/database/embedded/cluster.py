"""A cluster at rest: the data folder and the secret its passwords are made from."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from agent.database.embedded.account import Account
from agent.database.embedded.binaries import Binaries
from agent.database.embedded.errors import EmbeddedPostgresError, gravest

ADMIN = "postgres"
PORT = 5432  # no more than a part of the socket's name: no network address is listened on
_DRAFT = ".new-"


@dataclass(frozen=True)
class Cluster:
    """`home` holds `data` (PostgreSQL's own, of the server's account) and `secret` (ours)."""

    home: Path

    @property
    def data(self) -> Path:
        return self.home / "data"

    def exists(self) -> bool:
        return (self.data / "PG_VERSION").is_file() and (self.home / "secret").is_file()

    def password(self, role: str) -> str:
        """The password of `role`: from the secret, so that none needs to be written down."""
        secret = (self.home / "secret").read_bytes()
        return hmac.new(secret, role.encode(), hashlib.sha256).hexdigest()

    def url(self, sockets: Path, database: str, role: str) -> str:
        """The address under which a server with its socket in `sockets` offers this cluster."""
        host = quote(str(sockets), safe="")
        login = f"{quote(role)}:{self.password(role)}"
        return f"postgresql://{login}@/{quote(database)}?host={host}&port={PORT}"

    def forget_dead_server(self) -> None:
        """Remove a stale postmaster.pid: its process id may be anybody's by now, or cut short.

        Only for the holder of the folder's lock, which every server of ours holds while it lives.
        Raises `EmbeddedPostgresError` when somebody else's server runs on this data.
        """
        pid_file = self.data / "postmaster.pid"
        try:
            pid = int(pid_file.read_text(errors="replace").split("\n", 1)[0])
            in_use = os.path.samefile(f"/proc/{pid}/cwd", self.data)
        except (OSError, ValueError):
            in_use = False
        if in_use:
            raise EmbeddedPostgresError(
                f"A PostgreSQL server that db-agent did not start runs on {self.data} "
                f"(process {pid}). Stop it first."
            )
        pid_file.unlink(missing_ok=True)

    def is_ready(self) -> bool:
        """Whether the server that was started on this data takes connections."""
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
        except OSError:
            return False
        return len(lines) > 7 and lines[7].strip() == "ready"

    def shrink(self, binaries: Binaries, account: Account) -> None:
        """Drop the log of past changes, which a cluster that was shut down in order can spare."""
        status, output = account.run([binaries / "pg_resetwal", "-D", str(self.data)])
        if status != 0:
            raise EmbeddedPostgresError(
                f"The data in {self.home} was not shut down in order: {gravest(output)}.",
                detail=output,
            )

    def check_version(self, binaries: Binaries) -> None:
        """Raise `EmbeddedPostgresError` when other binaries made this cluster."""
        made_by = (self.data / "PG_VERSION").read_text().strip()
        if made_by != str(binaries.major):
            raise EmbeddedPostgresError(
                f"The data in {self.home} was made by PostgreSQL {made_by}, and these programs are "
                f"version {binaries.version}. Set PG_BIN to the programs of version {made_by}, or "
                "choose another data folder."
            )


def create_cluster(home: Path, binaries: Binaries, account: Account, *, durable: bool) -> Cluster:
    """Make a new cluster at `home`, whole or not at all.

    It is built beside `home` and renamed at the end, so a crash leaves nothing that looks like a
    cluster. Raises `EmbeddedPostgresError` when initdb fails or the disk is full.
    """
    with _Draft(home, account) as draft:
        (draft / "secret").touch(mode=0o600)
        (draft / "secret").write_bytes(secrets.token_bytes(32))
        account.make_folder(draft / "data")
        password = draft / "password"
        password.touch(mode=0o600)
        password.write_text(Cluster(draft).password(ADMIN))
        account.own(password)
        _initdb(draft / "data", password, binaries, account, durable=durable)
        password.unlink()
    return Cluster(home)


def copy_cluster(template: Path, home: Path, account: Account) -> Cluster:
    """Copy the cluster at rest in `template` to `home`, which must not exist.

    Shares the disk blocks where the file system can. Raises `EmbeddedPostgresError`.
    """
    with _Draft(home, account) as draft:
        _copy_tree(template / "data", draft / "data")
        shutil.copy2(template / "secret", draft / "secret")
    return Cluster(home)


class _Draft:
    """A folder that becomes `home` if the block ends well, and vanishes if it does not."""

    def __init__(self, home: Path, account: Account) -> None:
        self._home = home
        self._account = account

    def __enter__(self) -> Path:
        for leftover in self._home.parent.glob(f"{self._home.name}{_DRAFT}*"):
            shutil.rmtree(leftover, ignore_errors=True)
        prefix = f"{self._home.name}{_DRAFT}"
        self._draft = Path(tempfile.mkdtemp(prefix=prefix, dir=self._home.parent))
        self._draft.chmod(self._account.folder_mode)
        return self._draft

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        try:
            if error is None:
                os.rename(self._draft, self._home)
        finally:
            shutil.rmtree(self._draft, ignore_errors=True)


def _initdb(
    data: Path, password: Path, binaries: Binaries, account: Account, *, durable: bool
) -> None:
    command = [binaries / "initdb", f"--pgdata={data}", f"--username={ADMIN}"]
    command += [f"--pwfile={password}", "--auth=scram-sha-256", "--encoding=UTF8"]
    command += ["--no-instructions", *_locale(binaries), *_sync(binaries, durable=durable)]
    status, output = account.run(command)
    if status != 0 or not (data / "PG_VERSION").is_file():
        raise EmbeddedPostgresError(
            f"A new PostgreSQL data folder could not be made in {data.parent.parent}: "
            f"{gravest(output)}. Free some space, choose another folder, or name a running "
            "database (DATABASE_URL, DB_AGENT_STORE_URL).",
            detail=output,
        )


def _locale(binaries: Binaries) -> list[str]:
    # The built-in provider knows upper and lower case of all scripts without any system locale.
    if binaries.major >= 17:
        return ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    return ["--locale=C"]


def _sync(binaries: Binaries, *, durable: bool) -> list[str]:
    if not durable:
        return ["--no-sync", "--wal-segsize=1"]
    # One call for the whole file system instead of one for each of a thousand files.
    return ["--sync-method=syncfs"] if binaries.major >= 17 and sys.platform == "linux" else []


def _copy_tree(source: Path, target: Path) -> None:
    share_blocks = ["-c"] if sys.platform == "darwin" else ["--reflink=auto"]
    for options in ([*share_blocks], []):
        outcome = subprocess.run(
            ["cp", "-R", "-p", *options, str(source), str(target)], capture_output=True, text=True
        )
        if outcome.returncode == 0:
            return
        shutil.rmtree(target, ignore_errors=True)
    raise EmbeddedPostgresError(
        f"The database could not be copied to {target.parent.parent}: {gravest(outcome.stderr)}. "
        "Free some space, or set TMPDIR to a folder with 100 MB to spare.",
        detail=outcome.stderr,
    )
