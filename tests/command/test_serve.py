"""`db-agent serve` names what is missing or wrong, and serves a workspace across restarts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from slack_sdk import WebClient

from bot.local_workspace import LocalWorkspace
from bot.manifest import load_manifest

DbAgent = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def workspace() -> Iterator[LocalWorkspace]:
    with LocalWorkspace.start(load_manifest()) as workspace:
        yield workspace


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """A folder that the server's own account can reach where we are root; pytest's are closed."""
    with tempfile.TemporaryDirectory(prefix="db-agent-test-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.fixture
def settings(workspace: LocalWorkspace, demo_database_url: str, data_dir: Path) -> dict[str, str]:
    return {
        "SLACK_BOT_TOKEN": workspace.bot_token,
        "SLACK_APP_TOKEN": workspace.app_token,
        "DB_AGENT_SLACK_URL": workspace.api_url,
        "DATABASE_URL": demo_database_url,
        "DB_AGENT_DATA_DIR": str(data_dir / "data"),
        "DB_AGENT_MODEL": "offline",
    }


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"SLACK_BOT_TOKEN": ""}, "SLACK_BOT_TOKEN"),
        ({"SLACK_APP_TOKEN": ""}, "SLACK_APP_TOKEN"),
        (
            {"SLACK_BOT_TOKEN": "xapp-1-swapped"},
            "must be a token that starts with xoxb-",
        ),
        ({"SLACK_BOT_TOKEN": "xoxb-wrong"}, "SLACK_BOT_TOKEN does not work"),
        ({"SLACK_APP_TOKEN": "xapp-wrong"}, "SLACK_APP_TOKEN does not work"),
        ({"DATABASE_URL": ""}, "DATABASE_URL is not set"),
        ({"DATABASE_URL": "nonsense"}, "database URL"),
        ({"DB_AGENT_MODEL": "claude-sonnet-5"}, "ANTHROPIC_API_KEY"),
        ({"DB_AGENT_SLACK_URL": "nonsense"}, "DB_AGENT_SLACK_URL must be the address"),
        ({"DB_AGENT_ESCALATION_CHANNEL": "#help"}, "must be a channel's id, such as C0123ABCD"),
        ({"DB_AGENT_ESCALATION_CHANNEL": "C0NOBODYKNOWS"}, "there is no channel C0NOBODYKNOWS"),
        ({"DB_AGENT_OPERATORS_CHANNEL": "C0NOBODYKNOWS"}, "DB_AGENT_OPERATORS_CHANNEL: there is"),
    ],
)
def test_a_missing_or_wrong_setting_is_named_with_its_cure(
    db_agent: DbAgent, settings: dict[str, str], change: dict[str, str], words: str
) -> None:
    done = db_agent("serve", **(settings | change))
    assert done.returncode == 2, done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_store_out_of_reach_is_said(db_agent: DbAgent, settings: dict[str, str]) -> None:
    url = "postgresql://bot:secret-word@127.0.0.1:1/store"
    done = db_agent("serve", **(settings | {"DB_AGENT_STORE_URL": url}))
    assert done.returncode == 1, done.stderr
    assert "DB_AGENT_STORE_URL" in done.stderr
    assert "secret-word" not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://127.0.0.1:1/api/", "the connection is refused"),
        ("https://no-such-host.invalid/api/", "nobody knows its name here"),
    ],
)
def test_slack_out_of_reach_is_one_plain_line(
    db_agent: DbAgent, settings: dict[str, str], url: str, why: str
) -> None:
    done = db_agent("serve", **(settings | {"DB_AGENT_SLACK_URL": url}))
    assert done.returncode == 1, done.stderr
    assert done.stderr == (
        f"db-agent: Slack cannot be reached at {url}: {why}. Check the network, the proxy and "
        "DB_AGENT_SLACK_URL.\n"
    )
    detailed = db_agent("--verbose", "serve", **(settings | {"DB_AGENT_SLACK_URL": url}))
    assert "URLError" in detailed.stderr


class Served:
    """A bot that serves, as a process."""

    def __init__(self, settings: dict[str, str], folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bot.cli", "serve"],
            cwd=folder,
            env={**os.environ, **settings},
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        self.said = ""
        while "serves as" not in self.said:
            line = self.process.stderr.readline()
            assert line, self.said
            self.said += line

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        self.said += self.process.communicate(timeout=30)[1]
        return self.process.returncode


def wait_for(look: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if found := look():
            return found
        time.sleep(0.1)
    raise AssertionError("it did not happen in 20 s")


def answers(person: WebClient, channel: str, thread: str) -> list[str]:
    replies = person.conversations_replies(channel=channel, ts=thread)["messages"][1:]
    return [reply["text"] for reply in replies if reply.get("bot_id")]


def test_a_follow_up_is_understood_after_a_restart(
    workspace: LocalWorkspace, settings: dict[str, str], tmp_path: Path
) -> None:
    person = WebClient(token=workspace.user_tokens["you"], base_url=workspace.api_url)
    channel = workspace.channels["general"]
    served = Served(settings, tmp_path)
    assert "DB_AGENT_STORE_URL is not set" in served.said
    asked = person.chat_postMessage(
        channel=channel, text=f"<@{workspace.bot_user_id}> how many rentals were there in 2024?"
    )
    thread = asked["ts"]
    first = wait_for(
        lambda: [text for text in answers(person, channel, thread) if "rentals" in text]
    )
    assert served.stop() == 0
    assert "runs so far: answered=1" in served.said

    served = Served(settings, tmp_path)
    person.chat_postMessage(channel=channel, thread_ts=thread, text="and in 2025?")
    both = wait_for(
        lambda: [t for t in answers(person, channel, thread) if "2025" in t and "rentals" in t]
    )
    assert both != first
    assert served.stop() == 0
