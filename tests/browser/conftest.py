"""A real demo in a process of its own, and a headless Chromium in front of it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

# A step may come and go between two frames, so the page keeps every change that it was told of.
KEEP_ALL_CHANGES = """
window.changes = [];
window.EventSource = class extends EventSource {
    constructor(...given) {
        super(...given);
        this.addEventListener("message", (event) => window.changes.push(event.data));
    }
};
"""

WITHIN_MS = 15_000
"""How long a busy machine may take to show something."""

StartDemo = Callable[..., str]


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A fresh window; a script error in the page fails the test."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(KEEP_ALL_CHANGES)
    page = context.new_page()
    page.set_default_timeout(WITHIN_MS)
    expect.set_options(timeout=WITHIN_MS)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


@pytest.fixture
def start_demo(tmp_path: Path) -> Iterator[StartDemo]:
    """Start `db-agent demo` with the given words; returns the address that it prints."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> str:
        process = subprocess.Popen(
            [sys.executable, "-m", "bot.cli", "demo", "--port", "0", "--no-browser", *arguments],
            cwd=tmp_path,
            env=os.environ.copy(),
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("open http://127.0.0.1:"), line
        return line.removeprefix("open ").strip()

    yield start
    for process in started:
        process.terminate()
        process.communicate(timeout=15)
        assert process.returncode == 0
