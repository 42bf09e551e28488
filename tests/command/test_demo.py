"""`db-agent demo` starts everything, and leaves nothing behind however it ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

DbAgent = Callable[..., subprocess.CompletedProcess[str]]
Start = Callable[[], tuple["subprocess.Popen[str]", str]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a demo; returns its process and the address that it printed."""
    started: list[subprocess.Popen[str]] = []

    def start_one() -> tuple[subprocess.Popen[str], str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "bot.cli", "demo", "--port", "0", "--no-browser"],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        assert process.stdout is not None
        address = process.stdout.readline().removeprefix("open ").strip()
        assert address.startswith("http://127.0.0.1:"), address
        return process, address

    yield start_one
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def children_of(parent: int) -> set[int]:
    """All processes below `parent`, by Linux's own account."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        parents[int(entry.parent.name)] = int(fields[1])
    found: set[int] = set()
    frontier = {parent}
    while frontier:
        frontier = {pid for pid, above in parents.items() if above in frontier} - found
        found |= frontier
    return found


def alive(pids: set[int]) -> set[int]:
    def runs(pid: int) -> bool:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return False
        return state != "Z"

    return {pid for pid in pids if runs(pid)}


def wait_until_gone(pids: set[int]) -> set[int]:
    deadline = time.monotonic() + 5
    while alive(pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    return alive(pids)


linux_only = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")


@linux_only
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_every_process_and_exits_with_0(start: Start, number: int) -> None:
    process, address = start()
    with urllib.request.urlopen(address) as page:
        assert b"Local workspace" in page.read()
    below = children_of(process.pid)
    assert below
    # A terminal sends Ctrl-C to the whole group, not to the parent alone.
    os.killpg(process.pid, number)
    _, messages = process.communicate(timeout=15)
    assert process.returncode == 0, messages
    assert "Traceback" not in messages
    assert wait_until_gone(below) == set()


@linux_only
def test_a_kill_leaves_no_process_and_the_next_start_works(start: Start) -> None:
    process, _ = start()
    below = children_of(process.pid)
    process.kill()
    assert wait_until_gone(below) == set()
    _, address = start()
    with urllib.request.urlopen(address) as page:
        assert page.status == 200


def test_two_demos_run_side_by_side(start: Start) -> None:
    (_, one), (_, other) = start(), start()
    assert one != other


def test_a_busy_port_is_named_with_a_way_out(db_agent: DbAgent) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = db_agent("demo", "--no-browser", "--port", str(port))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"Port {port} is in use" in done.stderr
    assert "--port" in done.stderr
