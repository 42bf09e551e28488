"""Traces of a whole bot, as a collector gets them over OTLP/HTTP."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from agent.testing import ScriptedModel
from bot.telemetry.sql_text import UNREADABLE, without_literals
from bot.telemetry.traces import NoTraces, open_traces
from tests.bot.telemetry.conftest import TURNS


class Collector:
    """Takes what is exported, as a collector does."""

    def __init__(self):
        self.requests, self.headers = [], []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(this):
                body = this.rfile.read(int(this.headers["Content-Length"]))
                if this.headers.get("Content-Encoding") == "gzip":
                    import gzip

                    body = gzip.decompress(body)
                self.headers.append((this.path, dict(this.headers)))
                self.requests.append(ExportTraceServiceRequest.FromString(body))
                this.send_response(200)
                this.end_headers()

            def log_message(this, *words):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()

    @property
    def resources(self):
        return [facts_of(each.resource) for one in self.requests for each in one.resource_spans]

    @property
    def spans(self):
        return [
            span
            for request in self.requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


def facts_of(span):
    """The attributes, as plain values."""
    found = {}
    for each in span.attributes:
        kind = each.value.WhichOneof("value")
        value = getattr(each.value, kind)
        found[each.key] = [one.string_value for one in value.values] if kind == "array_value" else (
            value
        )  # fmt: skip
    return found


@pytest.fixture
def collector():
    collector = Collector()
    yield collector
    collector.stop()


@pytest.fixture
def traces(collector, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "api-key=collector99")
    opened = open_traces("serve")
    yield opened
    opened.close()


def test_a_question_is_one_trace_with_all_that_was_done_for_it(
    collector, traces, start_bot, real, you
):
    start_bot(agent=real(ScriptedModel(*TURNS)), options={"traces": traces})
    you.card("data", you.ask("data", "revenue by staff as a bar chart"), within=30)
    you.eventually(lambda: traces._provider.force_flush() and by_name(collector, "answer question"))
    assert {path for path, _ in collector.headers} == {"/v1/traces"}
    assert collector.headers[0][1]["api-key"] == "collector99"
    assert collector.resources[0]["service.name"] == "db-agent"
    (answered,) = by_name(collector, "answer question")
    (taken,) = by_name(collector, "take question")
    assert answered.parent_span_id == taken.span_id
    run = [each for each in collector.spans if each.trace_id == answered.trace_id]
    names = {each.name for each in run}
    assert {"wait in line", "phase planning", "phase critique", "chart vega-lite"} <= names
    assert {"execute_tool execute_read_only_sql", "upload charts"} <= names
    assert any(name.startswith("slack chat.") for name in names)

    asked = [each for each in run if each.name == "chat scripted"]
    assert len(asked) == 5
    phases = {each.span_id: each.name for each in run if each.name.startswith("phase ")}
    assert {phases[each.parent_span_id] for each in asked} == {"phase planning", "phase thought"}
    facts = facts_of(asked[0])
    assert facts["gen_ai.operation.name"] == "chat"
    assert facts["gen_ai.request.model"] == "scripted"
    assert facts["gen_ai.response.finish_reasons"]

    queries = [facts_of(each) | {"code": each.status.code} for each in by_name(collector, "SELECT")]
    failed = [each for each in queries if each.get("error.type") == "sql_failed"]
    assert [each["db.response.status_code"] for each in failed] == ["42703"]
    assert [each["code"] for each in failed] == [2]
    good = [each for each in queries if "$1" in each["db.query.text"]]
    assert good[0]["db.system.name"] == "postgresql"
    assert good[0]["db.response.returned_rows"] > 0
    said = str(collector.requests)
    for private in ("hush", "revenue by staff as a bar", "xoxb-"):
        assert private not in said


def by_name(collector, name):
    return [each for each in collector.spans if each.name == name]


def test_a_run_goes_on_in_the_trace_that_another_process_began(collector, traces):
    with traces.taking({}) as carried:
        pass
    assert set(carried) == {"traceparent"}
    with traces.run(carried, {"db_agent.attempt": 2}, waited_s=1.5) as (trace_id, _):
        pass
    traces.close()
    assert {each.trace_id.hex() for each in collector.spans} == {trace_id}
    (waited,) = by_name(collector, "wait in line")
    assert (waited.end_time_unix_nano - waited.start_time_unix_nano) == pytest.approx(
        1.5e9, abs=1e3
    )


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": ""},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_SDK_DISABLED": "true"},
        {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_TRACES_EXPORTER": "none"},
    ],
    ids=["unset", "empty", "disabled", "none"],
)
def test_without_a_collector_there_are_no_traces(monkeypatch, variables):
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert isinstance(open_traces("serve"), NoTraces)


def test_without_a_collector_nothing_of_it_is_loaded():
    program = (
        "import sys, bot.app, bot.commands.serve\n"
        "from bot.telemetry.traces import open_traces\n"
        "open_traces('serve')\n"
        "print([name for name in sys.modules if name.startswith('opentelemetry')])"
    )
    clean = {name: value for name, value in os.environ.items() if not name.startswith("OTEL_")}
    done = subprocess.run(
        [sys.executable, "-c", program], env=clean, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_collector_that_is_away_costs_no_answer(monkeypatch, start_bot, agent, you):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "0.2")
    away = open_traces("serve")
    start_bot(options={"traces": away})
    assert "You asked" in you.card("data", you.ask("data", "how many films?"))["text"]
    away.close()


@pytest.mark.parametrize(
    "sql",
    [
        "select 'hush'",
        "select $$hush$$, $a$hush$a$",
        "select 1 -- hush",
        "select /* hush */ 1",
        "select E'hu\\'hush' where x in ('a', 'hush')",
        "select interval 'hush', U&'hush'",
        "hush '",
    ],
)
def test_no_value_of_a_statement_is_told(sql):
    said = without_literals(sql)
    assert "hush" not in said
    assert said.startswith("select") or said == UNREADABLE
