"""An error as a server words it, whatever shape it has; pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

_INNER: Final = ("error", "errors", "detail", "message", "msg", "title", "error_description")


@dataclass(frozen=True)
class Complaint:
    """What a server said instead of an answer."""

    status: int
    message: str
    code: str = ""
    param: str = ""
    generation: str = ""
    """What the model had written, where the server could not make a call of it."""
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def request_id(self) -> str:
        return self.headers.get("x-request-id") or "without id"


def read_complaint(status: int, text: str, headers: Mapping[str, str] | None = None) -> Complaint:
    """Return what the body `text` of an error says. What is no JSON is its own message."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        body = text
    return of_body(status, body, headers)


def of_body(status: int, body: object, headers: Mapping[str, str] | None = None) -> Complaint:
    """Return what an error says, from its parsed body."""
    holders = _holders(body)
    return Complaint(
        status=status,
        message=_message(body) or "without a word",
        code=" ".join(dict.fromkeys(_all(holders, "code") + _all(holders, "type"))),
        param=" ".join(_all(holders, "param")),
        generation=" ".join(_all(holders, "failed_generation")),
        headers={name.lower(): value for name, value in (headers or {}).items()},
    )


def _holders(body: object) -> list[Mapping[str, Any]]:
    """Return the objects that may hold a code: the body, and the error in it."""
    if isinstance(body, list) and body:
        body = body[0]
    if not isinstance(body, dict):
        return []
    return [body, *(inner for inner in (body.get("error"),) if isinstance(inner, dict))]


def _all(holders: list[Mapping[str, Any]], name: str) -> list[str]:
    values = [holder.get(name) for holder in holders]
    return [str(value) for value in values if isinstance(value, str | int) and value != ""]


def _message(body: object, depth: int = 0) -> str:
    if isinstance(body, str):
        return " ".join(body.split())
    if depth > 4:
        return ""
    if isinstance(body, list):
        return "; ".join(filter(None, (_message(each, depth + 1) for each in body[:3])))
    if isinstance(body, dict):
        where = ".".join(str(part) for part in body["loc"]) if _is_list(body.get("loc")) else ""
        found = (_message(body[name], depth + 1) for name in _INNER if body.get(name))
        said = next(filter(None, found), "")
        return f"{where}: {said}" if where else said
    return ""


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple)
