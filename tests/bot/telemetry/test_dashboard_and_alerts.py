"""What Grafana and Prometheus are given asks for measures that there are, in words they read."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from bot.metrics import Metrics
from bot.store.line_store import Line
from bot.telemetry.instruments import Instruments
from tests.bot.telemetry.promql import Expression, NotPromQl

ROOT = Path(__file__).parents[3]
RULES = ROOT / "deploy/prometheus/rules.yaml"
DASHBOARD = ROOT / "deploy/grafana/db-agent.json"
GUIDE = (ROOT / "docs/observability.md").read_text(encoding="utf-8")
FROM_PROMETHEUS = {"up", "process_resident_memory_bytes", "process_cpu_seconds_total"} | {
    "process_open_fds"
}
TARGET = {"job", "instance"}


def alerts():
    return [
        rule
        for group in yaml.safe_load(RULES.read_text(encoding="utf-8"))["groups"]
        for rule in group["rules"]
    ]


def dashboard():
    return json.loads(DASHBOARD.read_text(encoding="utf-8"))


def expressions():
    targets = [each for panel in dashboard()["panels"] for each in panel.get("targets", [])]
    return list(dict.fromkeys(each["expr"] for each in [*alerts(), *targets]))


def labels_by_metric():
    """Every sample that /metrics may hold, and its labels."""
    metrics = Metrics()
    metrics.watch_line(lambda: Line(0, 0.0), lambda: 0)
    for each in vars(metrics.instruments).values():
        if getattr(each, "_labelnames", ()):
            each.labels(*each._labelnames)
    found = {}
    for family in text_string_to_metric_families(metrics.exposition()):
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


@pytest.mark.parametrize("text", expressions())
def test_each_expression_is_promql_over_measures_that_there_are(text):
    there = labels_by_metric()
    read = Expression(text)
    for metric in read.metrics - FROM_PROMETHEUS:
        assert metric in there
        assert read.labels.get(metric, set()) <= there[metric] | TARGET
        assert read.grouped <= set().union(*(there[each] for each in read.metrics)) | TARGET


@pytest.mark.parametrize(
    "text",
    ["sum(rate(a[5m])", "rate(a)", "a[5m]", "sum by (x (a)", "a{b}", "frob(a)", "a b", "a >"],
)
def test_what_is_no_promql_is_refused(text):
    with pytest.raises(NotPromQl):
        Expression(text)


def test_every_measure_is_on_the_dashboard_and_in_the_guide():
    asked = {metric for text in expressions() for metric in Expression(text).metrics}
    names = {name for name in labels_by_metric() if name.startswith("db_agent_")}
    for name in names:
        if not name.endswith(("_created", "_sum", "_count")):
            assert name in asked, name
    for name in names:
        whole = re.sub(r"_(bucket|sum|count)$", "", name)
        assert f"`{whole}" in GUIDE or name.endswith("_created"), whole


def test_alerts_are_explained_and_say_what_to_do():
    for rule in alerts():
        assert f"`{rule['alert']}`" in GUIDE
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert {"summary", "description"} <= set(rule["annotations"])
    assert len({rule["alert"] for rule in alerts()}) == len(alerts())


def test_panels_have_a_place_of_their_own():
    taken, ids = set(), set()
    for panel in dashboard()["panels"]:
        where = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(where["x"], where["x"] + where["w"])
            for y in range(where["y"], where["y"] + where["h"])
        }
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24
        taken |= cells
        ids.add(panel["id"])
    assert len(ids) == len(dashboard()["panels"])


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed")
def test_promtool_takes_the_rules():
    done = subprocess.run(["promtool", "check", "rules", RULES], check=False, capture_output=True)
    assert done.returncode == 0, done.stdout


def test_every_counter_and_histogram_has_a_help():
    for each in vars(Instruments()).values():
        if hasattr(each, "_documentation"):
            assert each._documentation.endswith(".")
