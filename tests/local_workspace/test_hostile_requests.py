"""Requests that no client of Slack sends are refused, and leave the workspace as it was."""

import http.client
import json
from urllib.parse import urlsplit

import pytest

JSON = {"Content-Type": "application/json"}


def knock(workspace, verb, path, body=None, headers=None):
    """One raw request; returns status and body."""
    where = urlsplit(workspace.url)
    connection = http.client.HTTPConnection(where.hostname, where.port, timeout=5)
    try:
        connection.request(verb, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def api(workspace, method, body, token):
    headers = {**JSON, "Authorization": f"Bearer {token}"}
    status, answer = knock(workspace, "POST", f"/api/{method}", body, headers)
    assert status == 200
    return json.loads(answer)


@pytest.mark.parametrize(
    "value",
    [b'"\\ud800"', b'"half \\udc00 letter"', b"NaN", b"-Infinity", b"1e999", b"[" * 100_000],
)
def test_what_no_browser_could_read_again_is_no_json(workspace, you, value):
    body = b'{"channel": "%s", "text": %s}' % (workspace.channels["general"].encode(), value)
    refusal = api(workspace, "chat.postMessage", body, workspace.bot_token)
    assert refusal == {"ok": False, "error": "invalid_json"}
    body = b'{"name": %s}' % value
    assert not api(workspace, "workspace.addChannel", body, workspace.user_tokens["you"])["ok"]
    assert you.api_call("workspace.boot")["ok"]


def test_structured_text_is_read_as_strictly(workspace):
    arguments = {"channel": workspace.channels["general"], "text": "x", "blocks": '[{"a": NaN}]'}
    body = json.dumps(arguments).encode()
    assert not api(workspace, "chat.postMessage", body, workspace.bot_token)["ok"]


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"text": "\\ud800"}', b"\xff"])
def test_an_answer_to_a_response_url_is_read_as_strictly(workspace, body):
    assert knock(workspace, "POST", "/respond/nobody", body, JSON)[0] == 400


@pytest.mark.parametrize(
    "path",
    [
        "/page/..%2fserver.py",
        "/page/%2e%2e%2fserver.py",
        "/page/..",
        "/page/.",
        "/page/%00",
        "/page/main.js%00",
        f"/page/{'a' * 5_000}",
        "/upload/%C3%A9",
        "/files/F1/..%2f..",
        "/nowhere",
    ],
)
def test_a_crooked_path_leads_nowhere(workspace, path):
    assert knock(workspace, "GET", path)[0] in (403, 404, 405)


def test_an_upload_to_a_crooked_key_is_refused(workspace, bot):
    bot.files_getUploadURLExternal(filename="a.png", length=1)
    assert knock(workspace, "POST", "/upload/%C3%A9", b"x")[0] == 400


def test_a_cookie_that_is_none_of_ours_opens_nothing(workspace):
    port = urlsplit(workspace.url).port
    for value in ("", "x", "\xe9"):
        cookie = {"Cookie": f"local_workspace_{port}={value}"}
        assert knock(workspace, "GET", "/page/changes", headers=cookie)[0] == 403


@pytest.mark.parametrize(
    "switches",
    [
        {"file_ready_after_s": "soon"},
        {"file_ready_after_s": -1},
        {"stream_life_s": [1]},
        {"rate_limit": {"times": 1}},
        {"rate_limit": {"method": "chat.update", "times": "often"}},
        {"error": {"method": "chat.update"}},
    ],
)
def test_a_switch_that_is_set_wrongly_is_refused(workspace, you, refused, switches):
    refused("invalid_arguments", you.api_call, "workspace.faults", json=switches)


@pytest.mark.parametrize("digit", ["\xb2", "\u0663x", "-1"])
def test_a_cursor_that_only_looks_like_a_number_is_refused(workspace, you, refused, digit):
    general = workspace.channels["general"]
    refused("invalid_cursor", you.conversations_history, channel=general, cursor=f"at:{digit}")
