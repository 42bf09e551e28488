"""What a person sees on the page of the workspace, and when."""

from __future__ import annotations

import http.client
import json
import threading
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from crowd.answering import SAYS


@dataclass
class Page:
    """An open page: for each thread when the bot showed first that it works, and its answer.

    Times are seconds since 1970, as are the `ts` of messages.
    """

    api_url: str
    bot_user: str
    first: dict[str, float] = field(default_factory=dict)
    answered: dict[str, float] = field(default_factory=dict)
    is_broken: bool = False
    """The page could not follow: some of what came was not seen."""

    def open(self) -> None:
        """Look from now on, in a thread."""
        place = urlsplit(self.api_url)
        connection = http.client.HTTPConnection(place.hostname or "", place.port)
        connection.request("GET", "/")
        reply = connection.getresponse()
        cookie = (reply.getheader("Set-Cookie") or "").partition(";")[0]
        reply.read()
        connection.request("GET", "/page/changes", headers={"Cookie": cookie})
        stream = connection.getresponse()
        threading.Thread(target=self._follow, args=(stream,), name="page", daemon=True).start()

    def _follow(self, stream: http.client.HTTPResponse) -> None:
        while line := stream.readline():
            if line.startswith(b"data: "):
                self._see(json.loads(line[6:]), time.time())

    def _see(self, change: dict[str, Any], now: float) -> None:
        if change["kind"] == "reset":
            self.is_broken = True
        thread = change.get("thread_ts")
        if thread is None or change.get("user") != self.bot_user:
            return
        if change["kind"] == "message" or change.get("status"):
            self.first.setdefault(thread, now)
        if change["kind"] == "message" and str(change.get("text")).startswith(SAYS):
            self.answered.setdefault(thread, now)
