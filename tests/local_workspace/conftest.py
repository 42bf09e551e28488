"""A running local workspace, and the real Slack clients that talk to it."""

from __future__ import annotations

import contextlib
import copy
import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import simple_websocket
from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from wsproto.events import Ping
from wsproto.utilities import LocalProtocolError

from bot.local_workspace import LocalWorkspace

Json = dict[str, Any]

SCOPES = [
    "app_mentions:read",
    "assistant:write",
    "channels:history",
    "channels:read",
    "chat:write",
    "commands",
    "files:read",
    "files:write",
    "groups:history",
    "groups:read",
    "im:history",
    "im:read",
    "im:write",
    "reactions:read",
    "reactions:write",
    "users:read",
]
EVENTS = [
    "agent_session_stopped",
    "app_home_opened",
    "app_mention",
    "message.channels",
    "message.groups",
    "message.im",
    "reaction_added",
]
MANIFEST: Json = {
    "display_information": {"name": "db-agent"},
    "features": {
        "bot_user": {"display_name": "db-agent"},
        "app_home": {"home_tab_enabled": True, "messages_tab_enabled": True},
        "agent_view": {"agent_description": "Answers questions about a database"},
        "slash_commands": [{"command": "/ask", "description": "Ask", "usage_hint": "question"}],
    },
    "oauth_config": {"scopes": {"bot": SCOPES}},
    "settings": {
        "socket_mode_enabled": True,
        "interactivity": {"is_enabled": True},
        "event_subscriptions": {"bot_events": EVENTS},
    },
}


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    # slack_sdk takes a proxy from the environment even for 127.0.0.1.
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def manifest() -> Json:
    """A manifest of one's own, to change before the start."""
    return copy.deepcopy(MANIFEST)


@pytest.fixture
def hurry() -> Json:
    """Settings for tests: short deadlines, files ready at once."""
    return {"file_ready_after": 0.0, "ack_within": 0.5, "retry_pauses": (0.0, 0.0, 0.0)}


@pytest.fixture
def start(hurry: Json) -> Iterator[Callable[..., LocalWorkspace]]:
    """Starts workspaces, in a hurry unless told otherwise."""
    running: list[LocalWorkspace] = []

    def begin(manifest: Json = MANIFEST, **settings: Any) -> LocalWorkspace:
        running.append(LocalWorkspace.start(manifest, **{**hurry, **settings}))
        return running[-1]

    yield begin
    for workspace in running:
        workspace.stop()


@pytest.fixture
def workspace(start: Callable[..., LocalWorkspace]) -> LocalWorkspace:
    return start()


@pytest.fixture
def bot(workspace: LocalWorkspace) -> WebClient:
    return WebClient(token=workspace.bot_token, base_url=workspace.api_url)


@pytest.fixture
def you(workspace: LocalWorkspace) -> WebClient:
    return WebClient(token=workspace.user_tokens["you"], base_url=workspace.api_url)


@pytest.fixture
def mia(workspace: LocalWorkspace) -> WebClient:
    return WebClient(token=workspace.user_tokens["mia"], base_url=workspace.api_url)


@pytest.fixture
def general(workspace: LocalWorkspace) -> str:
    return workspace.channels["general"]


@pytest.fixture
def dm(workspace: LocalWorkspace, you: WebClient) -> str:
    """The direct messages of you and the bot."""
    return str(you.conversations_open(users=workspace.bot_user_id)["channel"]["id"])


@pytest.fixture
def refused() -> Callable[..., Json]:
    """Makes a call that must be refused with this error, and gives the body of the refusal."""

    def check(error: str, call: Callable[..., Any], *args: Any, **arguments: Any) -> Json:
        with pytest.raises(SlackApiError) as caught:
            call(*args, **arguments)
        body: Json = caught.value.response.data  # type: ignore[assignment]
        assert body["ok"] is False
        assert body["error"] == error, body
        return body

    return check


