"""Traces, where somebody collects them: the seam, and what stands behind it where nobody does."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final, Protocol

from agent.watching import Watch

ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
Carried = Mapping[str, str]
"""Where a trace goes on in another process: the headers of W3C Trace Context."""


class Traces(Protocol):
    """Traces of questions; safe to share between threads."""

    def taking(self, facts: Mapping[str, Any]) -> AbstractContextManager[Carried]:
        """Trace the taking of a question; yields where its run is to go on."""

    def run(
        self, carried: Carried, facts: Mapping[str, Any], *, waited_s: float = 0.0
    ) -> AbstractContextManager[tuple[str, Watch | None]]:
        """Trace a run that has waited so long; yields the trace's id and a watch for the run."""

    def close(self) -> None:
        """Send what is left. May be called more than once."""


class NoTraces:
    """Nobody collects any."""

    @contextmanager
    def taking(self, facts: Mapping[str, Any]) -> Iterator[Carried]:
        """Trace nothing."""
        yield {}

    @contextmanager
    def run(
        self, carried: Carried, facts: Mapping[str, Any], *, waited_s: float = 0.0
    ) -> Iterator[tuple[str, Watch | None]]:
        """Trace nothing."""
        yield "", None

    def close(self) -> None:
        """Nothing is left."""


def open_traces(role: str) -> Traces:
    """Return traces as OpenTelemetry's variables say; without a collector, none are made.

    `role` is what this process does, such as "serve". What they need is loaded only where a
    collector is named.
    """
    get = os.environ.get
    is_off = get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    is_none = get("OTEL_TRACES_EXPORTER", "otlp").strip().lower() == "none"
    if is_off or is_none or not any(get(name, "").strip() for name in ENDPOINTS):
        return NoTraces()
    from bot.telemetry.open_telemetry import CollectedTraces

    return CollectedTraces(role)
