"""Whether the place where Slack hands out events can be reached, without taking any."""

from __future__ import annotations

import os
import socket
import ssl
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from bot.doctor.finding import Finding, ok, unchecked, wrong
from bot.slack_errors import why_unreachable

TIMEOUT_S: Final = 5.0
_PROXIES: Final = ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy")


def socket_findings(address: str) -> Iterator[Finding]:
    """Yield whether the server of a Socket Mode address can be reached.

    No WebSocket is opened: events that are due to a bot that runs would come to us instead.
    """
    parts = urlsplit(address)
    host, encrypted = parts.hostname or "", parts.scheme == "wss"
    if encrypted and any(os.environ.get(name) for name in _PROXIES):
        yield unchecked(f"the way to {host}, where events come from", "it leads through a proxy")
        return
    try:
        port = parts.port or (443 if encrypted else 80)
        with socket.create_connection((host, port), timeout=TIMEOUT_S) as plain:
            if encrypted:
                with ssl.create_default_context().wrap_socket(plain, server_hostname=host):
                    pass
    except (OSError, ValueError) as error:
        yield wrong(
            f"{host}, where Slack hands out events, cannot be reached: {why_unreachable(error)}",
            "let this machine open connections to it on port 443 (WebSockets), or set HTTPS_PROXY",
        )
    else:
        yield ok(f"{host}, where Slack hands out events, can be reached")
