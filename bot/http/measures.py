"""GET /metrics: what Prometheus collects."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4

from bot.http.exchange import HttpAnswer, HttpRequest

PATH: Final = "/metrics"


class Measures:
    """The page; before `show`, there is nothing to measure."""

    def __init__(self) -> None:
        self._exposition: Callable[[], str] = lambda: ""

    def show(self, exposition: Callable[[], str]) -> None:
        """Show what this gives from now on."""
        self._exposition = exposition

    def __call__(self, request: HttpRequest) -> HttpAnswer:
        """Answer with all measures."""
        return HttpAnswer(HTTPStatus.OK, self._exposition(), CONTENT_TYPE_PLAIN_0_0_4)
