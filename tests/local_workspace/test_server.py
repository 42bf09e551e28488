"""Starting, stopping, who may knock; the page's files and its stream of changes."""

import http.client
import json
import logging
import socket
import threading
import urllib.parse
import urllib.request

import pytest
from slack_sdk import WebClient

from bot.local_workspace import PortInUse


def ask(workspace, path="/", method="GET", body=None, **headers):
    """One request as a browser makes it; (status, headers, body)."""
    parts = urllib.parse.urlsplit(workspace.url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=5)
    try:
        connection.request(method, path, body, {k.replace("_", "-"): v for k, v in headers.items()})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


@pytest.fixture
def cookie(workspace):
    _, headers, _ = ask(workspace)
    return headers["Set-Cookie"].partition(";")[0]


def test_a_busy_port_is_named(start, manifest):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(PortInUse, match=f"port {port} .*another port"):
            start(manifest, port=port)


def test_a_port_is_free_again_after_the_stop(start, manifest):
    first = start(manifest)
    port = urllib.parse.urlsplit(first.url).port
    WebClient(token=first.bot_token, base_url=first.api_url).auth_test()
    first.stop()
    second = start(manifest, port=port)
    assert urllib.parse.urlsplit(second.url).port == port


def test_tokens_differ_from_start_to_start(start, refused):
    one, two = start(), start()
    assert one.bot_token != two.bot_token
    foreign = WebClient(token=one.bot_token, base_url=two.api_url)
    refused("invalid_auth", foreign.auth_test)


def test_no_thread_outlives_the_stop(start, manifest, eventually):
    before = set(threading.enumerate())
    workspace = start(manifest)
    app = WebClient(base_url=workspace.api_url)
    app.apps_connections_open(app_token=workspace.app_token)
    workspace.stop()
    eventually(lambda: not set(threading.enumerate()) - before)


def test_it_is_quiet(start, caplog):
    workspace = start()
    with caplog.at_level(logging.INFO):
        WebClient(token=workspace.bot_token, base_url=workspace.api_url).auth_test()
    assert not [each for each in caplog.records if each.name.startswith(("werkzeug", "bot."))]


@pytest.mark.parametrize("path", ["/", "/api/auth.test", "/page/changes", "/link/"])
def test_another_host_name_is_refused(workspace, path):
    assert ask(workspace, path, Host="evil.example")[0] == 403


def test_it_listens_on_loopback_only(workspace):
    port = urllib.parse.urlsplit(workspace.url).port
    with socket.socket() as elsewhere:
        # Another address of the loopback network: bound to 127.0.0.1 alone, nobody answers.
        assert elsewhere.connect_ex(("127.0.0.2", port)) != 0


@pytest.mark.parametrize(
    ("headers", "may"),
    [
        ({}, True),
        ({"Sec_Fetch_Site": "same-origin"}, True),
        ({"Sec_Fetch_Site": "cross-site"}, False),
        ({"Sec_Fetch_Site": "same-site"}, False),
        ({"Origin": "http://evil.example"}, False),
        ({"Origin": "null"}, False),
    ],
)
def test_the_page_s_cookie_serves_the_page_only(workspace, cookie, headers, may):
    _, _, body = ask(workspace, "/api/workspace.boot", "POST", Cookie=cookie, **headers)
    assert json.loads(body)["ok"] is may
    status, _, _ = ask(workspace, "/api/workspace.boot", "POST", Cookie="local=wrong")
    assert status == 200


def test_the_page_has_its_own_origin_allowed(workspace, cookie):
    origin = workspace.url.rstrip("/")
    _, _, body = ask(workspace, "/api/auth.test", "POST", Cookie=cookie, Origin=origin)
    assert json.loads(body)["user_id"] == "U0LOCALYOU"


def test_the_session_cookie_is_out_of_reach_of_scripts(workspace):
    _, headers, _ = ask(workspace)
    assert "HttpOnly" in headers["Set-Cookie"]
    assert "SameSite=Strict" in headers["Set-Cookie"]


def test_the_page_loads_nothing_from_elsewhere(workspace):
    _, headers, page = ask(workspace)
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert b"not Slack" in page
    assert b"http://" not in page.replace(b"http://www.w3.org", b"")
    assert b"https://" not in page


def test_every_file_that_the_page_names_is_served(workspace):
    import re

    _, _, page = ask(workspace)
    names = re.findall(rb'(?:src|href)="(/page/[^"]+)"', page)
    assert names
    while names:
        status, headers, content = ask(workspace, names.pop().decode())
        assert status == 200
        assert headers["X-Content-Type-Options"] == "nosniff"
        found = re.findall(rb'from "\./([a-z_]+\.js)"', content)
        assert all(ask(workspace, f"/page/{each.decode()}")[0] == 200 for each in found)


@pytest.mark.parametrize("path", ["/page/nothing.js", "/page/..%2fserver.py", "/page/../site.py"])
def test_nothing_but_the_page_is_served_from_there(workspace, path):
    assert ask(workspace, path)[0] == 404


class Stream:
    """Reads the page's server-sent events."""

    def __init__(self, workspace, cookie, path="/page/changes?after=0"):
        parts = urllib.parse.urlsplit(workspace.url)
        self.connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=5)
        self.connection.request("GET", path, headers={"Cookie": cookie})
        self.answer = self.connection.getresponse()

    def next(self):
        number = None
        while True:
            line = self.answer.readline().decode().strip()
            if line.startswith("id: "):
                number = int(line[4:])
            if line.startswith("data: "):
                return number, json.loads(line[6:])

    def close(self):
        self.answer.close()
        self.connection.close()


@pytest.fixture
def stream(workspace, cookie):
    opened = []

    def begin(path="/page/changes?after=0"):
        opened.append(Stream(workspace, cookie, path))
        return opened[-1]

    yield begin
    for each in opened:
        each.close()


def test_changes_arrive_as_they_happen_and_can_be_caught_up(stream, bot, general):
    live = stream()
    first = bot.chat_postMessage(channel=general, text="one")["ts"]
    number, change = live.next()
    assert (change["kind"], change["ts"]) == ("message", first)
    bot.chat_postMessage(channel=general, text="two")
    later = stream(f"/page/changes?after={number}")
    assert later.next()[1]["text"] == live.next()[1]["text"] == "two"


def test_a_page_of_an_earlier_run_is_told_to_start_anew(stream):
    assert stream("/page/changes?after=99999").next()[1]["kind"] == "reset"


def test_the_page_is_not_told_of_what_the_person_may_not_see(stream, bot, you, mia, workspace):
    live = stream()
    general = workspace.channels["general"]
    bot.chat_postEphemeral(channel=general, user="U0LOCALMIA", text="for Mia")
    theirs = mia.conversations_open(users=workspace.bot_user_id)["channel"]["id"]
    mia.chat_postMessage(channel=theirs, text="between us")
    bot.chat_postMessage(channel=general, text="for all")
    assert live.next()[1]["text"] == "for all"


def test_changes_need_the_page_s_cookie(workspace):
    assert ask(workspace, "/page/changes")[0] == 403
