"""An app whose makers have it installed, in one workspace or in two."""

from __future__ import annotations

import urllib.parse
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient
from slack_sdk.oauth import AuthorizeUrlGenerator
from slack_sdk.web import SlackResponse

from bot.local_workspace import LocalTeam, LocalWorkspace

Json = dict[str, Any]
BACK = "https://bot.example.com/slack/oauth_redirect"
STATE = "s t&te"


@pytest.fixture
def manifest(manifest: Json) -> Json:
    """The app may be installed by consent, and hears of the end of it."""
    manifest["oauth_config"]["redirect_urls"] = [BACK]
    manifest["settings"]["event_subscriptions"]["bot_events"] += [
        "tokens_revoked",
        "app_uninstalled",
    ]
    return manifest


@pytest.fixture
def hurry(hurry: Json) -> Json:
    """On a busy machine too, nothing comes twice because a test was slow to take it."""
    return {**hurry, "ack_within": 10.0}


@pytest.fixture
def workspace(start: Callable[..., LocalWorkspace], manifest: Json) -> LocalWorkspace:
    return start(manifest, installed=False)


class Maker:
    """The app's side of an installation, and the person's in front of the page."""

    back = BACK
    state = STATE

    def __init__(self, workspace: LocalWorkspace, scopes: list[str]) -> None:
        self.workspace = workspace
        self.scopes = scopes

    def question(self, scopes: list[str] | None = None, **changes: str | None) -> str:
        """The address of the page of consent, as Slack's SDK makes it."""
        made = AuthorizeUrlGenerator(
            client_id=self.workspace.client_id,
            redirect_uri=BACK,
            scopes=scopes or self.scopes,
            authorization_url=self.workspace.authorize_url,
        ).generate("a state")
        parts = urllib.parse.urlsplit(made)
        asked = dict(urllib.parse.parse_qsl(parts.query)) | {"state": STATE} | changes
        given = {name: value for name, value in asked.items() if value is not None}
        return parts._replace(query=urllib.parse.urlencode(given)).geturl()

    def returned(self, address: str) -> dict[str, str]:
        """What the browser brings back to the app."""
        parts = urllib.parse.urlsplit(address)
        assert f"{parts.scheme}://{parts.netloc}{parts.path}" == BACK
        return dict(urllib.parse.parse_qsl(parts.query))

    def code(
        self, scopes: list[str] | None = None, redirect_uri: str | None = BACK, **given: Any
    ) -> str:
        """The code after somebody has pressed Allow."""
        address = self.question(scopes, redirect_uri=redirect_uri)
        return self.returned(self.workspace.consent(address, **given))["code"]

    def exchange(self, **given: Any) -> SlackResponse:
        """oauth.v2.access, with what is given in place of what is right."""
        right = {
            "client_id": self.workspace.client_id,
            "client_secret": self.workspace.client_secret,
            "redirect_uri": BACK if "code" in given else None,
        }
        return WebClient(base_url=self.workspace.api_url).oauth_v2_access(**{**right, **given})

    def refresh(self, token: str) -> SlackResponse:
        """oauth.v2.access with a refresh token."""
        return self.exchange(grant_type="refresh_token", refresh_token=token)

    def installed(self, **given: Any) -> SlackResponse:
        """What the app has after an installation."""
        return self.exchange(code=self.code(**given))

    def caller(self, token: str) -> WebClient:
        """A client with a token."""
        return WebClient(token=token, base_url=self.workspace.api_url)


@pytest.fixture
def maker(workspace: LocalWorkspace, manifest: Json) -> Maker:
    return Maker(workspace, manifest["oauth_config"]["scopes"]["bot"])


@pytest.fixture
def partner(workspace: LocalWorkspace) -> LocalTeam:
    return workspace.add_team()


@pytest.fixture
def pat(maker: Maker, partner: LocalTeam) -> WebClient:
    """The owner of the other workspace."""
    return maker.caller(partner.user_tokens["pat"])


@pytest.fixture
def lee(maker: Maker, partner: LocalTeam) -> WebClient:
    """A member of it."""
    return maker.caller(partner.user_tokens["lee"])


@pytest.fixture
def ours(maker: Maker) -> SlackResponse:
    """The app's answer to its installation in the first workspace."""
    return maker.installed()


@pytest.fixture
def theirs(maker: Maker, partner: LocalTeam) -> SlackResponse:
    """The same in the other."""
    return maker.installed(team=partner)


@pytest.fixture
def in_background() -> Iterator[Callable[..., Future[Any]]]:
    """Makes a call that waits for the app while the test plays the app."""
    with ThreadPoolExecutor(2) as pool:
        yield pool.submit


@pytest.fixture
def socket_mode(
    workspace: LocalWorkspace, you: WebClient, eventually: Callable[..., Any]
) -> Iterator[Callable[[App], None]]:
    """Connects a Bolt app."""
    handlers: list[SocketModeHandler] = []

    def connect(app: App) -> None:
        handlers.append(SocketModeHandler(app, workspace.app_token, ping_interval=0.2))
        handlers[-1].connect()
        eventually(lambda: you.api_call("workspace.deliveries")["connections"] == 1)

    yield connect
    # Dropping the socket first: the SDK would else wait for its 3 s receive timeout.
    for handler in handlers:
        handler.client.auto_reconnect_enabled = False
    you.api_call("workspace.faults", json={"drop_sockets": True})
    for handler in handlers:
        handler.close()
