"""An app is installed by consent: codes, tokens, their exchange and their end."""

from __future__ import annotations

import http.client
import re
import time
import urllib.parse
from html import unescape

import pytest
from slack_sdk import WebClient


def test_a_code_gives_a_token_of_the_workspace_it_was_allowed_for(workspace, maker):
    answer = maker.installed().data
    bot = maker.caller(answer.pop("access_token"))
    assert bot.token.startswith("xoxb-")
    assert bot.auth_test()["user_id"] == answer.pop("bot_user_id")
    assert set(answer.pop("scope").split(",")) == set(maker.scopes)
    assert answer == {
        "ok": True,
        "app_id": workspace.app_id,
        "token_type": "bot",
        "team": {"id": "T0LOCALDEV", "name": "Local workspace"},
        "enterprise": None,
        "is_enterprise_install": False,
        "authed_user": {"id": "U0LOCALYOU"},
    }


def test_an_installed_bot_is_in_no_channel_until_somebody_invites_it(workspace, refused, maker):
    answer = maker.installed()
    bot = maker.caller(answer["access_token"])
    channel = workspace.channels["general"]
    refused("not_in_channel", bot.chat_postMessage, channel=channel, text="hello")
    you = maker.caller(workspace.user_tokens["you"])
    you.conversations_invite(channel=channel, users=answer["bot_user_id"])
    bot.chat_postMessage(channel=channel, text="hello")


def test_a_token_has_the_scopes_that_were_allowed_and_gains_those_allowed_later(
    workspace, refused, maker
):
    first = maker.exchange(code=maker.code(["chat:write"]))
    bot = maker.caller(first["access_token"])
    body = refused("missing_scope", bot.users_info, user="U0LOCALYOU")
    assert body["provided"] == "chat:write"
    second = maker.exchange(code=maker.code(["users:read"]))
    assert second["scope"] == "chat:write,users:read"
    assert second["access_token"] == first["access_token"]
    assert bot.users_info(user="U0LOCALYOU")["user"]["name"] == "you"


def test_a_code_is_good_once(workspace, refused, maker):
    code = maker.code()
    maker.exchange(code=code)
    refused("invalid_code", maker.exchange, code=code)


def test_a_code_is_good_for_its_own_app_alone(maker, you, refused):
    other = you.api_call("workspace.addBot", json={"name": "pollbot"})
    theirs = {name: other[name] for name in ("client_id", "client_secret")}
    code = maker.code()
    refused("invalid_code", maker.exchange, code=code, **theirs)
    assert maker.exchange(code=code)["app_id"] == maker.workspace.app_id


def test_a_code_is_good_for_ten_minutes(workspace, refused, monkeypatch, maker):
    code = maker.code()
    later = time.monotonic() + 601
    monkeypatch.setattr("bot.local_workspace.methods.oauth.time.monotonic", lambda: later)
    refused("invalid_code", maker.exchange, code=code)


@pytest.mark.parametrize(
    ("error", "changes"),
    [
        ("invalid_client_id", {"client_id": "1.2"}),
        ("bad_client_secret", {"client_secret": "guessed"}),
        ("invalid_code", {"code": "1.2"}),
        (
            "bad_redirect_uri",
            {"redirect_uri": "https://bot.example.com/slack/oauth_redirect/other"},
        ),
        ("bad_redirect_uri", {"redirect_uri": None}),
        ("invalid_grant_type", {"grant_type": "password"}),
        ("invalid_refresh_token", {"grant_type": "refresh_token", "refresh_token": "xoxe-1-a"}),
    ],
)
def test_an_exchange_that_does_not_fit_is_refused(workspace, refused, error, changes, maker):
    code = maker.code()
    refused(error, maker.exchange, **{"code": code, **changes})
    # A mistake of the app does not use the code up.
    assert maker.exchange(code=code)["ok"]


def test_the_apps_secret_may_come_in_the_form_too(workspace, maker):
    code = maker.code(redirect_uri=None)
    form = {"client_id": workspace.client_id, "client_secret": workspace.client_secret}
    answer = WebClient(base_url=workspace.api_url).api_call(
        "oauth.v2.access", data={**form, "code": code}
    )
    assert answer["access_token"].startswith("xoxb-")


def test_json_is_not_read_there(workspace, refused, maker):
    client = WebClient(base_url=workspace.api_url)
    refused("invalid_arguments", client.api_call, "oauth.v2.access", json={"code": "1"})


def test_cancel_leads_back_with_a_refusal_and_the_state(workspace, maker):
    address = workspace.consent(maker.question(), allow=False)
    assert maker.returned(address) == {"error": "access_denied", "state": maker.state}


# -- the page


def ask(workspace, address, form=None, **headers):
    """One request of a browser: status, where it leads, and the page."""
    parts = urllib.parse.urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=5)
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    if form is None:
        connection.request("GET", path, headers=headers)
    else:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        connection.request("POST", path, urllib.parse.urlencode(form), headers)
    answer = connection.getresponse()
    said = answer.status, answer.headers["Location"], answer.read().decode()
    connection.close()
    return said


def fields(page):
    found = re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', page)
    return {name: unescape(value) for name, value in found}


@pytest.mark.parametrize("decision", ["allow", "cancel"])
def test_the_page_asks_and_its_buttons_decide(workspace, decision, maker):
    status, _, page = ask(workspace, maker.question())
    assert status == 200
    assert "<h1>Install db-agent to Local workspace?</h1>" in page
    assert "<code>chat:write</code>" in page
    status, leads, _ = ask(
        workspace, workspace.authorize_url, {**fields(page), "decision": decision}
    )
    assert status == 302
    said = maker.returned(leads)
    assert said["state"] == maker.state
    if decision == "allow":
        assert maker.exchange(code=said["code"])["team"]["id"] == "T0LOCALDEV"
    else:
        assert said["error"] == "access_denied"


@pytest.mark.parametrize(
    ("error", "changes"),
    [
        ("invalid_client_id", {"client_id": "<b>1"}),
        ("bad_redirect_uri", {"redirect_uri": "https://evil.example.com/slack/oauth_redirect"}),
        ("bad_redirect_uri", {"redirect_uri": "https://bot.example.com/slack/oauth_redirect2"}),
        (
            "bad_redirect_uri",
            {"redirect_uri": "https://bot.example.com/slack/oauth_redirect/../elsewhere"},
        ),
        ("invalid_scope", {"scope": "chat:write,admin.users:read"}),
        ("invalid_scope", {"scope": None}),
        ("invalid_scope", {"user_scope": "users:read"}),
        ("invalid_team_for_app", {"team": "T0NOBODY"}),
        ("user_not_found", {"as": "nobody"}),
    ],
)
def test_what_cannot_be_allowed_leads_nowhere(workspace, error, changes, maker):
    address = maker.question(**changes)
    for form in (None, {"decision": "allow"}):
        status, leads, page = ask(workspace, address, form)
        assert (status, leads) == (400, None)
        assert error in page
        assert "<b>1" not in page


def test_guests_install_nothing(workspace, maker):
    you = maker.caller(workspace.user_tokens["you"])
    you.api_call("workspace.addUser", json={"name": "gus", "is_restricted": True})
    address = maker.question(**{"as": "gus"})
    assert "restricted_action" in ask(workspace, address)[2]


def test_another_site_cannot_press_the_button(workspace, maker):
    form = {**fields(ask(workspace, maker.question())[2]), "decision": "allow"}
    for header in ({"Origin": "https://evil.example.com"}, {"Sec-Fetch-Site": "cross-site"}):
        assert ask(workspace, workspace.authorize_url, form, **header)[0] == 403
