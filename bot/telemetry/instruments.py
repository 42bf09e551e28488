"""Every measure that the bot keeps, with its name and its help.

No label has values without an end: no channel, no person, no run. A registry belongs to one bot,
so that several may live in one process.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram, Info
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector

PREFIX: Final = "db_agent"
QUICK_S: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0)
"""Up to Slack's patience with an acknowledgement."""
SHORT_S: Final = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
LONG_S: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0, 120.0)
"""Up to the wall clock of a run."""
WAIT_S: Final = (0.1, 0.5, 1.0, 2.0, 5.0, 15.0, 60.0, 300.0, 900.0)


class Instruments:
    """The measures of one bot."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        build = Info(f"{PREFIX}_build", "The version that runs.", registry=self.registry)
        build.info({"version": version("db-agent")})

        count = self._counter
        self.taken = count("questions_taken", "Questions that were stored to be answered.")
        self.ended = count("runs_ended", "Runs that ended, by how.", "outcome")
        self.hops = count("hops", "Tool calls of runs.", "tool")
        self.tool_errors = count("tool_errors", "Tool calls that failed, by why.", "kind")
        self.model_calls = count(
            "model_calls", "Calls of a model, each with its retries.", "model", "result"
        )
        self.tokens = count("model_tokens", "Tokens that models took, by kind.", "model", "kind")
        self.dollars = count("model_cost_dollars", "Money that models took, in US$.", "model")
        self.retries = count("retries", "What failed and was tried again.", "what")
        self.slack_calls = count(
            "slack_calls", "Calls of Slack's Web API; error is none where it did.", "method",
            "error",
        )  # fmt: skip
        self.rate_limits = count("slack_rate_limits", "Calls that Slack put off.", "method")
        self.store_errors = count("store_errors", "What the bot's own record did not do.")
        self.rescued = count("questions_rescued", "Questions taken over from another process.")
        self.capped = count(
            "questions_given_up", "Questions that ended since each process that tried died."
        )

        time = self._histogram
        self.ack = time("ack", "From Slack's event to its acknowledgement.", QUICK_S)
        self.first_status = time("first_status", "From a question to its first status.", SHORT_S)
        self.queue_wait = time("queue_wait", "From a question to the begin of its run.", WAIT_S)
        self.run = time("run", "A run from its begin to its card.", LONG_S)
        self.model_call = time("model_call", "One call of a model, with retries.", LONG_S, "model")
        self.query = time("query", "A query, with its guard.", SHORT_S)
        self.chart = time("chart", "The drawing of a chart, with its wait.", SHORT_S)
        self.upload = time("upload", "Charts of a run on their way to Slack.", SHORT_S)

    def _counter(self, name: str, words: str, *labels: str) -> Counter:
        return Counter(f"{PREFIX}_{name}", words, labels, registry=self.registry)

    def _histogram(
        self, name: str, words: str, buckets: tuple[float, ...], *labels: str
    ) -> Histogram:
        return Histogram(
            f"{PREFIX}_{name}_seconds", words, labels, buckets=buckets, registry=self.registry
        )
