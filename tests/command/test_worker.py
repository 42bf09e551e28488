"""`serve --no-workers` takes questions, `worker` answers them, on a record that they share."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from slack_sdk import WebClient

from bot.local_workspace import LocalWorkspace
from bot.manifest import load_manifest

ANSWERS = {"command": "worker", "says": "db-agent answers questions that others take"}
TAKES = {"says": "db-agent takes questions"}


@pytest.fixture(scope="module")
def workspace() -> Iterator[LocalWorkspace]:
    with LocalWorkspace.start(load_manifest()) as workspace:
        yield workspace


@pytest.mark.parametrize("words", [["worker"], ["serve", "--no-workers"]])
def test_a_record_that_nobody_shares_is_refused_with_its_cure(
    db_agent: Callable[..., subprocess.CompletedProcess[str]],
    settings: dict[str, str],
    words: list[str],
) -> None:
    done = db_agent(*words, **settings)
    assert done.returncode == 2, done.stderr
    assert f"DB_AGENT_STORE_URL is not set: db-agent {' '.join(words)} shares" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_worker_asks_for_no_app_level_token_where_slack_calls_the_others(
    db_agent: Callable[..., subprocess.CompletedProcess[str]],
    settings: dict[str, str],
    scratch_database: str,
) -> None:
    given = {"DB_AGENT_STORE_URL": scratch_database, "SLACK_APP_TOKEN": ""}
    done = db_agent("worker", **(settings | given | {"SLACK_BOT_TOKEN": "xoxb-wrong"}))
    assert done.returncode == 2, done.stderr
    assert "SLACK_BOT_TOKEN does not work" in done.stderr
    assert "SLACK_APP_TOKEN" not in done.stderr


@pytest.mark.slow
def test_a_rolling_update_of_three_workers_loses_nothing(
    serve: Callable[..., Any],
    wait_for: Callable[..., Any],
    settings: dict[str, str],
    workspace: LocalWorkspace,
    scratch_database: str,
) -> None:
    shared = settings | {"DB_AGENT_STORE_URL": scratch_database}
    intake = serve(shared, "--no-workers", **TAKES)
    shared["SLACK_APP_TOKEN"] = ""  # a worker opens no event connection
    person = WebClient(token=workspace.user_tokens["you"], base_url=workspace.api_url)
    channel = workspace.channels["general"]
    words = f"<@{workspace.bot_user_id}> how many rentals were there in 2024?"

    def ask(number: int) -> list[str]:
        posts = (person.chat_postMessage(channel=channel, text=words) for _ in range(number))
        return [str(post["ts"]) for post in posts]

    def replies(ts: str) -> list[str]:
        answer = person.conversations_replies(channel=channel, ts=ts)
        return [each["text"] for each in answer["messages"][1:]]

    asked = ask(3)
    wait_for(lambda: waiting(scratch_database) == 3)
    assert [replies(ts) for ts in asked] == [[], [], []]  # nobody is there to answer
    workers = [serve(shared, **ANSWERS) for _ in range(2)]
    for _ in range(2):
        asked += ask(3)
        assert workers.pop(0).stop() == 0
        workers.append(serve(shared, **ANSWERS))
        asked += ask(2)
    for ts in asked:
        wait_for(lambda ts=ts: replies(ts) and "rentals" in replies(ts)[-1])
    assert {len(replies(ts)) for ts in asked} == {1}
    wait_for(lambda: waiting(scratch_database) == 0)
    assert [each.stop() for each in (*workers, intake)] == [0, 0, 0]


def waiting(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute("select count(*) from db_agent.procrastinate_jobs").fetchone()
    assert row is not None
    return int(row[0])
