"""An app without Socket Mode is called at its request URLs: signed, in time, or again."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import pytest
from slack_sdk.errors import SlackApiError
from slack_sdk.signature import SignatureVerifier

from bot.local_workspace import ManifestError, UrlNotVerified

NOWHERE = "https://bot.example/slack/events"


class CalledApp(ThreadingHTTPServer):
    """Notes how it is called, and answers in the way that is set: (status, headers, body)."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), CalledHandler)
        self.url = f"http://127.0.0.1:{self.server_port}/slack/events"
        self.calls = []
        self.answer = lambda call: (200, {}, "")
        self.gate = threading.Event()
        self.gate.set()

    def newest(self, kind):
        return [each for each in self.calls if each["type"] == kind]


class CalledHandler(BaseHTTPRequestHandler):
    def do_POST(self):
        raw = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = parse_qs(raw)
        is_json = self.headers["Content-Type"] == "application/json"
        body = json.loads(raw) if is_json else json.loads(form.get("payload", ["null"])[0]) or form
        call = {
            "raw": raw,
            "headers": {name.lower(): value for name, value in self.headers.items()},
            "body": body,
            "type": body.get("type", "command"),
        }
        if call["type"] == "url_verification":
            self.reply(200, {"Content-Type": "text/plain"}, body["challenge"])
            return
        self.server.calls.append(call)
        self.server.gate.wait(5)
        self.reply(*self.server.answer(call))

    def reply(self, status, headers, text):
        self.send_response(status)
        for name, value in {"Content-Length": str(len(text)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_):
        pass


@pytest.fixture
def app():
    server = CalledApp()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.gate.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def manifest(manifest):
    settings = manifest["settings"]
    settings["socket_mode_enabled"] = False
    settings["event_subscriptions"]["request_url"] = NOWHERE
    settings["interactivity"]["request_url"] = NOWHERE
    manifest["features"]["slash_commands"][0]["url"] = NOWHERE
    return manifest


@pytest.fixture
def workspace(start, manifest):
    return start(manifest)


@pytest.fixture
def called(workspace, app):
    """The app, once the workspace has its address."""
    workspace.set_request_url(app.url)
    return app


@pytest.fixture
def rows(you):
    return lambda: you.api_call("workspace.deliveries")["deliveries"]


def test_event_is_a_signed_post_and_its_answer_the_acknowledgement(
    called, you, general, workspace, eventually, rows
):
    ts = you.chat_postMessage(channel=general, text="hello ✓")["ts"]
    assert eventually(lambda: rows()[0]["acked"])
    (call,) = called.calls
    assert call["body"]["event"]["ts"] == ts
    assert "x-slack-retry-num" not in call["headers"]
    verifier = SignatureVerifier(workspace.signing_secret)
    assert verifier.is_valid_request(call["raw"], call["headers"])
    assert not verifier.is_valid_request(call["raw"] + " ", call["headers"])


def test_address_is_called_for_events_once_it_gave_its_challenge_back(
    workspace, app, you, general, rows
):
    you.chat_postMessage(channel=general, text="nobody hears")
    assert rows()[0]["attempts"][0]["connection"] is None
    with pytest.raises(UrlNotVerified, match="ConnectionRefusedError"):
        workspace.set_request_url("http://127.0.0.1:1/slack/events")
    with pytest.raises(UrlNotVerified, match="status 404"):
        workspace.set_request_url(f"{workspace.url}nobody")
    assert app.calls == []


def tries(app):
    heads = [each["headers"] for each in app.calls]
    return [(each.get("x-slack-retry-num"), each.get("x-slack-retry-reason")) for each in heads]


def test_event_that_is_refused_comes_again_three_times(called, you, general, eventually, rows):
    called.answer = lambda call: (500, {}, "")
    you.chat_postMessage(channel=general, text="hello")
    assert eventually(lambda: rows()[0]["settled"])
    again = [(str(number), "http_error") for number in (1, 2, 3)]
    assert tries(called) == [(None, None), *again]
    assert len({each["body"]["event_id"] for each in called.calls}) == 1
    assert not rows()[0]["acked"]


def test_event_is_not_sent_again_where_the_app_says_so(called, you, general, eventually, rows):
    called.answer = lambda call: (404, {"X-Slack-No-Retry": "1"}, "")
    you.chat_postMessage(channel=general, text="hello")
    assert eventually(lambda: rows()[0]["settled"])
    assert tries(called) == [(None, None)]


def test_event_that_is_answered_too_late_comes_again(called, you, general, eventually, rows):
    called.gate.clear()
    you.chat_postMessage(channel=general, text="hello")
    eventually(lambda: len(called.calls) == 2)
    called.gate.set()
    assert eventually(lambda: rows()[0]["acked"])
    assert tries(called)[1] == ("1", "http_timeout")


def test_app_that_is_away_is_called_again(called, you, general, eventually, rows):
    called.socket.close()
    you.chat_postMessage(channel=general, text="hello")
    assert eventually(lambda: rows()[0]["settled"])
    assert len(rows()[0]["attempts"]) == 4


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"Content-Type": "application/json; charset=utf-8"}, '{"text": "looked up"}'),
        ({"Content-Type": "text/plain"}, "looked up"),
    ],
)
def test_body_of_the_answer_to_a_command_is_shown(called, you, general, headers, body):
    called.answer = lambda call: (200, headers, body)
    command = {"channel": general, "command": "/ask", "text": "how many & why?"}
    you.api_call("workspace.slashCommand", json=command)
    (call,) = called.newest("command")
    assert call["headers"]["content-type"] == "application/x-www-form-urlencoded"
    assert call["body"]["text"] == ["how many &amp; why?"]
    shown = you.api_call("workspace.messages", json={"channel": general})["messages"]
    assert [each["text"] for each in shown if each.get("is_ephemeral")] == ["looked up"]


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ((202, {}, ""), "dispatch_failed"),
        ((200, {"Content-Type": "application/json"}, "{"), "dispatch_failed"),
        (None, "operation_timeout"),
    ],
)
def test_command_that_fails_says_so(called, you, general, answer, error):
    called.answer = lambda call: answer or (200, {}, "")
    if answer is None:
        called.gate.clear()
    with pytest.raises(SlackApiError) as refused:
        you.api_call("workspace.slashCommand", json={"channel": general, "command": "/ask"})
    assert refused.value.response["error"] == error


