"""Files that the bot puts into threads, as people read them."""

from __future__ import annotations

import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest


@dataclass(frozen=True)
class SharedFile:
    """A file, and what stands above it."""

    name: str
    title: str
    text: str
    comment: str


@pytest.fixture
def file_in() -> Callable[..., SharedFile]:
    """Waits for a message of the bot's with a file, and reads it."""

    def read(person: Any, channel: str, thread_ts: str = "") -> SharedFile:
        def shared() -> list[Any]:
            return [each for each in person.from_bot(channel, thread_ts) if each.get("files")]

        message = person.eventually(shared)[-1]
        (file,) = message["files"]
        headers = {"Authorization": f"Bearer {person.client.token}"}
        request = urllib.request.Request(file["url_private"], headers=headers)
        with urllib.request.urlopen(request, timeout=10) as answer:
            text = answer.read().decode("utf-8-sig")
        return SharedFile(file["name"], file["title"], text, message["text"])

    return read
