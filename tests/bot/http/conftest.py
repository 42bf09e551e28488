"""The real bot with a port of its own, and whoever calls it: Slack, signed, or anybody."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from slack_sdk.signature import SignatureVerifier

from bot.app import SlackBot
from bot.http import slack_requests
from bot.http.port import Port
from bot.http.service import HttpService
from bot.local_workspace import LocalWorkspace
from bot.manifest import EXAMPLE_ADDRESS, load_manifest, over_http
from bot.settings import BotSettings, read_settings

Json = dict[str, Any]
ANY_FREE = Port("127.0.0.1", 0)


@dataclass(frozen=True)
class Reply:
    """What came back over HTTP."""

    status: int
    headers: dict[str, str]
    body: str

    @property
    def json(self) -> Json:
        return dict(json.loads(self.body))


def call(
    url: str,
    method: str = "GET",
    path: str = "/readyz",
    body: bytes | None = None,
    headers: Json | None = None,
) -> Reply:
    """Make one request, on a connection of its own."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=10)
    try:
        connection.request(method, path, body, headers or {})
        reply = connection.getresponse()
        names = {name.lower(): value for name, value in reply.getheaders()}
        return Reply(reply.status, names, reply.read().decode())
    finally:
        connection.close()


@dataclass(frozen=True)
class Slack:
    """Signs and sends as Slack does."""

    url: str
    secret: str

    def post(self, body: bytes, content_type: str = "application/json", **headers: str) -> Reply:
        """Send `body`; `headers` are put over what Slack would send, "" leaves one out."""
        stamp = headers.get("x_slack_request_timestamp") or str(int(time.time()))
        text = body.decode(errors="replace")
        signature = SignatureVerifier(self.secret).generate_signature(timestamp=stamp, body=text)
        sent = {
            "content-type": content_type,
            "x-slack-request-timestamp": stamp,
            "x-slack-signature": str(signature),
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        kept = {name: value for name, value in sent.items() if value != ""}
        return call(self.url, "POST", slack_requests.PATH, body, kept)

    def event(self, payload: Json, **headers: str) -> Reply:
        """Send an event."""
        return self.post(json.dumps(payload).encode(), **headers)

    def form(self, **fields: str) -> Reply:
        """Send a command, or what people do as its `payload`."""
        return self.post(urlencode(fields).encode(), slack_requests.FORM)


@pytest.fixture
def workspace(start_workspace: Callable[..., LocalWorkspace]) -> LocalWorkspace:
    """One whose app has Socket Mode off."""
    return start_workspace(manifest=over_http(load_manifest(), EXAMPLE_ADDRESS))


@pytest.fixture
def over_port(workspace: LocalWorkspace) -> BotSettings:
    """The settings of a bot that Slack calls; there is no app token."""
    return read_settings(
        http=True,
        slack_bot_token=workspace.bot_token,
        slack_app_token="",
        slack_signing_secret=workspace.signing_secret,
        slack_url=workspace.api_url,
        escalation_channel=workspace.channels["helpdesk"],
    )


@pytest.fixture
def open_port() -> Iterator[Callable[[BotSettings], HttpService]]:
    """Opens ports."""
    opened: list[HttpService] = []

    def begin(settings: BotSettings) -> HttpService:
        opened.append(HttpService(settings, ANY_FREE))
        opened[-1].start()
        return opened[-1]

    yield begin
    for service in opened:
        service.stop()


@pytest.fixture
def service(open_port: Callable[..., HttpService], over_port: BotSettings) -> HttpService:
    """The port, while the bot is starting."""
    return open_port(over_port)


@pytest.fixture
def bot(
    service: HttpService,
    over_port: BotSettings,
    workspace: LocalWorkspace,
    store: Any,
    agent: Any,
) -> Iterator[SlackBot]:
    """A bot that Slack calls at the port of `service`."""
    bot = SlackBot(over_port, agent=agent, store=store)
    bot.start()
    service.serve(bot)
    workspace.set_request_url(service.url + slack_requests.PATH)
    yield bot
    if agent.gate is not None:
        agent.gate.set()
    bot.stop(grace_s=2.0)


@pytest.fixture
def slack(service: HttpService, workspace: LocalWorkspace) -> Slack:
    return Slack(service.url, workspace.signing_secret)


@pytest.fixture
def signed_with(service: HttpService) -> Callable[[str], Slack]:
    """Somebody who signs with a secret of their choice."""
    return lambda secret: Slack(service.url, secret)


@pytest.fixture
def anybody(service: HttpService) -> Callable[..., Reply]:
    """Somebody who signs nothing: call(method, path, body)."""
    return lambda *given, **more: call(service.url, *given, **more)
