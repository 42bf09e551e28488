"""docs/http.md against the code: it is followed by the letter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.http import health, measures, slack_requests
from bot.http.health import BROKEN, LATE, STARTING
from bot.manifest import EXAMPLE_ADDRESS, HTTP_FILE, http_text
from bot.settings import SIGNING_SECRET_HELP

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/http.md").read_text(encoding="utf-8")
COMPOSE = "docker/docker-compose.http.yml"


def test_name_that_is_replaced_is_the_one_in_the_manifest():
    host = EXAMPLE_ADDRESS.split("/")[2]
    (pattern,) = re.findall(r"sed 's/(.+?)/YOUR.NAME/' deploy/" + re.escape(HTTP_FILE), PAGE)
    assert pattern.replace("\\", "") == host
    lines = http_text().splitlines()
    assert max(line.count(host) for line in lines) == 1  # sed replaces the first of each line
    assert sum(host in line for line in lines) == 3


def test_paths_pages_and_reasons_are_those_of_the_code():
    for words in (
        health.ALIVE,
        health.READY,
        measures.PATH,
        slack_requests.PATH,
        STARTING,
        COMPOSE,
    ):
        assert words in PAGE
    for reason in (LATE, BROKEN):
        assert reason.startswith("its own record")
    (page,) = re.findall(r'on the page "([^"]+)"', SIGNING_SECRET_HELP)
    assert f"*{page}* → *App Credentials* → *Signing Secret*" in PAGE


def test_variables_are_those_of_the_example():
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    named = set(re.findall(r"\b(?:DB_AGENT|SLACK)_[A-Z_]+\b", PAGE))
    assert {name for name in named if f"{name}=" not in example} == set()


def test_links_lead_somewhere_and_the_other_pages_lead_here():
    for target in re.findall(r"\]\(([^)#]+)", PAGE):
        assert (ROOT / "docs" / target).resolve().is_file(), target
    for other in ("README.md", "docs/slack-setup.md"):
        assert "http.md" in (ROOT / other).read_text(encoding="utf-8")


def test_container_serves_the_port_that_its_health_check_looks_at():
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    agent = yaml.safe_load((ROOT / COMPOSE).read_text())["services"]["agent"]
    port = agent["command"][agent["command"].index("--http") + 1]
    assert agent["command"][-2:] == ["--host", "0.0.0.0"]
    assert agent["ports"] == [f"127.0.0.1:{port}:{port}"]  # not to the network: a proxy has TLS
    script = agent["healthcheck"]["test"][-1]
    assert f'"127.0.0.1", {port}' in script
    compile(script, COMPOSE, "exec")
