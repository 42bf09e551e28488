"""Folders for servers: pytest's own are closed to all but its user, and to the server of root."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@contextlib.contextmanager
def _open_to_all() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="test-database-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def reachable_folder() -> Iterator[Path]:
    """An empty folder that any account can walk through."""
    with _open_to_all() as folder:
        yield folder


@pytest.fixture(scope="module")
def shared_reachable_folder() -> Iterator[Path]:
    """One such folder for all tests of a module."""
    with _open_to_all() as folder:
        yield folder
