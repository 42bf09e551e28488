"""The `db-agent` command as a person runs it: a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

Feed = Callable[..., subprocess.CompletedProcess[bytes]]
DbAgent = Callable[..., subprocess.CompletedProcess[str]]
WriteScript = Callable[[Sequence[dict[str, Any]]], str]


@pytest.fixture
def db_agent(tmp_path: Path) -> DbAgent:
    """Run the command in an empty folder; its environment has no settings but those given."""

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
def feed(tmp_path: Path) -> Feed:
    """Run `check-sql` with bytes on its standard input."""

    def run(given: bytes | str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "bot.cli", "check-sql", *arguments],
            cwd=tmp_path,
            input=given.encode() if isinstance(given, str) else given,
            capture_output=True,
            timeout=60,
            check=False,
        )

    return run
