"""`db-agent demo --without-bot FILE`: the bots of other processes have all that they need there."""

from __future__ import annotations

import os
import shlex
import signal
import stat
import subprocess
import sys
from pathlib import Path


def db_agent(folder: Path, *words: str, **settings: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "bot.cli", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **settings},
        start_new_session=True,
    )


def said(process: subprocess.Popen[str], words: str) -> str:
    """Wait for the line on its standard error that has these words."""
    assert process.stderr is not None
    for line in process.stderr:
        if words in line:
            return line
    raise AssertionError(f"it ended without a word of {words!r}")


def stop(*processes: subprocess.Popen[str]) -> None:
    for process in processes:
        os.killpg(process.pid, signal.SIGTERM)
        process.communicate(timeout=40)


def test_another_process_serves_the_workspace_of_the_demo(tmp_path: Path) -> None:
    file = tmp_path / "demo.env"
    demo = db_agent(tmp_path, "demo", "--no-browser", "--port", "0", "--without-bot", str(file))
    started = [demo]
    try:
        assert said(demo, str(file))
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        lines = file.read_text().splitlines()
        settings = dict(shlex.split(line)[0].split("=", 1) for line in lines)
        serve = db_agent(tmp_path, "serve", **settings)
        started.append(serve)
        assert "@db-agent" in said(serve, "db-agent serves")
    finally:
        stop(*reversed(started))
    assert [process.returncode for process in started] == [0, 0]


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    where = tmp_path / "no" / "such" / "demo.env"
    demo = db_agent(tmp_path, "demo", "--no-browser", "--port", "0", "--without-bot", str(where))
    _, messages = demo.communicate(timeout=60)
    assert demo.returncode == 2
    assert f"{where} cannot be written" in messages