@pytest.fixture
def open_page(chromium: Any, workspace: LocalWorkspace) -> Iterator[Callable[..., Any]]:
    """Opens the page; anything that goes wrong inside it fails the test."""
    with contextlib.ExitStack() as stack:
        problems: list[str] = []

        def begin(address: str = "", **settings: Any) -> Any:
            settings = {"viewport": {"width": 1280, "height": 800}, **settings}
            context = chromium.new_context(**settings)
            stack.callback(context.close)
            page = context.new_page()
            page.set_default_timeout(5000)
            page.on("pageerror", lambda error: problems.append(str(error)))
            page.on("console", lambda m: m.type == "error" and problems.append(m.text))
            page.goto(workspace.url + address)
            page.wait_for_selector("body[data-ready]")
            return page

        yield begin
    assert not problems


class Link:
    """A bare Socket Mode client: it acknowledges only what it is told to."""

    def __init__(self, url: str) -> None:
        self.ws = simple_websocket.Client.connect(url)
        # This client overlooks a frame that came in one piece with the handshake until more comes:
        # the pong does.
        with contextlib.suppress(
            LocalProtocolError, OSError
        ):  # it may have been turned away already
            self.ws.sock.send(self.ws.ws.send(Ping()))
        self.hello = self.receive()

    def receive(self, timeout: float = 5.0) -> Json:
        frame = self.ws.receive(timeout=timeout)
        assert frame is not None, f"no frame within {timeout} s"
        return json.loads(frame)  # type: ignore[no-any-return]

    def nothing(self, within: float = 0.15) -> bool:
        return self.ws.receive(timeout=within) is None

    def ack(self, envelope: Json, payload: Any = None) -> None:
        body = {"envelope_id": envelope["envelope_id"]}
        self.ws.send(json.dumps(body if payload is None else {**body, "payload": payload}))

    def take(self, payload: Any = None, kind: str = "") -> Json:
        """The next envelope (of this kind), acknowledged; the others on the way are too."""
        while True:
            envelope = self.receive()
            wanted = not kind or envelope["type"] == kind
            self.ack(envelope, payload if wanted else None)
            if wanted:
                return envelope

    def take_event(self) -> Json:
        return self.take()["payload"]["event"]  # type: ignore[no-any-return]

    def close(self) -> None:
        if self.ws.connected:
            self.ws.close()
        self.ws.thread.join(timeout=5)
        self.ws.sock.close()


@pytest.fixture
def link(workspace: LocalWorkspace) -> Iterator[Callable[[], Link]]:
    """Opens bare Socket Mode connections."""
    opened: list[Link] = []
    app = WebClient(base_url=workspace.api_url)

    def connect() -> Link:
        url = app.apps_connections_open(app_token=workspace.app_token)["url"]
        opened.append(Link(str(url)))
        return opened[-1]

    yield connect
    for each in opened:
        each.close()


@pytest.fixture
def bolt(
    workspace: LocalWorkspace, bot: WebClient, you: WebClient, eventually: Callable[..., Any]
) -> Iterator[App]:
    """A real Bolt app, connected over Socket Mode. Add listeners in the test."""
    app = App(client=bot)
    handler = SocketModeHandler(app, workspace.app_token, ping_interval=0.2)
    handler.connect()
    # The client has its handshake a moment before the workspace counts it in.
    eventually(lambda: you.api_call("workspace.deliveries")["connections"] == 1)
    yield app
    # Dropping the socket first: the SDK would else wait for its 3 s receive timeout.
    handler.client.auto_reconnect_enabled = False
    you.api_call("workspace.faults", json={"drop_sockets": True})
    handler.close()


@pytest.fixture
def eventually() -> Callable[..., Any]:
    """Calls until the answer is truthy; fails after five seconds."""

    def wait(question: Callable[[], Any], within: float = 5.0) -> Any:
        deadline = time.monotonic() + within
        while not (answer := question()):
            assert time.monotonic() < deadline, "it never happened"
            time.sleep(0.01)
        return answer

    return wait
