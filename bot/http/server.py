"""The server behind the port: waitress, in threads of ours."""

from __future__ import annotations

import logging
import threading
from functools import partial
from typing import Any, Final

from waitress import wasyncore
from waitress.server import create_server
from waitress.task import ThreadedTaskDispatcher

from bot.http import health, measures
from bot.http.callers import CONNECTIONS, Caller, let_go
from bot.http.port import BACKLOG, Port, listen
from bot.http.site import MAX_BODY_BYTES, Site

WORKERS: Final = 12
"""Requests of Slack's that are acknowledged at once: a little more than the store's connections."""
HEALTH_WORKERS: Final = 4
OURS: Final = (health.ALIVE, health.READY, measures.PATH)
LOOK_EVERY_S: Final = 1
"""Between two looks at who holds a connection for nothing, in seconds."""
END_WITHIN_S: Final = 5.0


class _Lanes:
    """Whoever asks for our health never waits behind Slack's requests, however slow they are."""

    def __init__(self) -> None:
        self._work, self._health = ThreadedTaskDispatcher(), ThreadedTaskDispatcher()
        quiet = logging.getLogger("bot.http.queue")
        quiet.setLevel(logging.ERROR)  # that a request waits for a moment is nothing to warn of
        for lane in (self._work, self._health):
            lane.queue_logger = quiet
        self._work.set_thread_count(WORKERS)
        self._health.set_thread_count(HEALTH_WORKERS)

    def add_task(self, channel: Any) -> None:
        path = getattr(channel.requests[0], "path", "") if channel.requests else ""
        (self._health if path in OURS else self._work).add_task(channel)

    def shutdown(self) -> None:
        for lane in (self._work, self._health):
            lane.shutdown(cancel_pending=True, timeout=END_WITHIN_S)


class HttpServer:
    """Serves a site on one address from `start` to `stop`."""

    def __init__(self, site: Site, port: Port) -> None:
        """Take the port. Raises `SettingsInvalid`."""
        self._lanes = _Lanes()
        listener = listen(port)
        self.url = Port(port.host, listener.getsockname()[1]).url
        self._server: Any = create_server(
            site,
            sockets=[listener],
            _dispatcher=self._lanes,
            # A body that is too big is read and refused by the site, unless it is far too big.
            max_request_body_size=5 * MAX_BODY_BYTES,
            connection_limit=CONNECTIONS,
            asyncore_use_poll=True,
            cleanup_interval=LOOK_EVERY_S,
            backlog=BACKLOG,
            ident="",
            log_socket_errors=False,  # whoever hangs up is no fault of ours
        )
        self._server.channel_class = Caller
        self._server.maintenance = partial(let_go, self._server)
        self._thread = threading.Thread(target=self._server.run, name="http", daemon=True)

    def start(self) -> None:
        """Serve, in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """Close the port and every connection. May be called more than once."""
        if not self._thread.is_alive():
            return
        self._lanes.shutdown()
        # In the thread of the loop, which ends once nothing is left to listen to.
        self._server.trigger.pull_trigger(lambda: wasyncore.close_all(self._server._map))
        self._thread.join(END_WITHIN_S)
