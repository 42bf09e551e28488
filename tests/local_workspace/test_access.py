"""Tokens, scopes and bodies: checked before anything else, with Slack's names."""

import json
import urllib.error
import urllib.parse
import urllib.request

import pytest
from slack_sdk import WebClient

from bot.local_workspace import ManifestError


def call(workspace, method, *, token=None, body=None, form=None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    if body is not None:
        data, headers["Content-Type"] = json.dumps(body).encode(), "application/json"
    else:
        data = urllib.parse.urlencode(form or {}).encode()
    request = urllib.request.Request(workspace.api_url + method, data, headers)
    with urllib.request.urlopen(request, timeout=5) as answer:
        return json.loads(answer.read()), answer.headers


def test_an_unknown_method_is_named(workspace):
    assert call(workspace, "chat.shout")[0]["error"] == "unknown_method"


def test_missing_and_wrong_tokens(workspace):
    assert call(workspace, "auth.test")[0]["error"] == "not_authed"
    assert call(workspace, "auth.test", token="xoxb-wrong")[0]["error"] == "invalid_auth"


def test_a_token_may_come_in_the_form(workspace):
    body, headers = call(workspace, "auth.test", form={"token": workspace.bot_token})
    assert body["user_id"] == workspace.bot_user_id
    assert "chat:write" in headers["x-oauth-scopes"].split(",")


def test_auth_test_says_who_calls(bot, you, workspace):
    assert bot.auth_test()["bot_id"].startswith("B")
    assert you.auth_test()["user_id"] == "U0LOCALYOU"
    assert "bot_id" not in you.auth_test().data
    assert bot.auth_test()["url"] == workspace.url


def test_tokens_of_the_wrong_type(workspace, bot, you, refused):
    app = WebClient(token=workspace.app_token, base_url=workspace.api_url)
    wrong = "not_allowed_token_type"
    refused(wrong, app.chat_postMessage, channel="C1", text="x")
    refused(wrong, bot.apps_connections_open, app_token=workspace.bot_token)
    refused(wrong, bot.api_call, "workspace.deliveries")
    refused(wrong, you.chat_startStream, channel="C1", thread_ts="1.000001")


def test_a_method_without_its_scope_says_needed_and_provided(start, manifest, refused):
    manifest["oauth_config"]["scopes"]["bot"] = ["chat:write", "users:read"]
    manifest["settings"]["event_subscriptions"]["bot_events"] = []
    manifest["features"]["slash_commands"] = []
    workspace = start(manifest)
    bot = WebClient(token=workspace.bot_token, base_url=workspace.api_url)
    channel = workspace.channels["general"]
    body = refused("missing_scope", bot.reactions_add, channel=channel, name="x", timestamp="1")
    assert body["needed"] == "reactions:write"
    assert body["provided"] == "chat:write,users:read"
    body = refused("missing_scope", bot.conversations_replies, channel=channel, ts="1")
    assert body["needed"] == "channels:history"
    body = refused("missing_scope", bot.files_info, file="F1")
    assert body["needed"] == "files:read"


def test_a_deactivated_member_cannot_call(you, workspace, refused):
    gone = you.api_call("workspace.addUser", json={"name": "gone", "deleted": True})
    client = WebClient(token=gone["token"], base_url=workspace.api_url)
    refused("account_inactive", client.auth_test)


@pytest.mark.parametrize(
    ("method", "body"),
    [
        ("conversations.replies", {"channel": "C0LOCALGEN", "ts": "1.000001"}),
        ("conversations.info", {"channel": "C0LOCALGEN"}),
        ("users.info", {"user": "U0LOCALYOU"}),
        ("files.info", {"file": "F1"}),
        ("files.getUploadURLExternal", {"filename": "a.png", "length": 3}),
        ("assistant.threads.setTitle", {"channel_id": "C", "thread_ts": "1", "title": "x"}),
    ],
)
def test_json_is_refused_where_only_forms_are_read(workspace, method, body):
    answer, _ = call(workspace, method, token=workspace.bot_token, body=body)
    assert answer["error"] == "invalid_arguments"
    assert "form" in answer["response_metadata"]["messages"][0]


def test_a_form_may_carry_blocks_as_json_text(workspace, general):
    form = {"channel": general, "blocks": '[{"type": "divider"}]'}
    answer, _ = call(workspace, "chat.postMessage", token=workspace.bot_token, form=form)
    assert answer["message"]["blocks"][0]["type"] == "divider"
    form["blocks"] = '[{"type": "divider"'
    answer, _ = call(workspace, "chat.postMessage", token=workspace.bot_token, form=form)
    assert answer["error"] == "invalid_blocks_format"


def test_a_missing_argument_is_named(workspace):
    answer, _ = call(workspace, "chat.postMessage", token=workspace.bot_token, body={"text": "x"})
    assert answer["error"] == "invalid_arguments"
    messages = answer["response_metadata"]["messages"]
    assert messages == ["[ERROR] missing required field: channel"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda m: m["settings"].update(socket_mode_enabled=False), "url must be an https"),
        (
            lambda m: m["settings"]["interactivity"].update(request_url="https://x"),
            r"interactivity.*no url",
        ),
        (lambda m: m["display_information"].update(name="x" * 36), "1 to 35"),
        (lambda m: m["oauth_config"]["scopes"]["bot"].remove("im:history"), "im:history"),
        (lambda m: m["oauth_config"]["scopes"]["bot"].remove("commands"), "commands"),
        (
            lambda m: m["settings"]["event_subscriptions"]["bot_events"].append("team_join"),
            "team_join",
        ),
        (lambda m: m["features"]["slash_commands"][0].update(command="ask"), "start with /"),
        (lambda m: m["features"]["slash_commands"][0].update(url="https://x"), "no url"),
    ],
)
def test_a_manifest_that_does_not_hold_together_is_named(start, manifest, change, says):
    change(manifest)
    with pytest.raises(ManifestError, match=says):
        start(manifest)
