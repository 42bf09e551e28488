"""The drawing processes: a parent that never pays for its children's troubles."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.charts.drawing_process import DrawingProcess
from agent.charts.renderer import ProcessRenderer
from agent.errors import ChartRejected

BARS: dict[str, Any] = {
    "data": {"values": [{"x": "a", "y": 1}, {"x": "b", "y": 3}]},
    "mark": {"type": "bar", "color": "#ff0000"},
    "encoding": {
        "x": {"field": "x", "type": "nominal"},
        "y": {"field": "y", "type": "quantitative"},
    },
    "width": 60,
    "height": 40,
}


ENDLESS: dict[str, Any] = {
    "data": {"sequence": {"start": 0, "stop": 100_000, "as": "x"}},
    "transform": [
        {"window": [{"op": "median", "field": "x", "as": "y"}], "frame": [-2000, 2000]},
        {"aggregate": [{"op": "mean", "field": "y", "as": "y"}]},
    ],
    "mark": "point",
    "encoding": {"y": {"field": "y", "type": "quantitative"}},
}
"""A minute of work in little memory. No builder of ours makes it, and no renderer takes it."""
pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="reads /proc")


def children() -> list[int]:
    """The drawing processes of this test process, whatever their state."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            command = (folder / "cmdline").read_bytes()
        except (OSError, IndexError):
            continue
        if parent == os.getpid() and b"charts/worker.py" in command:
            found.append(int(folder.name))
    return found


def is_gone(pid: int) -> bool:
    """Whether a process has ended, reaped or not."""
    try:
        return ") Z" in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return True


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.02)


@pytest.fixture
def fresh() -> Iterator[Callable[..., ProcessRenderer]]:
    """Makes renderers that are closed after the test."""
    made: list[ProcessRenderer] = []

    def make(**options: Any) -> ProcessRenderer:
        made.append(ProcessRenderer(**options))
        return made[-1]

    yield make
    for renderer in made:
        renderer.close()


class Outcomes:
    """What becomes of some charts that are asked for at once."""

    def __init__(self, renderer: ProcessRenderer, number: int) -> None:
        self.pictures: list[bytes] = []
        self.refusals: list[str] = []
        self._renderer = renderer
        self._threads = [threading.Thread(target=self._draw) for _ in range(number)]
        for thread in self._threads:
            thread.start()

    def _draw(self) -> None:
        try:
            self.pictures.append(self._renderer.render(BARS))
        except ChartRejected as refusal:
            self.refusals.append(str(refusal))

    def all(self) -> list[bytes]:
        """Wait for the last, and return the pictures."""
        for thread in self._threads:
            thread.join()
        return self.pictures


def child_of(renderer: ProcessRenderer) -> int:
    before = set(children())
    renderer.render(BARS)
    (pid,) = set(children()) - before
    return pid


def test_a_child_can_be_started_before_its_first_chart(fresh: Any) -> None:
    renderer = fresh()
    before = set(children())
    renderer.start()
    started = set(children()) - before
    renderer.render(BARS)
    assert len(started) == 1
    assert set(children()) - before == started


def test_the_child_starts_with_the_first_chart_and_is_used_again(fresh: Any) -> None:
    before = set(children())
    renderer = fresh()
    assert set(children()) == before
    pid = child_of(renderer)
    renderer.render(BARS)
    assert set(children()) - before == {pid}


def test_a_hanging_child_is_killed_at_the_deadline_and_replaced(fresh: Any) -> None:
    renderer = fresh(deadline_s=1.5)
    pid = child_of(renderer)
    os.kill(pid, signal.SIGSTOP)
    started = time.monotonic()
    with pytest.raises(ChartRejected, match=r"within 1\.5 seconds"):
        renderer.render(BARS)
    assert 1.4 < time.monotonic() - started < 6.0
    assert pid not in children()
    assert renderer.render(BARS)


def test_a_child_that_dies_over_its_first_chart_costs_that_chart(fresh: Any) -> None:
    renderer = fresh()
    before = set(children())

    def kill_the_next_child() -> None:
        wait_for(lambda: bool(set(children()) - before))
        os.kill(next(iter(set(children()) - before)), signal.SIGKILL)

    thread = threading.Thread(target=kill_the_next_child)
    thread.start()
    with pytest.raises(ChartRejected, match="could not be drawn"):
        renderer.render(BARS)
    thread.join()
    assert renderer.render(BARS)


def test_a_used_child_that_dies_in_the_middle_is_replaced_and_the_chart_drawn(fresh: Any) -> None:
    renderer = fresh()
    pid = child_of(renderer)
    os.kill(pid, signal.SIGSTOP)
    threading.Timer(0.3, os.kill, (pid, signal.SIGKILL)).start()
    assert renderer.render(BARS)
    assert is_gone(pid)


def test_a_child_that_died_between_charts_is_not_noticed(fresh: Any) -> None:
    renderer = fresh()
    pid = child_of(renderer)
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: is_gone(pid))
    assert renderer.render(BARS)


