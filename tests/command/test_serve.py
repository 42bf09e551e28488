"""`db-agent serve` names what is missing or wrong, and serves a workspace across restarts."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
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


def answers(person: WebClient, channel: str, thread: str) -> list[str]:
    replies = person.conversations_replies(channel=channel, ts=thread)["messages"][1:]
    return [reply["text"] for reply in replies if reply.get("bot_id")]


def test_a_follow_up_is_understood_after_a_restart(
    workspace: LocalWorkspace,
    settings: dict[str, str],
    serve: Callable[..., Any],
    wait_for: Callable[..., Any],
    listening: Callable[[int], set[int]],
) -> None:
    person = WebClient(token=workspace.user_tokens["you"], base_url=workspace.api_url)
    channel = workspace.channels["general"]
    served = serve(settings)
    assert "DB_AGENT_STORE_URL is not set" in served.said
    assert listening(served.process.pid) == set()  # it needs no port: the bot calls Slack
    asked = person.chat_postMessage(
        channel=channel, text=f"<@{workspace.bot_user_id}> how many rentals were there in 2024?"
    )
    thread = asked["ts"]
    first = wait_for(
        lambda: [text for text in answers(person, channel, thread) if "rentals" in text]
    )
    assert served.stop() == 0
    assert "runs so far: answered=1" in served.said

    served = serve(settings)
    person.chat_postMessage(channel=channel, thread_ts=thread, text="and in 2025?")
    both = wait_for(
        lambda: [t for t in answers(person, channel, thread) if "2025" in t and "rentals" in t]
    )
    assert both != first
    assert served.stop() == 0


def test_all_that_is_missing_is_named_at_once_a_line_for_each(db_agent: DbAgent) -> None:
    done = db_agent("serve", DB_AGENT_WORKERS="many")
    assert done.returncode == 2, done.stderr
    first, *lines, last = done.stderr.splitlines()
    assert first == "db-agent: 4 settings are missing or wrong:"
    named = ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "DB_AGENT_WORKERS", "DATABASE_URL"]
    assert sorted(line.split()[0] for line in lines) == sorted(named)
    assert last == ".venv/bin/db-agent doctor checks them."
