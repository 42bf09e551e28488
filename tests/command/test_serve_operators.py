"""`db-agent serve` as operators run it: a log of JSON lines, a port with measures and health."""

from __future__ import annotations

import json
import re
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from slack_sdk import WebClient

from bot.local_workspace import LocalWorkspace
from bot.manifest import load_manifest


@pytest.fixture(scope="module")
def workspace() -> Iterator[LocalWorkspace]:
    with LocalWorkspace.start(load_manifest()) as workspace:
        yield workspace


def test_every_line_is_json_and_the_port_tells_how_the_bot_is(
    serve: Callable[..., Any],
    wait_for: Callable[..., Any],
    workspace: LocalWorkspace,
    settings: dict[str, str],
) -> None:
    more = {"DB_AGENT_LOG_FORMAT": "json", "DB_AGENT_METRICS_PORT": "0"}
    served = serve(settings | more)
    (url,) = re.findall(r"For operators at (http://127\.0\.0\.1:\d+): ", served.said)

    def page(path: str) -> str:
        with urllib.request.urlopen(f"{url}{path}", timeout=5) as reply:
            return str(reply.read().decode())

    assert json.loads(page("/healthz")) == json.loads(page("/readyz")) == {"ok": True}
    person = WebClient(token=workspace.user_tokens["you"], base_url=workspace.api_url)
    text = f"<@{workspace.bot_user_id}> how many rentals were there in 2024?"
    person.chat_postMessage(channel=workspace.channels["general"], text=text)
    wait_for(lambda: 'db_agent_runs_ended_total{outcome="answered"} 1.0' in page("/metrics"))
    assert served.stop() == 0
    lines = [json.loads(line) for line in served.said.splitlines()]
    (end,) = [each for each in lines if "finished: outcome=answered" in each["event"]]
    assert end["outcome"] == "answered"
    assert end["role"] == "serve"
    assert end["run_id"]
    assert "rentals" not in served.said
    assert workspace.bot_token not in served.said