@pytest.mark.parametrize("request_", [b"", json.dumps(ENDLESS).encode()], ids=["idle", "at work"])
def test_a_child_dies_with_its_parent(request_: bytes) -> None:
    code = (
        "import os, threading, time\n"
        "from pathlib import Path\n"
        "from agent.charts.drawing_process import DrawingProcess\n"
        "def ticks():\n"
        "    return int(Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[11])\n"
        "child, until = DrawingProcess(deadline_s=60, fonts=()), time.monotonic() + 60\n"
        "child.start(until)\n"
        "pid = int(Path('/proc/thread-self/children').read_text())\n"
        f"request, begun = {request_!r}, ticks()\n"
        "if request:\n"
        "    threading.Thread(target=child.draw, args=(request, until), daemon=True).start()\n"
        "    while ticks() < begun + 30: time.sleep(0.02)\n"
        "print(pid, flush=True)\n"
        "os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    wait_for(lambda: is_gone(int(done.stdout)))


def test_the_child_knows_no_secret_and_has_no_network(
    fresh: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    pid = child_of(fresh())
    assert b"sk-secret" not in Path(f"/proc/{pid}/environ").read_bytes()
    leave = "import ctypes, sys; sys.exit(ctypes.CDLL(None).unshare(0x40000000))"
    if subprocess.run([sys.executable, "-c", leave], check=False).returncode != 0:
        pytest.skip("this system lets no process leave its network")
    devices = Path(f"/proc/{pid}/net/dev").read_text().splitlines()[2:]
    assert [line.split(":")[0].strip() for line in devices] == ["lo"]


def test_several_threads_share_the_children(fresh: Any) -> None:
    before, renderer = set(children()), fresh()
    outcomes = Outcomes(renderer, 8)
    assert len(outcomes.all()) == 8
    assert len(set(outcomes.pictures)) == 1
    assert 1 <= len(set(children()) - before) <= 2


def test_a_chart_that_hangs_keeps_no_other_one_waiting(fresh: Any) -> None:
    renderer = fresh(deadline_s=60, in_all_s=60)
    hanging = child_of(renderer)
    os.kill(hanging, signal.SIGSTOP)
    outcomes = Outcomes(renderer, 3)
    wait_for(lambda: len(outcomes.pictures) == 2)
    assert hanging in children(), "the third is still being drawn"
    os.kill(hanging, signal.SIGCONT)
    assert len(outcomes.all()) == 3


def test_so_many_charts_wait_and_the_next_is_refused_at_once(fresh: Any) -> None:
    renderer = fresh(processes=1, waiting=1, deadline_s=60, in_all_s=60)
    hanging = child_of(renderer)
    os.kill(hanging, signal.SIGSTOP)
    outcomes = Outcomes(renderer, 3)
    wait_for(lambda: bool(outcomes.refusals))
    os.kill(hanging, signal.SIGCONT)
    outcomes.all()
    assert len(outcomes.pictures) == 2
    (refusal,) = outcomes.refusals
    assert "Too many charts are waiting" in refusal
    assert "without this chart" in refusal


def test_waiting_counts_to_the_time_that_a_chart_has_in_all(fresh: Any) -> None:
    renderer = fresh(processes=1, deadline_s=60)
    os.kill(child_of(renderer), signal.SIGSTOP)
    renderer.in_all_s = 0.8
    outcomes = Outcomes(renderer, 2)
    outcomes.all()
    assert len(outcomes.refusals) == 2, "one over its drawing, the other over its turn"


def test_a_specification_reaches_no_address(renderer: ProcessRenderer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        address = f"http://127.0.0.1:{server.getsockname()[1]}/rows.csv"
        rows, image = {"url": address}, {"type": "image", "url": address}
        for spec in ({**BARS, "data": rows}, {**BARS, "mark": image}):
            with pytest.raises(ChartRejected, match=r"rows of a query|may not contain|not allowed"):
                renderer.render(spec)
            # Past the renderer's own look, the process still fetches nothing.
            child = DrawingProcess(deadline_s=20, fonts=())
            try:
                child.draw(json.dumps(spec).encode(), time.monotonic() + 60)
            finally:
                child.end()
                child.forget()
        with pytest.raises(BlockingIOError):
            server.accept()


def test_a_closed_renderer_leaves_no_process_and_refuses(fresh: Any) -> None:
    renderer = fresh()
    pid = child_of(renderer)
    renderer.close()
    assert pid not in children()
    with pytest.raises(ChartRejected, match="no longer drawn"):
        renderer.render(BARS)


def test_closing_does_not_wait_for_a_chart_under_way(fresh: Any) -> None:
    renderer = fresh()
    os.kill(child_of(renderer), signal.SIGSTOP)
    outcomes = Outcomes(renderer, 1)
    started = time.monotonic()
    renderer.close()
    assert outcomes.all() == []
    assert time.monotonic() - started < 5.0
    (refusal,) = outcomes.refusals
    assert "the program is stopping" in refusal
