"""The connection over which Slack sends events."""

from __future__ import annotations

import contextlib
import socket
import threading
from typing import Any

from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler

from bot.clients import is_loopback
from bot.settings import BotSettings
from bot.slack_errors import SLACK_TROUBLE, SlackUnavailable, what_went_wrong

HELLO_WITHIN_S = 15.0
NO_SOCKET = (
    "Slack's event connection (Socket Mode) does not come up: check the network, the proxy, and "
    "that Socket Mode is on for the app."
)


def make_socket_mode(app: App, settings: BotSettings) -> SocketModeHandler:
    """Return the handler that brings events to `app`; not connected yet."""
    handler = SocketModeHandler(app, settings.slack_app_token.get_secret_value())
    if is_loopback(settings.slack_url):
        handler.client.proxy = None  # the SDK takes HTTP_PROXY even for this machine
    return handler


def connect_socket_mode(handler: SocketModeHandler, *, within_s: float = HELLO_WITHIN_S) -> None:
    """Connect and wait for Slack's hello, so that no question is asked of a bot that is deaf.

    From then on the SDK connects again by itself whenever the connection ends. Raises
    `SlackUnavailable`.
    """
    greeted = threading.Event()

    def listen(client: object, message: dict[str, Any], raw: str | None) -> None:
        if message.get("type") == "hello":
            greeted.set()

    handler.client.message_listeners.append(listen)
    try:
        handler.connect()  # type: ignore[no-untyped-call]
    except SLACK_TROUBLE as error:
        raise SlackUnavailable(NO_SOCKET, detail=what_went_wrong(error)) from error
    if not greeted.wait(within_s):
        raise SlackUnavailable(NO_SOCKET, detail=f"no hello within {within_s} s")
    handler.client.message_listeners.remove(listen)


def close_socket_mode(handler: SocketModeHandler) -> None:
    """Disconnect for good, at once. An event on its way is not acknowledged, and comes again.

    Left to itself the SDK waits until its reads time out, up to four seconds.
    """
    client = handler.client
    client.auto_reconnect_enabled = False
    session = client.current_session
    receiving = session.sock if session is not None else None
    if receiving is not None:
        with contextlib.suppress(OSError):
            socket.socket.shutdown(receiving, socket.SHUT_RD)
    client.closed = True
    client.message_queue.put(None)
    handler.close()  # type: ignore[no-untyped-call]
