"""Traces to a collector, over OTLP/HTTP. Loaded only where one is configured."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from decimal import Decimal
from importlib.metadata import version
from typing import Any, Final

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer, format_trace_id
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from agent.messages import Usage
from agent.watching import Act, Kind, Watch
from bot.telemetry import kinds
from bot.telemetry.span_facts import facts_after, facts_before, span_name
from bot.telemetry.traces import Carried, Traces

log = logging.getLogger(__name__)

FLUSH_MS: Final = 3_000
"""How long the end of the process waits for a collector, in milliseconds."""
_CLIENTS: Final = frozenset({Kind.MODEL, Kind.QUERY, kinds.SLACK})
_PROTOCOLS: Final = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")


class CollectedTraces(Traces):
    """Spans that are sent to a collector by a thread of their own."""

    def __init__(self, role: str) -> None:
        """Endpoint, headers, sampler, names and limits are those of OpenTelemetry's variables."""
        asked = next(filter(None, map(os.environ.get, _PROTOCOLS)), "http/protobuf")
        if asked != "http/protobuf":
            log.warning("traces are sent by http/protobuf alone, not by %s", asked)
        given = {"service.version": version("db-agent"), "db_agent.role": role}
        if not os.environ.get("OTEL_SERVICE_NAME"):
            given["service.name"] = "db-agent"
        self._provider = TracerProvider(resource=Resource.create(given), shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer("db-agent", version("db-agent"))
        self._headers = TraceContextTextMapPropagator()

    @contextmanager
    def taking(self, facts: Mapping[str, Any]) -> Iterator[Carried]:
        """Trace the taking of a question; yields where its run is to go on."""
        with self._tracer.start_as_current_span(
            "take question", kind=SpanKind.CONSUMER, attributes=facts
        ):
            carried: dict[str, str] = {}
            self._headers.inject(carried)
            yield carried

    @contextmanager
    def run(
        self, carried: Carried, facts: Mapping[str, Any], *, waited_s: float = 0.0
    ) -> Iterator[tuple[str, Watch | None]]:
        """Trace a run that has waited so long; yields the trace's id and a watch for the run."""
        before = self._headers.extract(carried)
        began = time.time_ns()
        if waited_s > 0:
            waiting = self._tracer.start_span(
                "wait in line", before, start_time=began - int(waited_s * 1e9)
            )
            waiting.end(began)
        with self._tracer.start_as_current_span(
            "answer question", before, attributes=facts, start_time=began
        ) as span:
            trace_id = format_trace_id(span.get_span_context().trace_id)
            yield trace_id, SpanWatch(self._tracer)

    def close(self) -> None:
        """Send what is left, for a moment at most. May be called more than once."""
        self._provider.force_flush(FLUSH_MS)
        self._provider.shutdown()


class SpanWatch(Watch):
    """A span for each act of a run, within the one that is under way in its thread."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer

    @contextmanager
    def during(self, act: Act) -> Iterator[None]:
        """Trace one act."""
        kind = SpanKind.CLIENT if act.kind in _CLIENTS else SpanKind.INTERNAL
        with self._tracer.start_as_current_span(
            span_name(act),
            kind=kind,
            attributes=facts_before(act),
            record_exception=False,  # its words may hold what is private
            set_status_on_exception=False,
        ) as span:
            try:
                yield
            finally:
                _finish(span, act)

    def spent(self, model: str, usage: Usage, cost_usd: Decimal | None) -> None:
        """The span of the call has it."""

    def tried_again(self, what: str) -> None:
        """The span under way has it, as an event."""
        from opentelemetry.trace import get_current_span

        get_current_span().add_event("tried again", {"what": what})


def _finish(span: Span, act: Act) -> None:
    span.set_attributes(facts_after(act))
    if act.error:
        span.set_status(Status(StatusCode.ERROR, act.error))
