"""docs/operations.md and docs/runbook.md name only what exists."""

from __future__ import annotations

import re

import pytest
import yaml
from deploy_tools import CHART, CHECKOUT

from bot.cli import main
from bot.metrics import Metrics

OPERATIONS = (CHECKOUT / "docs/operations.md").read_text()
RUNBOOK = (CHECKOUT / "docs/runbook.md").read_text()
BOTH = OPERATIONS + RUNBOOK
OF_THE_LINE = ("db_agent_queue_questions", "db_agent_queue_oldest_age_seconds")
OTHERS = {"db_agent_store", "db_agent_log", "db_agent_reader"}
"""A login and a schema, which are written like measures."""

NAMED = re.findall(r"(?:`|bin/|^ {4,})db-agent ([a-z]+)", BOTH, flags=re.MULTILINE)
COMMANDS = sorted({*NAMED} - {"serves", "works", "answers", "takes"})


def measures() -> set[str]:
    """The names of all measures, as /metrics has them."""
    said = re.findall(r"^# TYPE (\S+)", Metrics().exposition(), flags=re.MULTILINE)
    of_the_line = (CHECKOUT / "bot/telemetry/queue_measure.py").read_text()
    gauges = re.findall(r'f"\{PREFIX\}(_\w+)"', of_the_line)
    return {*said, *(f"db_agent{each}" for each in gauges)}


def test_measures_that_are_named_are_measured() -> None:
    named = set(re.findall(r"\bdb_agent_[a-z_]+\b", BOTH)) - OTHERS
    assert {*OF_THE_LINE, "db_agent_questions_given_up_total"} <= named
    assert named - measures() == set()


def test_each_alert_has_an_entry_and_each_that_is_named_exists() -> None:
    rules = yaml.safe_load((CHECKOUT / "deploy/prometheus/rules.yaml").read_text())
    alerts = {rule["alert"] for group in rules["groups"] for rule in group["rules"]}
    assert set(re.findall(r"\bDbAgent[A-Z]\w+", RUNBOOK)) == alerts


def test_each_entry_says_what_to_do_and_when_it_is_over() -> None:
    entries = re.split(r"^## ", RUNBOOK, flags=re.MULTILINE)[1:]
    assert len(entries) >= 12
    for entry in entries[:-1]:
        assert "*Do:*" in entry, entry[:40]
        assert "*Over when:*" in entry, entry[:40]


@pytest.mark.parametrize("text", [OPERATIONS, RUNBOOK], ids=["operations", "runbook"])
def test_settings_that_are_named_can_be_set(text: str) -> None:
    known = (CHECKOUT / ".env.example").read_text()
    named = set(re.findall(r"\b(?:DB_AGENT|SLACK)_[A-Z_]*[A-Z]\b", text))
    assert named
    assert [name for name in named if f"{name}=" not in known] == []


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_that_are_named_are_there(command: str, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0, capsys.readouterr().err


def test_lines_of_the_log_are_as_they_are_written() -> None:
    written = " ".join(path.read_text() for path in (CHECKOUT / "bot").rglob("*.py"))
    for words in (
        "is taken over from a process that is gone",
        "is given up",
        "the line of questions is back",
    ):
        assert words in RUNBOOK
        assert words in written


def test_links_lead_somewhere() -> None:
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([\w-]+))?\)", BOTH):
        if target.startswith("https:"):
            continue
        page = CHECKOUT / "docs" / target if target else CHECKOUT / "docs/runbook.md"
        assert page.exists(), target
        if anchor:
            heads = re.findall(r"^#+ (.+)$", page.read_text(), flags=re.MULTILINE)
            assert anchor in {
                re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in heads
            }


def test_values_of_the_chart_that_are_named_exist() -> None:
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    named = re.findall(r"`((?:workers|networkPolicy|serve|slack)\.(?!com)[\w.]+)", BOTH)
    assert named
    for name in named:
        found = values
        for part in name.split("."):
            assert part in found, name
            found = found[part]
