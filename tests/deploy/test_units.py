"""The units of systemd: what systemd itself says of them, and what they have to hold."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from deploy_tools import CHECKOUT

from bot.app import GRACE_S

UNITS = CHECKOUT / "deploy/systemd"
SERVICES = sorted(UNITS.glob("*.service"))
MOST_EXPOSED = 2.0
"""Of ten; what systemd calls OK begins below 5."""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The units, with a command that is there: systemd looks whether it can be run."""
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not installed (Debian: apt-get install systemd)")
    command = tmp_path / "db-agent"
    command.write_text("#!/bin/sh\n")
    command.chmod(0o755)
    for each in UNITS.iterdir():
        text = each.read_text().replace("/opt/db-agent/bin/db-agent", str(command))
        (tmp_path / each.name).write_text(text)
    return tmp_path


def test_systemd_understands_every_line(installed: Path) -> None:
    shutil.copy(installed / "db-agent-worker@.service", installed / "db-agent-worker@1.service")
    units = [path for path in installed.iterdir() if path.suffix in (".service", ".target")]
    command = ["systemd-analyze", "verify", "--man=no", *units]
    run = subprocess.run(command, capture_output=True, text=True)
    ours = [line for line in run.stderr.splitlines() if "db-agent" in line]
    assert (run.returncode, ours) == (0, [])


@pytest.mark.parametrize("unit", SERVICES, ids=lambda path: path.name)
def test_little_is_left_to_whoever_breaks_in(installed: Path, unit: Path) -> None:
    where = installed / unit.name.replace("@", "@1")
    if not where.exists():
        shutil.copy(installed / unit.name, where)
    command = ["systemd-analyze", "security", "--offline=true", str(where)]
    shown = subprocess.run(command, capture_output=True, text=True)
    level = re.search(r"exposure level for .*: ([0-9.]+)", shown.stdout)
    assert level is not None, shown.stdout
    assert float(level[1]) <= MOST_EXPOSED


@pytest.mark.parametrize("unit", SERVICES, ids=lambda path: path.name)
def test_each_runs_as_an_ordinary_user_in_a_closed_system(unit: Path) -> None:
    lines = unit.read_text().splitlines()
    for needed in ("User=db-agent", "NoNewPrivileges=yes", "ProtectSystem=strict"):
        assert needed in lines
    assert "CapabilityBoundingSet=" in lines
    assert "EnvironmentFile=/etc/db-agent/db-agent.env" in lines


def test_those_that_run_for_long_come_again_and_have_time_to_stop() -> None:
    for name in ("db-agent-serve.service", "db-agent-worker@.service"):
        text = (UNITS / name).read_text()
        stop = re.search(r"^TimeoutStopSec=(\d+)$", text, flags=re.MULTILINE)
        assert stop is not None
        assert int(stop[1]) >= GRACE_S + 15
        assert "\nRestart=always\n" in text
        assert "\nStartLimitIntervalSec=0\n" in text, "an outage must not end it for good"
        assert "\nRestartPreventExitStatus=2\n" in text


def test_the_parts_are_told_apart() -> None:
    commands = {
        path.name: line.removeprefix("ExecStart=/opt/db-agent/bin/db-agent ")
        for path in SERVICES
        for line in path.read_text().splitlines()
        if line.startswith("ExecStart=")
    }
    assert commands == {
        "db-agent-migrate.service": "migrate",
        "db-agent-serve.service": "serve --no-workers --http 8080",
        "db-agent-worker@.service": "worker",
    }


def test_environment_file_has_settings_that_exist() -> None:
    example = (UNITS / "db-agent.env.example").read_text()
    known = (CHECKOUT / ".env.example").read_text()
    names = re.findall(r"^#?([A-Z][A-Z0-9_]+)=", example, flags=re.MULTILINE)
    assert len(names) > 5
    assert [name for name in names if f"{name}=" not in known] == []
    assert not re.search(r"^export ", example, flags=re.MULTILINE)
