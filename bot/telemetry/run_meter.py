"""What a run does, turned into measures and into facts for the log."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Final

from agent.messages import Usage
from agent.watching import Act, Kind, Watch
from bot.logs.scope import RunScope
from bot.telemetry import kinds
from bot.telemetry.instruments import Instruments

TOOLS: Final = frozenset(
    {
        "find_tables",
        "get_schema",
        "ask_user",
        "execute_read_only_sql",
        "generate_chart",
        "calculate",
    }
)
OTHER: Final = "other"


class RunMeter(Watch):
    """Measures one run; the log of its threads knows its phase."""

    def __init__(self, instruments: Instruments, scope: RunScope) -> None:
        self._instruments = instruments
        self._scope = scope

    @contextmanager
    def during(self, act: Act) -> Iterator[None]:
        """Measure one act."""
        if act.kind is Kind.PHASE:
            self._scope.phase = act.name
        if act.kind is Kind.QUERY:
            self._scope.hide_literals(str(act.facts.get("statement", "")))
        began = time.monotonic()
        try:
            yield
        finally:
            self._note(act, time.monotonic() - began)

    def spent(self, model: str, usage: Usage, cost_usd: Decimal | None) -> None:
        """Count tokens and money."""
        kinds = {
            "input": usage.input_tokens,
            "output": usage.output_tokens,
            "cache_read": usage.cache_read_tokens,
            "cache_write": usage.cache_write_tokens,
        }
        for kind, number in kinds.items():
            self._instruments.tokens.labels(model, kind).inc(number)
        if cost_usd is not None:
            self._instruments.dollars.labels(model).inc(float(cost_usd))

    def tried_again(self, what: str) -> None:
        """Count it."""
        self._instruments.retries.labels(what).inc()

    def _note(self, act: Act, seconds: float) -> None:
        to = self._instruments
        match act.kind:
            case Kind.MODEL:
                to.model_calls.labels(act.name, act.error or "ok").inc()
                to.model_call.labels(act.name).observe(seconds)
            case Kind.TOOL:
                to.hops.labels(act.name if act.name in TOOLS else OTHER).inc()
                if act.error:
                    to.tool_errors.labels(act.error).inc()
            case Kind.QUERY:
                to.query.observe(seconds)
            case Kind.CHART:
                to.chart.observe(seconds)
            case kinds.UPLOAD:
                to.upload.observe(seconds)