def test_clicks_and_modals_come_as_payload_and_a_modal_heeds_the_answer(
    called, you, general, bot, eventually
):
    text = {"type": "plain_text", "text": "Show"}
    button = {"type": "button", "action_id": "sql", "text": text, "value": "7"}
    card = bot.chat_postMessage(
        channel=general, text="card", blocks=[{"type": "actions", "elements": [button]}]
    )
    you.api_call(
        "workspace.clickButton",
        json={"channel": general, "ts": card["ts"], "action_id": "sql"},
    )
    (click,) = called.newest("block_actions")
    assert click["raw"].startswith("payload=%7B")
    field = {"type": "plain_text_input", "action_id": "a"}
    modal = {
        "type": "modal",
        "title": text,
        "submit": text,
        "blocks": [{"type": "input", "block_id": "b", "label": text, "element": field}],
    }
    view = bot.views_open(trigger_id=click["body"]["trigger_id"], view=modal)["view"]
    problem = {"response_action": "errors", "errors": {"b": "too short"}}
    called.answer = lambda call: (200, {"Content-Type": "application/json"}, json.dumps(problem))
    filled = {"view_id": view["id"], "values": {"b": {"a": {"type": "x", "value": "?"}}}}
    assert you.api_call("workspace.submitView", json=filled)["errors"] == {"b": "too short"}
    called.answer = lambda call: (200, {"Content-Type": "text/plain"}, "fine")
    with pytest.raises(SlackApiError, match="dispatch_failed"):
        you.api_call("workspace.submitView", json=filled)


@pytest.mark.parametrize("url", ["", "http://bot.example/slack", "ftp://bot.example"])
def test_address_that_slack_would_not_take_is_named(start, manifest, url):
    manifest["features"]["slash_commands"][0]["url"] = url
    with pytest.raises(ManifestError, match="/ask: url must be an https:// address"):
        start(manifest)


def test_app_with_addresses_hears_nothing_over_a_socket(called, link, you, general, eventually):
    socket = link()
    you.chat_postMessage(channel=general, text="hello")
    eventually(lambda: called.calls)
    assert socket.nothing()
