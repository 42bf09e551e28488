"""Whoever holds connections for nothing keeps Slack and the health check from nothing."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest

from bot.http import callers


@pytest.fixture
def connect(service):
    """Opens connections to the port."""
    with ExitStack() as opened:
        parts = urlsplit(service.url)

        def one():
            made = socket.create_connection((parts.hostname, parts.port), timeout=5)
            return opened.enter_context(made)

        yield one


def is_closed(connection):
    connection.settimeout(0.05)
    try:
        return connection.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def test_more_connections_than_there_may_be_keep_nobody_out(connect, bot, anybody, slack, you):
    silent = [connect() for _ in range(callers.CONNECTIONS + 100)]
    begun = time.monotonic()
    assert anybody().status == 200
    assert time.monotonic() - begun < callers.IDLE_S / 6
    assert slack.event({"type": "url_verification", "challenge": "x"}).status == 200
    assert len(silent) > callers.CONNECTIONS


def test_request_that_trickles_in_for_ever_is_given_up(connect, service, monkeypatch, you):
    monkeypatch.setattr(callers, "ASK_WITHIN_S", 0.2)
    slow, idle = connect(), connect()
    slow.sendall(b"POST /slack/events HTTP/1.1\r\nHost: x\r\n")

    def trickle():
        try:
            slow.sendall(b"X-A: b\r\n")
        except ConnectionError:
            return True
        return is_closed(slow)

    you.eventually(trickle)
    assert not is_closed(idle)
