"""The tools that read what is in deploy/ and docker/, where `make deploy-check` brought them."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

CHECKOUT: Final = Path(__file__).parents[2]
CHART: Final = CHECKOUT / "deploy/helm/db-agent"
VALUES: Final = sorted((CHECKOUT / "tests/deploy/values").glob("*.yaml"))
RENDERED: Final = CHECKOUT / "tests/deploy/rendered"
TOOLS: Final = CHECKOUT / ".venv/deploy/bin"
HELM: Final = """
import json, sys, yaml, helm_python
asked = json.load(sys.stdin)
chart, values = asked["chart"], yaml.safe_load(asked["values"]) or {}
try:
    if asked["lint"]:
        print(json.dumps({"messages": helm_python.lint(chart, values, strict=True)["messages"]}))
    else:
        loaded = helm_python.Chart.load(chart)
        loaded.validate_schema(loaded.merge_values(values))
        print(json.dumps({"files": loaded.render(values, name="answers", namespace="data")}))
except helm_python.HelmError as error:
    print(json.dumps({"refused": str(error)}))
"""


def tool(name: str) -> Path:
    """Return the path of one of these tools; skips the test where it is not installed."""
    if not (TOOLS / name).exists():
        pytest.skip(f"{name} is not installed: make deploy-check brings it, and runs this")
    return TOOLS / name


def helm(values: str, *, lint: bool = False) -> dict[str, Any]:
    """Return what Helm's own library makes of the chart: its files, its findings, or a refusal."""
    python = tool("python")
    asked = json.dumps({"chart": str(CHART), "values": values, "lint": lint})
    quiet = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
    run = subprocess.run(
        [python, "-c", HELM], input=asked, capture_output=True, text=True, env=quiet, timeout=60
    )
    assert run.returncode == 0, run.stderr
    answer = json.loads(run.stdout.splitlines()[-1])
    assert isinstance(answer, dict)
    return answer


def fingerprint(values: Path) -> str:
    """Return the mark of a committed rendering: of the chart and the values that it is of."""
    digest = hashlib.sha256()
    for each in [*sorted(path for path in CHART.rglob("*") if path.is_file()), values]:
        digest.update(each.relative_to(CHECKOUT).as_posix().encode() + b"\0" + each.read_bytes())
    return digest.hexdigest()


def rendering(values: Path) -> Path:
    """Return where the rendering with these values is committed."""
    return RENDERED / values.name


def read(stem: str) -> list[dict[str, Any]]:
    """Return the committed objects of the chart with the values of this name."""
    return list(yaml.safe_load_all((RENDERED / f"{stem}.yaml").read_text()))


def only(objects: list[dict[str, Any]], kind: str, ending: str = "") -> dict[str, Any]:
    """Return the one object of this kind whose name ends so."""
    (found,) = [
        each
        for each in objects
        if each["kind"] == kind and each["metadata"]["name"].endswith(ending)
    ]
    return found
