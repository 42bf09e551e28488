"""`db-agent serve --http PORT`: a port where one is asked for, and Slack's requests at it."""

from __future__ import annotations

import json
import re
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from slack_sdk import WebClient

from agent.errors import SettingsInvalid
from bot.cli import main
from bot.commands.serve import serve as serve_here
from bot.http.port import Port
from bot.local_workspace import LocalWorkspace
from bot.manifest import EXAMPLE_ADDRESS, load_manifest, over_http


@pytest.fixture(scope="module")
def workspace() -> Iterator[LocalWorkspace]:
    with LocalWorkspace.start(over_http(load_manifest(), EXAMPLE_ADDRESS)) as workspace:
        yield workspace


@pytest.fixture
def called(settings: dict[str, str], workspace: LocalWorkspace) -> dict[str, str]:
    """The settings of a bot that Slack calls."""
    return settings | {
        "SLACK_APP_TOKEN": "",
        "SLACK_SIGNING_SECRET": workspace.signing_secret,
    }


def health(url: str) -> tuple[int, str]:
    """The status, and the reason if it is red; 0 where nobody answers."""
    try:
        with urllib.request.urlopen(f"{url}/readyz", timeout=5) as reply:
            return reply.status, ""
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())["reason"]
    except OSError:
        return 0, ""


def test_slack_calls_the_port_and_sigterm_lets_the_last_answer_come(
    serve: Callable[..., Any],
    wait_for: Callable[..., Any],
    listening: Callable[[int], set[int]],
    workspace: LocalWorkspace,
    called: dict[str, str],
) -> None:
    served = serve(called, "--http", "0")
    (url, port) = re.search(
        r"HTTP at (http://127\.0\.0\.1:(\d+)): /healthz, /readyz, /metrics, /slack/events",
        served.said,
    ).groups()
    assert listening(served.process.pid) == {int(port)}
    wait_for(lambda: health(url) == (200, ""))
    workspace.set_request_url(f"{url}/slack/events")
    person = WebClient(token=workspace.user_tokens["you"], base_url=workspace.api_url)
    channel = workspace.channels["general"]
    asked = person.chat_postMessage(
        channel=channel, text=f"<@{workspace.bot_user_id}> how many rentals were there in 2024?"
    )
    wait_for(lambda: all(each["acked"] for each in deliveries(person)))
    replies = partial(person.conversations_replies, channel=channel, ts=asked["ts"])
    wait_for(lambda: replies()["messages"][1:])
    seen: list[tuple[int, str]] = []
    looking = threading.Thread(target=lambda: look_until_closed(url, seen))
    looking.start()
    assert served.stop() == 0  # at once: the question is being worked on
    looking.join()
    assert "rentals" in str([each["text"] for each in replies()["messages"][1:]])
    assert seen[-1] == (0, "")
    assert {each for each in seen if each[0] == 503} <= {(503, "it is stopping")}
    assert workspace.signing_secret not in served.said


def deliveries(person: WebClient) -> list[dict[str, Any]]:
    return list(person.api_call("workspace.deliveries")["deliveries"])


def look_until_closed(url: str, seen: list[tuple[int, str]]) -> None:
    while not seen or seen[-1][0]:
        seen.append(health(url))


def test_port_that_is_in_use_is_named_before_anything_else_is_tried(
    called: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (called | {"DB_AGENT_SLACK_URL": "http://127.0.0.1:1/api/"}).items():
        monkeypatch.setenv(name, value)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        with pytest.raises(SettingsInvalid, match=f"Port {number} is in use by another program"):
            serve_here(model=None, port=Port("127.0.0.1", number))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--host", "0.0.0.0"), "--host says where --http listens"),
        (("--http", "70000"), "'70000' is no port"),
    ],
)
def test_words_that_do_not_go_together_are_told(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["serve", *words])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
