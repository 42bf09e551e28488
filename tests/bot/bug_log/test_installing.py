"""What others met with tokens that end. The row of the bug log is in the name."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs, urlencode, urlsplit

import psycopg
import pytest
from slack_sdk.oauth.installation_store import Installation

from bot.installations.directory import Directory
from bot.installations.opening import oauth_client
from bot.installations.rotation import Rotation, State
from bot.installations.seal import Seal, new_key
from bot.installations.sealed_stores import SealedInstallations, open_engine
from bot.manifest import load_manifest

BACK = "https://bot.example.com/slack/oauth_redirect"
AN_HOUR_S = 3600


@pytest.fixture
def workspace(start_workspace):
    manifest = load_manifest()
    manifest["oauth_config"]["redirect_urls"] = [BACK]
    manifest["settings"]["token_rotation_enabled"] = True
    return start_workspace(manifest=manifest, installed=False)


@pytest.fixture
def process(workspace, store, store_url):
    """What a process has of its own: connections to the store, a client, what it knows."""
    with psycopg.connect(store_url) as connection:
        connection.execute("truncate db_agent.slack_bots, db_agent.slack_installations")
    key = new_key()

    def make():
        engine = open_engine(store_url)
        sealed = SealedInstallations(workspace.client_id, engine, Seal(key))
        directory = Directory(engine, sealed)
        app = {"client_id": workspace.client_id, "client_secret": workspace.client_secret}
        rotation = Rotation(directory, oauth_client(workspace.api_url), **app)
        return rotation, directory, sealed

    return make


@pytest.fixture
def team(workspace, process):
    """A workspace with the app in it, whose token ends in an hour."""
    asked = {"client_id": workspace.client_id, "scope": "chat:write", "redirect_uri": BACK}
    address = workspace.consent(f"{workspace.authorize_url}?{urlencode(asked)}")
    answer = oauth_client(workspace.api_url).oauth_v2_access(
        client_id=workspace.client_id,
        client_secret=workspace.client_secret,
        code=parse_qs(urlsplit(address).query)["code"][0],
        redirect_uri=BACK,
    )
    _, _, sealed = process()
    sealed.save(
        Installation(
            app_id=answer["app_id"],
            team_id=answer["team"]["id"],
            bot_token=answer["access_token"],
            bot_id="B1",
            bot_user_id=answer["bot_user_id"],
            bot_refresh_token=answer["refresh_token"],
            bot_token_expires_at=int(time.time()) + AN_HOUR_S,
            user_id=answer["authed_user"]["id"],
        )
    )
    return answer["team"]["id"]


def test_35_workers_that_meet_at_the_end_of_a_token_spend_its_refresh_token_once(
    process, team, caplog
):
    (one, directory, _), (other, _, _) = process(), process()
    before = directory.bot_of(team)
    together = threading.Barrier(8)

    def renew(rotation):
        together.wait()
        return rotation.newest(team)

    with ThreadPoolExecutor(8) as threads:
        outcomes = list(threads.map(renew, [one, other] * 4))
    assert {each.state for each in outcomes} == {State.GOOD}
    (token,) = {each.installed.token for each in outcomes}
    after = directory.bot_of(team)
    assert after.bot_token == token != before.bot_token
    assert "cannot be renewed" not in caplog.text
    assert one.newest(team, refused=token).installed.token != token  # what is kept is good
