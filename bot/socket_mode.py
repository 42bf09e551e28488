"""The connection over which Slack sends events."""

from __future__ import annotations

import contextlib
import socket

from slack_bolt import App
from slack_bolt.adapter.socket_mode import SocketModeHandler

from bot.clients import is_loopback
from bot.settings import BotSettings


def make_socket_mode(app: App, settings: BotSettings) -> SocketModeHandler:
    """Return the handler that brings events to `app`; not connected yet."""
    handler = SocketModeHandler(app, settings.slack_app_token.get_secret_value())
    if is_loopback(settings.slack_url):
        handler.client.proxy = None  # the SDK takes HTTP_PROXY even for this machine
    return handler


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
