"""The chart, read by Helm itself and by Kubernetes' own schemas: runs in make deploy-check."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from deploy_tools import VALUES, helm, rendering, tool
from render_chart import rendered_text

pytestmark = pytest.mark.slow

KUBERNETES = ("1.30", "1.37")
OF_OTHERS = {"ScaledObject", "TriggerAuthentication", "ServiceMonitor"}
"""Kinds that KEDA and the Prometheus operator bring; Kubernetes has no schema of theirs."""

REFUSED = [
    ("{}", "Neither existingSecret nor secrets"),
    ("existingSecret: x\nsecrets: {DATABASE_URL: y}", "Both existingSecret and secrets"),
    ("secrets: {DATABASE_URL: y, DB_AGENT_STORE_URL: z}", "secrets.SLACK_APP_TOKEN is not set"),
    ("existingSecret: x\nsettings: {DATABASE_URL: y}", "DATABASE_URL"),
    ("existingSecret: x\nsettings: {ANTHROPIC_API_KEY: y}", "ANTHROPIC_API_KEY"),
    ("existingSecret: x\nsettings: {DB_AGENT_WORKERS: 3}", "DB_AGENT_WORKERS"),
    ("existingSecret: x\nserve: {replicas: 10}", "ten event sockets"),
    ("existingSecret: x\nserve: {replica: 1}", "replica"),
    ("existingSecret: x\nworkers: {concurrency: 65}", "concurrency"),
    ("existingSecret: x\nterminationGracePeriodSeconds: 20", "terminationGracePeriodSeconds"),
    ("existingSecret: x\nimage: {digest: sha256:1}", "digest"),
    ("existingSecret: x\nnetworkPolicy: {databases: []}", "databases"),
    ("existingSecret: x\ningress: {enabled: true}", "nothing is to be reached"),
]


@pytest.mark.parametrize("values", VALUES, ids=lambda path: path.stem)
def test_helm_finds_nothing_wrong(values: Path) -> None:
    answer = helm(values.read_text(), lint=True)
    assert [each for each in answer["messages"] if each["severity"] > 1] == []


@pytest.mark.parametrize("values", VALUES, ids=lambda path: path.stem)
def test_what_is_committed_is_what_helm_makes(values: Path) -> None:
    committed = rendering(values).read_text()
    mark = committed.partition("\n")[0].rpartition(" ")[2]
    assert rendered_text(mark, helm(values.read_text())["files"]) == committed


@pytest.mark.parametrize("version", KUBERNETES)
@pytest.mark.parametrize("values", VALUES, ids=lambda path: path.stem)
def test_kubernetes_takes_each_object(values: Path, version: str) -> None:
    command = [tool("kubernetes-validate"), "-k", version, "--strict", rendering(values)]
    run = subprocess.run(command, capture_output=True, text=True)
    told = (run.stdout + run.stderr).splitlines()
    assert [line for line in told if "passed" in line], told
    assert not [line for line in told if "ERROR" in line], told
    warned = [line for line in told if "WARN" in line]
    assert not [line for line in warned if not any(kind in line for kind in OF_OTHERS)], warned


@pytest.mark.parametrize(("values", "word"), REFUSED, ids=lambda text: text[:40])
def test_what_would_not_work_is_refused_with_its_name(values: str, word: str) -> None:
    assert word in helm(values)["refused"]


def test_notes_name_the_next_step() -> None:
    (values,) = [path for path in VALUES if path.stem == "everything"]
    files = helm(values.read_text())["files"]
    (notes,) = [text for name, text in files.items() if name.endswith("NOTES.txt")]
    assert "helm -n data test answers --logs" in notes
    assert "https://db-agent.example.com/slack/events" in notes
