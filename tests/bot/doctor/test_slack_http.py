"""What the doctor says of the port that Slack calls, and of the secret that Slack signs with."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator

import pytest

from bot.doctor import Finding, Level, slack_http
from bot.doctor.set_up import SetUp, read_set_up
from bot.doctor.slack_area import slack_findings
from bot.doctor.slack_http import http_findings
from bot.http.port import Port
from bot.http.service import HttpService
from bot.local_workspace import LocalWorkspace
from bot.manifest import EXAMPLE_ADDRESS, load_manifest, over_http

SECRET = "0123456789abcdef" * 2
LOCAL = Port("127.0.0.1", 0)
Said = Callable[..., str]


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch, set_up: Callable[..., SetUp]) -> Callable[..., SetUp]:
    """The settings for a port, from these variables."""

    def read(port: Port | None = LOCAL, **environment: str) -> SetUp:
        set_up(**{"SLACK_BOT_TOKEN": "xoxb-1", **environment})
        return read_set_up(port=port)

    return read


@pytest.fixture
def taken() -> Iterator[Port]:
    """A port of another program, which answers nothing."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield Port("127.0.0.1", other.getsockname()[1])


def http(set_up: SetUp, said: Said, level: Level) -> str:
    return said(http_findings(set_up), level)


def test_app_that_slack_calls_needs_no_app_token(given: Callable[..., SetUp], said: Said) -> None:
    manifest = over_http(load_manifest(), EXAMPLE_ADDRESS)
    manifest["oauth_config"]["scopes"]["bot"].remove("files:write")
    with LocalWorkspace.start(manifest) as workspace:
        found = list(
            slack_findings(
                given(
                    SLACK_BOT_TOKEN=workspace.bot_token,
                    SLACK_SIGNING_SECRET=workspace.signing_secret,
                    DB_AGENT_SLACK_URL=workspace.api_url,
                )
            )
        )
    good, wrong = said(found, Level.OK), said(found, Level.WRONG)
    assert "SLACK_APP_TOKEN is not needed: Slack calls the port" in good
    assert "SLACK_SIGNING_SECRET looks like one" in good
    assert "paste deploy/slack-manifest-http.json" in wrong  # the other one would end it all
    assert "SLACK_APP_TOKEN" not in wrong
    assert workspace.signing_secret not in str(found)


def test_secret_of_another_form_is_pointed_out(given: Callable[..., SetUp], said: Said) -> None:
    noted = http(given(SLACK_SIGNING_SECRET=SECRET.upper()), said, Level.NOTE)
    assert "does not look like one: they have 32 signs of 0-9 and a-f | compare them" in noted


def test_port_without_a_secret_is_for_health_alone(given: Callable[..., SetUp], said: Said) -> None:
    noted = http(given(SLACK_APP_TOKEN="xapp-1"), said, Level.NOTE)
    assert "events come over Socket Mode and the port answers /readyz alone" in noted


def test_secret_without_a_port_is_read_by_nobody(given: Callable[..., SetUp], said: Said) -> None:
    set_up = given(None, SLACK_SIGNING_SECRET=SECRET, SLACK_APP_TOKEN="xapp-1")
    assert "is read only where a port is served" in http(set_up, said, Level.NOTE)
    assert list(http_findings(given(None, SLACK_SIGNING_SECRET=""))) == []


def test_port_in_use_is_wrong(
    given: Callable[..., SetUp], said: Said, taken: Port, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slack_http, "ANSWER_WITHIN_S", 0.2)
    found: list[Finding] = list(slack_findings(given(taken, SLACK_SIGNING_SECRET=SECRET)))
    wrong = said(found, Level.WRONG)
    assert f"port {taken.number} is in use by another program" in wrong.lower()
    assert "choose another for --http" in wrong


def test_port_that_the_running_bot_serves_is_fine(given: Callable[..., SetUp], said: Said) -> None:
    service = HttpService(given(SLACK_SIGNING_SECRET=SECRET).bot, LOCAL)
    service.start()
    try:
        port = Port("127.0.0.1", int(service.url.rpartition(":")[2]))
        good = http(given(port, SLACK_SIGNING_SECRET=SECRET), said, Level.OK)
    finally:
        service.stop()
    assert f"port {port.number} is served by a db-agent, which says: it is starting" in good
