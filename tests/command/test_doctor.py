"""`db-agent doctor` as a person runs it: from nothing to a set-up where all is well."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot import cli
from bot.doctor import AREAS
from bot.local_workspace import LocalWorkspace
from bot.manifest import load_manifest

DbAgent = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def good(demo_database_url: str) -> Iterator[dict[str, str]]:
    """The settings of a set-up in good order."""
    with (
        LocalWorkspace.start(load_manifest()) as workspace,
        tempfile.TemporaryDirectory(prefix="db-agent-test-") as folder,
    ):
        Path(folder).chmod(0o755)
        yield {
            "SLACK_BOT_TOKEN": workspace.bot_token,
            "SLACK_APP_TOKEN": workspace.app_token,
            "DB_AGENT_SLACK_URL": workspace.api_url,
            "DATABASE_URL": demo_database_url,
            "DB_AGENT_DATA_DIR": folder,
        }


def test_a_set_up_in_good_order_exits_with_0(fresh_db_agent: DbAgent, good: dict[str, str]) -> None:
    done = fresh_db_agent("doctor", **good)
    assert done.returncode == 0, done.stdout
    lines = done.stdout.splitlines()
    groups = [line for line in lines if line and not line.startswith(" ")]
    assert groups[:-1] == ["settings", "database", "slack", "model", "store", "machine"]
    assert groups[-1].startswith("Nothing is wrong, ")
    assert "  wrong " not in done.stdout
    assert "the clock agrees with Slack" in done.stdout
    assert done.stderr == ""


def test_each_thing_that_is_wrong_is_said_with_what_to_do_and_no_secret(
    db_agent: DbAgent, good: dict[str, str]
) -> None:
    bad = {
        "SLACK_BOT_TOKEN": "xoxb-secret-one",
        "SLACK_APP_TOKEN": "xapp-secret-two",
        "DATABASE_URL": "postgresql://agent_ro:secret-three@127.0.0.1:1/sales",
        "DB_AGENT_STORE_URL": "postgresql://bot:secret-four@127.0.0.1:1/store",
        "ANTHROPIC_API_KEY": "sk-ant-secret-five",
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:1",
        "DB_AGENT_MAX_ROWS": "many",
    }
    done = db_agent("doctor", "--only", "database,slack,model,store", "--json", **(good | bad))
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert report["well"] is False
    wrong = {
        group["name"]: [each for each in group["findings"] if each["level"] == "wrong"]
        for group in report["groups"]
    }
    counts = {name: len(found) for name, found in wrong.items()}
    assert counts == {"settings": 1, "database": 1, "slack": 2, "model": 1, "store": 1}
    assert report["wrong"] == sum(counts.values())
    assert all(each["todo"] for found in wrong.values() for each in found)
    assert "secret" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_with_nothing_set_it_says_what_comes_first(db_agent: DbAgent) -> None:
    done = db_agent("doctor", "--only", "database,slack")
    assert done.returncode == 1
    for name in ("DATABASE_URL", "SLACK_BOT_TOKEN", "SLACK_APP_TOKEN"):
        assert f"wrong       {name} is not set. " in done.stdout
    assert "3 things are wrong" in done.stdout
    assert done.stdout.splitlines()[-1].startswith(
        "Nothing is set up yet. .venv/bin/db-agent demo shows"
    )


def test_an_env_file_that_cannot_be_read_is_said(db_agent: DbAgent, tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"DB_AGENT_CONTACT=\xff\xfe\n")
    done = db_agent("doctor", "--only", "model")
    assert done.returncode == 1
    assert "the file .env cannot be read (it is no text in UTF-8)" in done.stdout
    assert "Traceback" not in done.stderr


def test_an_unknown_area_is_a_mistake_of_use(db_agent: DbAgent) -> None:
    done = db_agent("doctor", "--only", "database,weather")
    assert done.returncode == 2
    assert "there is no area 'weather'" in done.stderr


def test_the_command_offers_the_areas_that_there_are() -> None:
    assert tuple(AREAS) == cli.AREAS
