"""GET /healthz and GET /readyz: whether the process lives, and whether the bot can work now.

Both answer in little time, whatever hangs. A process that lives and cannot work is left alone:
nothing is cured by starting it anew while the record or Slack is away.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Final, Protocol

from agent.watching import thread_of
from bot.http.exchange import HttpAnswer, HttpRequest, as_json

log = logging.getLogger(__name__)

ALIVE: Final = "/healthz"
READY: Final = "/readyz"
WAIT_S: Final = 1.5
"""How long an answer waits for a look at the record, in seconds."""
FRESH_S: Final = 1.0
"""How long such a look is believed: a crowd of callers is no load."""
ASK_SLACK_EVERY_S: Final = 30.0
GIVE_UP_S: Final = 30.0
"""After so long without an end another look is taken beside the one that hangs."""
STARTING: Final = "it is starting"
LATE: Final = "its own record of questions and answers does not answer"
BROKEN: Final = "its own record of questions and answers cannot be looked at"


class Patient(Protocol):
    """Whose health it is."""

    @property
    def trouble(self) -> str:
        """Why it cannot work, as half a sentence; "" where it can. At once."""

    @property
    def remark(self) -> str:
        """What is wrong and keeps it from little, as half a sentence; "" for nothing. At once."""

    def look_at_record(self) -> str:
        """The same of its own record. May take long."""

    def look_at_slack(self) -> str:
        """The same of its way into Slack. May take long."""


class Look:
    """A look that may hang: taken in a thread of its own, and one at a time."""

    def __init__(self, look: Callable[[], str], *, fresh_s: float) -> None:
        """`look` gives what is wrong; it is believed for `fresh_s` seconds."""
        self._look = look
        self._fresh_s = fresh_s
        self._lock = threading.Lock()
        self._begun = float("-inf")
        self._over = threading.Event()
        self._over.set()
        self._seen = ""

    def result(self, wait_s: float) -> str | None:
        """Return what the newest look saw; None if it is not over `wait_s` after its begin."""
        with self._lock:
            age_s = time.monotonic() - self._begun
            if age_s > (self._fresh_s if self._over.is_set() else GIVE_UP_S):
                self._begun, age_s = time.monotonic(), 0.0
                over = self._over = threading.Event()
                thread_of(lambda: self._run(over), "health-look").start()
            over = self._over
        return self._seen if over.wait(max(0.0, wait_s - age_s)) else None

    def _run(self, over: threading.Event) -> None:
        try:
            self._seen = self._look()
        except Exception as error:
            log.error("a look for the health check broke down: %s", type(error).__name__)
            self._seen = BROKEN
        over.set()


class Health:
    """What the pages tell; before `watch`, the bot is starting."""

    def __init__(self) -> None:
        self._bot: Patient | None = None
        self._record: Look | None = None
        self._slack: Look | None = None

    def watch(self, bot: Patient) -> None:
        """Tell of this bot from now on."""
        self._record = Look(bot.look_at_record, fresh_s=FRESH_S)
        self._slack = Look(bot.look_at_slack, fresh_s=ASK_SLACK_EVERY_S)
        self._bot = bot

    def alive(self, request: HttpRequest) -> HttpAnswer:
        """Answer 200: whoever gets an answer at all has met a process that lives."""
        return as_json(HTTPStatus.OK, {"ok": True})

    def ready(self, request: HttpRequest) -> HttpAnswer:
        """Answer 200 where the bot can work, else 503 with the reason; no secret is in it."""
        reason = self.reason()
        remark = self._bot.remark if self._bot is not None else ""
        told = {"remark": remark} if remark else {}
        if reason:
            body = {"ok": False, "reason": reason, **told}
            return as_json(HTTPStatus.SERVICE_UNAVAILABLE, body)
        return as_json(HTTPStatus.OK, {"ok": True, **told})

    def reason(self) -> str:
        """Return why the bot cannot work, as half a sentence; "" where it can."""
        if self._bot is None or self._record is None or self._slack is None:
            return STARTING
        self._slack.result(0.0)  # not waited for: what it finds is the bot's trouble from then on
        if self._bot.trouble:
            return self._bot.trouble
        seen = self._record.result(WAIT_S)
        return LATE if seen is None else seen or self._bot.trouble
