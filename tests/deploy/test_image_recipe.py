"""The image's recipe and the compose file: rules, and the tools that read such files."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import Any

import pytest
import yaml
from deploy_tools import CHECKOUT, tool

RECIPE = CHECKOUT / "docker/Dockerfile"
COMPOSE = CHECKOUT / "docker/docker-compose.yml"
READ = """
import sys, compose_spec, yaml
plain = yaml.safe_load(sys.stdin)  # with what several services share in each
found = compose_spec.PyCompose.from_yaml(yaml.safe_dump(plain))
found.validate()
print(*sorted(found.to_spec().services))
"""


def steps(stage: int) -> list[tuple[str, str]]:
    """Return each step of a stage of the recipe, as its word and the rest."""
    text = re.sub(r"\\\n\s*(#.*\n\s*)?", " ", RECIPE.read_text())
    body = re.split(r"^(?=FROM )", text, flags=re.MULTILINE)[1:][stage]
    lines = [line for line in body.splitlines() if line and not line.startswith("#")]
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


def services() -> dict[str, Any]:
    found = yaml.safe_load(COMPOSE.read_text())["services"]
    assert isinstance(found, dict)
    return found


def test_what_runs_is_named_by_its_number_and_asked_whether_it_lives() -> None:
    last = dict(steps(-1))
    assert last["USER"] == "10001:10001"
    assert last["STOPSIGNAL"] == "SIGTERM"
    assert "/healthz" in last["HEALTHCHECK"]
    assert "/readyz" not in last["HEALTHCHECK"], "Slack's absence is no reason to start anew"
    assert "DB_AGENT_METRICS_PORT=9090" in last["ENV"]
    assert "org.opencontainers.image.licenses" in last["LABEL"]


def test_last_stage_takes_only_what_was_installed() -> None:
    copies = [rest for word, rest in steps(-1) if word == "COPY"]
    assert copies == ["--from=build /opt/db-agent /opt/db-agent"]
    runs = " ".join(rest for word, rest in steps(-1) if word == "RUN")
    assert "apt-get" not in runs
    assert "pip" not in runs


def test_no_secret_is_a_part_of_the_image() -> None:
    for stage in (0, -1):
        named = [rest for word, rest in steps(stage) if word in ("ARG", "ENV")]
        assert not [each for each in named if re.search("TOKEN|PASSWORD|API_KEY|SECRET", each)]


def test_hadolint_finds_nothing() -> None:
    if not (hadolint := shutil.which("hadolint")):
        pytest.skip("hadolint is not installed, and not brought: its licence is the GPL")
    run = subprocess.run([hadolint, RECIPE], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (0, "")


@pytest.mark.slow
def test_compose_file_follows_the_specification() -> None:
    run = subprocess.run(
        [tool("python"), "-c", READ], input=COMPOSE.read_text(), capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == ["agent", "migrate", "postgres", "worker"]


def test_those_of_the_bot_differ_in_what_they_do_alone() -> None:
    found = services()
    assert found["migrate"]["command"] == ["migrate"]
    assert found["agent"]["command"] == ["serve", "--no-workers"]
    assert found["worker"]["command"] == ["worker"]
    assert found["worker"]["deploy"]["replicas"] == 2
    for name in ("migrate", "agent", "worker"):
        each = found[name]
        assert each["image"] == "db-agent"
        assert each["read_only"] is True
        assert each["cap_drop"] == ["ALL"]
        assert each["security_opt"] == ["no-new-privileges:true"]
        assert "ports" not in each
        assert [place.partition(":")[0] for place in each["tmpfs"]] == ["/tmp", "/var/lib/db-agent"]


def test_nobody_starts_before_the_record_is_up_to_date() -> None:
    found = services()
    done = {"migrate": {"condition": "service_completed_successfully"}}
    assert found["agent"]["depends_on"] == found["worker"]["depends_on"] == done
    assert found["migrate"]["restart"] == "no"
    assert found["agent"]["environment"]["DB_AGENT_MIGRATE"] == "off"
