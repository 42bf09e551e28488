"""A request to our port and the answer to it, as plain values."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from slack_bolt import BoltRequest, BoltResponse


@dataclass(frozen=True)
class HttpRequest:
    """What somebody wants of us. The names of headers are in lower case."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def content_type(self) -> str:
        """The kind of body, without its parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


@dataclass(frozen=True)
class HttpAnswer:
    """What they get; `headers` are besides the type and length of the body."""

    status: int
    body: str = ""
    content_type: str = "text/plain; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()


Page = Callable[[HttpRequest], HttpAnswer]
"""What answers at one path."""

NO_RETRY: Final = ("x-slack-no-retry", "1")
"""Tells Slack that sending it again would change nothing."""


def plain(status: HTTPStatus, *headers: tuple[str, str]) -> HttpAnswer:
    """Return the answer that says no more than its status: nothing of what was asked, or why."""
    return HttpAnswer(status, f"{status.phrase}\n", headers=headers)


def as_json(status: int, body: Mapping[str, Any]) -> HttpAnswer:
    """Return an answer for programs, which nobody is to keep."""
    text = json.dumps(body, ensure_ascii=False)
    return HttpAnswer(status, text, "application/json", (("Cache-Control", "no-store"),))


def from_bolt(response: BoltResponse) -> HttpAnswer:
    """Return what Bolt answers, cookies and all."""
    several = [
        (name, str(value))
        for name, values in response.headers.items()
        for value in values
        if name.lower() not in ("content-type", "content-length")
    ]
    kind = response.headers.get("content-type", ["text/plain; charset=utf-8"])[0]
    return HttpAnswer(response.status, response.body or "", str(kind), tuple(several))


def bolt_page(handle: Callable[[BoltRequest], BoltResponse]) -> Page:
    """Return the page of what takes Bolt's requests, such as the steps of an installation."""

    def page(request: HttpRequest) -> HttpAnswer:
        headers: dict[str, str | Sequence[str]] = dict(request.headers)
        return from_bolt(handle(BoltRequest(body="", query=request.query, headers=headers)))

    return page
