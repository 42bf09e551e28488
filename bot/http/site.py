"""The WSGI application: which page answers, and constant answers to everything else."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final

from bot.http.exchange import HttpAnswer, HttpRequest, Page, plain

log = logging.getLogger(__name__)

MAX_BODY_BYTES: Final = 1_000_000
"""More than Slack ever sends: its biggest view and all that is around it are well under this."""


class Site:
    """Pages by path. A page that answers GET answers HEAD too."""

    def __init__(self) -> None:
        self._pages: dict[str, tuple[str, Page]] = {}

    def add(self, method: str, path: str, page: Page) -> None:
        """Let `page` answer at `path`, to GET or to POST."""
        self._pages[path] = (method, page)

    @property
    def paths(self) -> tuple[str, ...]:
        """Where something answers."""
        return tuple(self._pages)

    def __call__(
        self, environ: Mapping[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        """Answer one request, whatever it holds."""
        answer = self._answer(environ)
        body = answer.body.encode()
        headers = [
            ("Content-Type", answer.content_type),
            ("Content-Length", str(len(body))),
            ("X-Content-Type-Options", "nosniff"),
            *answer.headers,
        ]
        status = HTTPStatus(answer.status)
        start_response(f"{status.value} {status.phrase}", headers)
        return [b"" if environ["REQUEST_METHOD"] == "HEAD" else body]

    def _answer(self, environ: Mapping[str, Any]) -> HttpAnswer:
        asked, path = str(environ["REQUEST_METHOD"]), str(environ.get("PATH_INFO", ""))
        method, page = self._pages.get(path, ("", None))
        if page is None:
            return plain(HTTPStatus.NOT_FOUND)
        if asked != method and (asked, method) != ("HEAD", "GET"):
            allowed = "GET, HEAD" if method == "GET" else method
            return plain(HTTPStatus.METHOD_NOT_ALLOWED, ("Allow", allowed))
        length = int(environ.get("CONTENT_LENGTH") or 0)
        if length > MAX_BODY_BYTES:
            return plain(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        try:
            return page(_read(environ, asked, path, length))
        except Exception as error:
            # What was sent may be private, and so may what the error says of it.
            log.error("a request to %s broke down: %s", path, type(error).__name__)
            log.debug("detail", exc_info=True)
            return plain(HTTPStatus.INTERNAL_SERVER_ERROR)


def _read(environ: Mapping[str, Any], method: str, path: str, length: int) -> HttpRequest:
    headers = {
        key.removeprefix("HTTP_").replace("_", "-").lower(): str(value)
        for key, value in environ.items()
        if key.startswith("HTTP_") or key in ("CONTENT_TYPE", "CONTENT_LENGTH")
    }
    body = environ["wsgi.input"].read(length) if length else b""
    return HttpRequest(method, path, str(environ.get("QUERY_STRING", "")), headers, body)
