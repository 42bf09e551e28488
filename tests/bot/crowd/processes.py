"""A workspace in a process of its own, so that what it holds is not counted as the bot's."""

from __future__ import annotations

import contextlib
import multiprocessing
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import Any

from bot.local_workspace import LocalWorkspace
from bot.manifest import load_manifest

NAMES = ("api_url", "bot_token", "app_token", "user_tokens", "bot_user_id", "channels")


@contextlib.contextmanager
def started(target: Any, *given: Any) -> Iterator[tuple[Any, Any]]:
    """Start a process with a pipe to it; give our end, and the first thing that it says."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=target, args=(theirs, *given), daemon=True)
    process.start()
    try:
        yield ours, ours.recv()
    finally:
        ours.send(None)
        process.join(20)


def serve_workspace(pipe: Connection, settings: dict[str, Any]) -> None:
    """Serve one until told to stop; say first where it is and who may use it."""
    with LocalWorkspace.start(load_manifest(), file_ready_after=0.0, **settings) as workspace:
        pipe.send(place_of(workspace))
        pipe.recv()


def place_of(workspace: LocalWorkspace) -> dict[str, Any]:
    """Where a workspace is, and who may use it."""
    return {name: getattr(workspace, name) for name in NAMES}
