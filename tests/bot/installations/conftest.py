"""A bot that several workspaces install: two of them behind one local Slack, and a browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import unescape
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import psycopg
import pytest
from slack_bolt import BoltRequest, BoltResponse

from bot.app import SlackBot
from bot.installations.seal import new_key
from bot.local_workspace import LocalWorkspace
from bot.manifest import load_manifest
from bot.settings import read_settings

BASE = "https://bot.example.com"
REDIRECT = f"{BASE}/slack/oauth_redirect"


@pytest.fixture
def rotates() -> bool:
    return False


@pytest.fixture
def manifest(rotates: bool) -> dict[str, Any]:
    manifest = load_manifest()
    manifest["oauth_config"]["redirect_urls"] = [REDIRECT]
    manifest["settings"]["token_rotation_enabled"] = rotates
    return manifest


@pytest.fixture
def workspace(start_workspace: Callable[..., LocalWorkspace], manifest: Any) -> LocalWorkspace:
    """The first of two workspaces, with an app that nobody has installed yet."""
    return start_workspace(manifest=manifest, installed=False)


@pytest.fixture
def ours(workspace: LocalWorkspace) -> Any:
    return workspace.team


@pytest.fixture
def partner(workspace: LocalWorkspace) -> Any:
    return workspace.add_team()


@pytest.fixture
def store(store: Any, store_url: str) -> Any:
    """An empty store that knows of no installation either."""
    with psycopg.connect(store_url) as connection:
        connection.execute(
            "truncate db_agent.slack_bots, db_agent.slack_installations,"
            " db_agent.slack_oauth_states"
        )
    return store


@pytest.fixture
def key() -> str:
    return new_key()


@pytest.fixture
def make_bot(
    workspace: LocalWorkspace, store: Any, agent: Any, key: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., SlackBot]]:
    """Makes bots that serve whoever installs the app; each is like a process of its own."""
    made: list[SlackBot] = []
    monkeypatch.setenv("SLACK_CLIENT_ID", workspace.client_id)  # Bolt looks there, too
    monkeypatch.setenv("SLACK_CLIENT_SECRET", workspace.client_secret)

    def make(*, start: bool = True, store: Any = store, agent: Any = agent, **given: Any) -> Any:
        settings = read_settings(
            **{
                "slack_client_id": workspace.client_id,
                "slack_client_secret": workspace.client_secret,
                "slack_app_token": workspace.app_token,
                "slack_url": workspace.api_url,
                "token_key": key,
                "public_url": BASE,
                "teams": "any",
                **given,
            }
        )
        made.append(SlackBot(settings, agent=agent, store=store))
        if start:
            made[-1].start()
        return made[-1]

    yield make
    if agent.gate is not None:
        agent.gate.set()
    for bot in made:
        bot.stop(grace_s=2.0)


@dataclass
class Browser:
    """Somebody who visits the bot's pages, with their cookies."""

    bot: SlackBot
    workspace: LocalWorkspace
    cookies: dict[str, str] = field(default_factory=dict)

    def get(self, path: str, query: str = "") -> BoltResponse:
        """Visit a page of the bot's."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        request = BoltRequest(body="", query=query, headers={"cookie": cookie})
        answer = self.bot.pages[path](request)
        for each in answer.headers.get("set-cookie", []):
            name, _, value = each.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer

    def to_slack(self) -> str:
        """Begin, and return the address at Slack that the page leads to."""
        page = self.get("/slack/install")
        assert page.status == 200
        return unescape(re.findall(r'href="([^"]+)"', page.body)[0])

    def back(self, address: str) -> BoltResponse:
        """Follow Slack back to the bot."""
        parts = urlsplit(address)
        assert f"{parts.scheme}://{parts.netloc}" == BASE
        return self.get(parts.path, parts.query)

    def install(self, team: Any, **given: Any) -> BoltResponse:
        """Add the app to a workspace, all the way; the last page."""
        return self.back(self.workspace.consent(self.to_slack(), team=team, **given))

    @staticmethod
    def said(address: str) -> dict[str, str]:
        """What the browser brings back."""
        return dict(parse_qsl(urlsplit(address).query))


@pytest.fixture
def browse(workspace: LocalWorkspace) -> Callable[[SlackBot], Browser]:
    return lambda bot: Browser(bot, workspace)


@pytest.fixture
def somebody(workspace: LocalWorkspace, you: Any) -> Callable[..., Any]:
    """A member of a workspace that has the app, in front of Slack; its owner, or who is named."""
    person = type(you)

    def make(team: Any, name: str = "") -> Any:
        seen = SimpleNamespace(
            user_tokens=team.user_tokens,
            api_url=workspace.api_url,
            bot_user_id="",
            channels=team.channels,
        )
        made = person(seen, name or next(iter(team.user_tokens)))
        (app,) = made.client.api_call("workspace.boot")["apps"]
        seen.bot_user_id = app["bot_user"]
        made.mention = f"<@{seen.bot_user_id}>"
        return made

    return make


@pytest.fixture
def in_both(
    make_bot: Any, browse: Any, ours: Any, partner: Any, somebody: Any
) -> Callable[..., tuple[SlackBot, Any, Any]]:
    """A bot that both workspaces have installed and let into #general, and the owner of each."""

    def make(**given: Any) -> tuple[SlackBot, Any, Any]:
        bot = make_bot(**given)
        owners = []
        for team in (ours, partner):
            assert browse(bot).install(team).status == 200
            owners.append(somebody(team))
            owners[-1].client.conversations_invite(
                channel=team.channels["general"], users=owners[-1].workspace.bot_user_id
            )
        return bot, *owners

    return make
