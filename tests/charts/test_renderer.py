"""The drawing process: real pictures, and a parent that never pays for its child's troubles."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.charts.renderer import ProcessRenderer
from agent.charts.spec import ChartSpec
from agent.charts.vega import build_vega_lite
from agent.errors import ChartRejected
from agent.messages import Column, QueryResult

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
needs_proc = pytest.mark.skipif(not Path("/proc/self").exists(), reason="reads /proc")


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


def child_of(renderer: ProcessRenderer) -> int:
    before = set(children())
    renderer.render(BARS)
    (pid,) = set(children()) - before
    return pid


def test_a_chart_is_a_png_at_twice_its_size(renderer: ProcessRenderer, decode: Any) -> None:
    picture = decode(renderer.render({**BARS, "autosize": {"type": "fit", "contains": "padding"}}))
    assert (picture.width, picture.height) == (120, 80)


def test_the_picture_shows_the_numbers(renderer: ProcessRenderer, decode: Any) -> None:
    picture = decode(renderer.render({**BARS, "height": 90}))
    heights = picture.columns_of("#ff0000")
    tall, low = max(heights.values()), min(n for n in heights.values() if n > 10)
    assert tall / low == pytest.approx(3, rel=0.05)


def test_a_chart_of_ours_has_our_colours_on_white(
    renderer: ProcessRenderer,
    decode: Any,
    result: Callable[..., QueryResult],
    chart: Callable[..., ChartSpec],
) -> None:
    data = result("k:text s:text n:integer", [("a", "u", 1), ("a", "v", 2), ("b", "u", 3)])
    spec = build_vega_lite(chart("bar", x="k", y="n", color="s"), data)
    picture = decode(renderer.render(spec))
    assert (picture.width, picture.height) == (1280, 800)
    colors = picture.colors()
    assert colors["#ffffff"] > 0.4 * len(picture.pixels)
    assert min(colors["#2f6db5"], colors["#e07b39"]) > 0.02 * len(picture.pixels)
    assert set(picture.pixels[: picture.width]) == {(255, 255, 255)}, "nothing is cut at the top"


@pytest.mark.parametrize(
    ("mark", "channels"),
    [
        ("bar", {"x": "k", "y": {"field": "n", "aggregate": "sum"}}),
        ("bar", {"x": "m", "y": {"field": "n", "aggregate": "sum"}, "color": "k"}),
        ("bar", {"x": "m", "y": {"field": "n", "aggregate": "mean"}, "row": "k"}),
        ("bar", {"x": {"field": "n", "bin": True}, "y": {"aggregate": "count"}}),
        ("line", {"x": "m", "y": "n", "color": "k"}),
        ("line", {"x": "m", "y": "n", "column": "k"}),
        ("area", {"x": "m", "y": "n", "color": "k"}),
        ("area", {"x": "m", "y": {"field": "n", "stack": "normalize"}, "color": "k"}),
        ("point", {"x": "n", "y": "p", "color": "k", "size": "n"}),
        ("arc", {"theta": {"field": "n", "aggregate": "sum"}, "color": "k"}),
        ("rect", {"x": "m", "y": "k", "color": "n"}),
    ],
)
def test_vega_lite_draws_what_we_build(
    renderer: ProcessRenderer,
    result: Callable[..., QueryResult],
    chart: Callable[..., ChartSpec],
    mark: str,
    channels: Any,
) -> None:
    rows = [
        (f"2024-{month:02d}-01", kind, month * 7 % 5 + 1.5, month)
        for month in range(1, 13)
        for kind in ("a", "b & <c>", "日本 🎬")
    ]
    data = result("m:date k:text n:float8 p:integer", rows)
    png = renderer.render(build_vega_lite(chart(mark, **channels), data))
    assert len(png) > 10_000


def test_the_parent_never_imports_the_renderer() -> None:
    code = (
        "import sys\n"
        "from agent.charts.renderer import ProcessRenderer\n"
        f"with ProcessRenderer() as renderer: renderer.render({BARS!r})\n"
        "sys.exit('vl_convert' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_what_vega_lite_cannot_draw_is_refused_and_the_next_chart_works(
    renderer: ProcessRenderer,
) -> None:
    number = {"field": "y", "type": "quantitative", "axis": {"format": "no such format"}}
    with pytest.raises(ChartRejected, match="could not be drawn"):
        renderer.render({**BARS, "encoding": {"y": number}})
    assert renderer.render(BARS)


@needs_proc
def test_a_child_can_be_started_before_its_first_chart(fresh: Any) -> None:
    renderer = fresh()
    before = set(children())
    renderer.start()
    started = set(children()) - before
    renderer.render(BARS)
    assert len(started) == 1
    assert set(children()) - before == started


@needs_proc
def test_the_child_starts_with_the_first_chart_and_is_used_again(fresh: Any) -> None:
    before = set(children())
    renderer = fresh()
    assert set(children()) == before
    pid = child_of(renderer)
    renderer.render(BARS)
    assert set(children()) - before == {pid}


@needs_proc
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


@needs_proc
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


@needs_proc
def test_a_used_child_that_dies_in_the_middle_is_replaced_and_the_chart_drawn(fresh: Any) -> None:
    renderer = fresh()
    pid = child_of(renderer)
    os.kill(pid, signal.SIGSTOP)
    threading.Timer(0.3, os.kill, (pid, signal.SIGKILL)).start()
    assert renderer.render(BARS)
    assert is_gone(pid)


@needs_proc
def test_a_child_that_died_between_charts_is_not_noticed(fresh: Any) -> None:
    renderer = fresh()
    pid = child_of(renderer)
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: is_gone(pid))
    assert renderer.render(BARS)


@needs_proc
def test_the_child_dies_with_its_parent() -> None:
    code = (
        "import os\n"
        "from agent.charts.renderer import ProcessRenderer\n"
        f"renderer = ProcessRenderer(); renderer.render({BARS!r})\n"
        "print(renderer._process.pid, flush=True)\n"
        "os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    wait_for(lambda: is_gone(int(done.stdout)))


@needs_proc
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


def test_several_threads_share_one_child(renderer: ProcessRenderer) -> None:
    pictures: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: pictures.append(renderer.render(BARS))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(pictures) == 8
    assert len(set(pictures)) == 1


@needs_proc
def test_a_closed_renderer_leaves_no_process_and_refuses(fresh: Any) -> None:
    renderer = fresh()
    pid = child_of(renderer)
    renderer.close()
    assert pid not in children()
    with pytest.raises(ChartRejected, match="no longer drawn"):
        renderer.render(BARS)


@needs_proc
def test_closing_does_not_wait_for_a_chart_under_way(fresh: Any) -> None:
    renderer = fresh()
    os.kill(child_of(renderer), signal.SIGSTOP)
    lost: list[Exception] = []

    def draw() -> None:
        try:
            renderer.render(BARS)
        except ChartRejected as error:
            lost.append(error)

    thread = threading.Thread(target=draw)
    thread.start()
    time.sleep(0.2)
    started = time.monotonic()
    renderer.close()
    thread.join()
    assert time.monotonic() - started < 2.0
    assert len(lost) == 1


@pytest.mark.parametrize("odd", ["\x00", "a\x00b", "\x1b[31m", "\uffff"])
def test_titles_with_letters_that_cannot_be_drawn_are_drawn_without_them(
    renderer: ProcessRenderer, odd: str
) -> None:
    wild = QueryResult("", (Column(f"n{odd}", "text"), Column(odd, "int4")), (("a", 1), ("b", 2)))
    channels = {"x": {"field": f"n{odd}", "title": odd}, "y": {"field": odd}}
    spec = ChartSpec.model_validate({"mark": "bar", "title": odd, "encoding": channels})
    assert renderer.render(build_vega_lite(spec, wild)).startswith(b"\x89PNG")
