"""The `db-agent` command as a person runs it: a process of its own, mostly loaded beforehand."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

Feed = Callable[..., subprocess.CompletedProcess[bytes]]
DbAgent = Callable[..., subprocess.CompletedProcess[str]]
WriteScript = Callable[[Sequence[dict[str, Any]]], str]


class Preloaded:
    """Runs `db-agent` again and again without loading it again; `preloaded.py` says how."""

    def __init__(self) -> None:
        self._orders, door = socket.socketpair()
        with door:
            self._process = subprocess.Popen(
                [sys.executable, str(Path(__file__).with_name("preloaded.py")), str(door.fileno())],
                pass_fds=[door.fileno()],
                stdin=subprocess.DEVNULL,
            )

    def run(
        self, arguments: Sequence[str], folder: Path, environment: dict[str, str], given: bytes
    ) -> subprocess.CompletedProcess[bytes]:
        """Run one command to its end, within a minute."""
        order = {"arguments": arguments, "folder": str(folder), "environment": environment}
        with contextlib.ExitStack() as files:
            opened = [files.enter_context(tempfile.TemporaryFile()) for _ in range(4)]
            for file, content in ((opened[0], given), (opened[3], json.dumps(order).encode())):
                file.write(content)
                file.seek(0)
            end, ended = os.pipe()
            reads = files.enter_context(open(end))
            with open(ended, "w"):
                socket.send_fds(self._orders, [b"."], [*(f.fileno() for f in opened), ended])
            process = int(reads.readline())
            if not select.select([reads], [], [], 60)[0]:
                os.kill(process, signal.SIGKILL)
            code = int(reads.readline())
            streams = [Path(f"/proc/self/fd/{file.fileno()}").read_bytes() for file in opened[1:3]]
        return subprocess.CompletedProcess(list(arguments), code, *streams)

    def stop(self) -> None:
        self._orders.close()
        assert self._process.wait(timeout=10) == 0


@pytest.fixture(scope="session")
def preloaded() -> Iterator[Preloaded]:
    """What runs most commands of this test process."""
    process = Preloaded()
    yield process
    process.stop()


@pytest.fixture
def db_agent(tmp_path: Path, preloaded: Preloaded) -> DbAgent:
    """Run the command in an empty folder; its environment has no settings but those given."""

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        done = preloaded.run(arguments, tmp_path, {**os.environ, **environment}, b"")
        texts = (done.stdout.decode(), done.stderr.decode())
        return subprocess.CompletedProcess(done.args, done.returncode, *texts)

    return run


@pytest.fixture
def fresh_db_agent(tmp_path: Path) -> DbAgent:
    """The same by an interpreter of its own, from nothing, as a person runs it."""

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "bot.cli", *arguments],
            cwd=tmp_path,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run


@pytest.fixture
def write_script(tmp_path: Path) -> WriteScript:
    """Write a script for the scripted model; returns the value for --model."""

    def write(turns: Sequence[dict[str, Any]]) -> str:
        path = tmp_path / "script.json"
        path.write_text(json.dumps(turns))
        return f"scripted:{path}"

    return write


@pytest.fixture
def feed(tmp_path: Path, preloaded: Preloaded) -> Feed:
    """Run `check-sql` with bytes on its standard input."""

    def run(given: bytes | str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        content = given.encode() if isinstance(given, str) else given
        return preloaded.run(["check-sql", *arguments], tmp_path, dict(os.environ), content)

    return run


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """A folder that the server's own account can reach where we are root; pytest's are closed."""
    with tempfile.TemporaryDirectory(prefix="db-agent-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.fixture
def settings(workspace: Any, demo_database_url: str, data_dir: Path) -> dict[str, str]:
    """All that `serve` needs, for the `workspace` of a test's own module."""
    return {
        "SLACK_BOT_TOKEN": workspace.bot_token,
        "SLACK_APP_TOKEN": workspace.app_token,
        "DB_AGENT_SLACK_URL": workspace.api_url,
        "DATABASE_URL": demo_database_url,
        "DB_AGENT_DATA_DIR": str(data_dir / "data"),
        "DB_AGENT_MODEL": "offline",
    }


class Served:
    """A bot that serves, as a process."""

    def __init__(
        self,
        settings: dict[str, str],
        folder: Path,
        arguments: Sequence[str],
        command: str = "serve",
        says: str = "db-agent serves",
    ) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bot.cli", command, *arguments],
            cwd=folder,
            env={**os.environ, **settings},
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        self.said = ""
        while says not in self.said:
            line = self.process.stderr.readline()
            assert line, self.said
            self.said += line

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        self.said += self.process.communicate(timeout=30)[1]
        return self.process.returncode


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Served]]:
    """Starts bots: their settings, and what else stands behind `serve`."""
    started: list[Served] = []

    def start(settings: dict[str, str], *arguments: str, **how: str) -> Served:
        started.append(Served(settings, tmp_path, arguments, **how))
        return started[-1]

    yield start
    for each in started:
        if each.process.poll() is None:
            each.stop()


@pytest.fixture
def wait_for() -> Callable[[Callable[[], Any]], Any]:
    """Looks until there is something to see, and gives it."""

    def wait(look: Callable[[], Any]) -> Any:
        deadline = time.monotonic() + 45
        while time.monotonic() < deadline:
            if found := look():
                return found
            time.sleep(0.1)
        raise AssertionError("it did not happen in 45 s")

    return wait


@pytest.fixture
def listening() -> Callable[[int], set[int]]:
    """The TCP ports that a process listens on, as Linux tells."""

    def ports_of(pid: int) -> set[int]:
        inodes = set()
        for name in os.listdir(f"/proc/{pid}/fd"):
            try:
                inodes.add(os.readlink(f"/proc/{pid}/fd/{name}"))
            except OSError:
                continue
        ports = set()
        for table in ("tcp", "tcp6"):
            for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
                _, local, _, state, *_, inode = line.split()[:10]
                if state == "0A" and f"socket:[{inode}]" in inodes:
                    ports.add(int(local.rpartition(":")[2], 16))
        return ports

    return ports_of
