"""Slack's client, set up so that it neither posts twice nor waits for ever."""

from __future__ import annotations

import logging
import os
import ssl
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol
from urllib.parse import urlsplit

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry import RateLimitErrorRetryHandler
from slack_sdk.http_retry.request import HttpRequest
from slack_sdk.http_retry.response import HttpResponse
from slack_sdk.http_retry.state import RetryState
from slack_sdk.web import SlackResponse

from bot.access import REFUSALS, Access
from bot.allowance import Allowance, StreamRoom
from bot.closings import Closings
from bot.reads_again import ReadsAgain
from bot.slack_errors import SLACK_TROUBLE, error_code
from bot.telemetry.slack_meter import SlackMeter

TIMEOUT_S = 20
QUICK_TIMEOUT_S = 5
MAX_RETRY_AFTER_S = 30
calls_log = logging.getLogger("bot.slack_calls")
"""Where the SDK writes; what it calls an error it raises too, and whoever called tells of it."""
calls_log.addFilter(
    lambda record: record.levelno < logging.ERROR or calls_log.isEnabledFor(logging.DEBUG)
)
WITH_THE_OTHER_TOKEN = "apps.connections.open"
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class PatientWithLimits(RateLimitErrorRetryHandler):
    """Waits out a rate limit, unless Slack asks for longer than anyone would wait.

    A call that was refused for its rate did nothing, so repeating it posts nothing twice. The
    SDK's own handler for broken connections may, and is left out.
    """

    meter: SlackMeter | None = None

    def _can_retry(
        self,
        *,
        state: RetryState,
        request: HttpRequest,
        response: HttpResponse | None = None,
        error: Exception | None = None,
    ) -> bool:
        if response is None or response.status_code != 429:
            return False
        if self.meter is not None:
            self.meter.put_off(urlsplit(request.url).path.rpartition("/")[2])
        return _retry_after_s(response) <= MAX_RETRY_AFTER_S


def _retry_after_s(response: HttpResponse) -> int:
    values = [each for name, each in response.headers.items() if name.lower() == "retry-after"]
    return int(values[0][0]) if values else 1


class Key(Protocol):
    """Where a token comes from that does not stay the same."""

    def token(self) -> str:
        """The token for a call that is to be made now."""

    def refused(self, token: str) -> bool:
        """Slack does not take `token`: is there another one by now?"""


class WatchedClient(WebClient):
    """Takes note when Slack refuses the bot's token itself or a channel, whoever called what."""

    access: Access | None = None
    closings: Closings | None = None
    key: Key | None = None
    """None: the token stays as it is."""
    meter: SlackMeter | None = None

    def api_call(self, api_method: str, **given: Any) -> SlackResponse:
        if self.meter is None:
            return self._call(api_method, given)
        with self.meter.calling(api_method):
            return self._call(api_method, given)

    def _call(self, api_method: str, given: dict[str, Any]) -> SlackResponse:
        if api_method == WITH_THE_OTHER_TOKEN:
            return super().api_call(api_method, **given)
        if self.key is not None:
            self.token = self.key.token()
        used = self.token or ""
        try:
            return super().api_call(api_method, **given)
        except SlackApiError as error:
            if not self._is_answered_by_a_new_token(error, used):
                self._take_note(api_method, error_code(error), given)
                raise
        return super().api_call(api_method, **given)  # what was refused so has done nothing

    def _is_answered_by_a_new_token(self, error: SlackApiError, used: str) -> bool:
        if self.key is None or error_code(error) not in REFUSALS or not self.key.refused(used):
            return False
        self.token = self.key.token()
        return True

    def _take_note(self, api_method: str, code: str, given: dict[str, Any]) -> None:
        if self.access is not None:
            self.access.refused(code)
        if self.closings is not None:
            self.closings.refused(api_method, code, given.get("json") or {})


@dataclass(frozen=True)
class Clients:
    """Two ways to call Slack with the same token."""

    patient: WebClient
    """For what must arrive: waits out rate limits."""
    quick: WebClient
    """For what may be left out, such as progress: one try, a short wait."""
    access: Access = field(default_factory=Access)
    """Whether Slack lets us in."""
    closings: Closings = field(default_factory=Closings)
    """Channels where Slack lets us say nothing any more."""
    streams: StreamRoom = field(default_factory=StreamRoom)
    """How many streamed messages there may be."""
    edits: Allowance = field(default_factory=Allowance)
    """How often steps may be shown by edits."""

    def measured_by(self, meter: SlackMeter) -> None:
        """Have each call counted from now on."""
        for client in (self.patient, self.quick):
            if isinstance(client, WatchedClient):
                client.meter = meter
            for handler in client.retry_handlers:
                if isinstance(handler, PatientWithLimits):
                    handler.meter = meter

    def may_work(self) -> bool:
        """Does Slack let us in? Where it last did not, it is asked again."""
        if not self.access.trouble:
            return True
        if self.access.is_lost_for_good:
            return False
        try:
            self.quick.auth_test()
        except SLACK_TROUBLE:
            return False
        self.access.regain()
        return True


def make_clients(
    token: str, url: str, *, key: Key | None = None, access: Access | None = None
) -> Clients:
    """Return the clients for the Web API at `url`. Nothing is called yet.

    With `key` the token is asked of it before each call.
    """
    spare_loopback_the_proxy(url)
    patient = WatchedClient(
        token,
        base_url=url,
        timeout=TIMEOUT_S,
        ssl=_trusted(),
        retry_handlers=[PatientWithLimits(max_retry_count=3), ReadsAgain()],
        logger=calls_log,
    )
    quick = WatchedClient(
        token,
        base_url=url,
        timeout=QUICK_TIMEOUT_S,
        ssl=_trusted(),
        retry_handlers=[],
        logger=calls_log,
    )
    clients = Clients(patient, quick, access or Access())
    patient.access = quick.access = clients.access
    patient.closings = quick.closings = clients.closings
    patient.key = quick.key = key
    return clients


@cache
def _trusted() -> ssl.SSLContext:
    """Whom this machine trusts: the SDK would read all certificates anew for each connection."""
    return ssl.create_default_context()


def is_loopback(url: str) -> bool:
    """Is that a Slack on this machine?"""
    return urlsplit(url).hostname in LOOPBACK


def spare_loopback_the_proxy(url: str) -> None:
    """Keep this process's calls to a Slack on this machine away from any proxy.

    The SDK takes HTTP_PROXY even for loopback; urllib, which it calls with, heeds NO_PROXY.
    """
    host = urlsplit(url).hostname or ""
    spared = os.environ.get("NO_PROXY") or os.environ.get("no_proxy") or ""
    if is_loopback(url) and host not in spared.split(","):
        os.environ["NO_PROXY"] = os.environ["no_proxy"] = ",".join(filter(None, [spared, host]))
