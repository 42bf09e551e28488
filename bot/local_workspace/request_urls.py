"""Events, commands and clicks for an app that has request URLs: signed POSTs, as Slack sends them.

An app with Socket Mode off is called at these addresses, and over no socket.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import json
import logging
import secrets
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from bot.local_workspace.deliveries import Deliveries
from bot.local_workspace.envelopes import Json
from bot.local_workspace.errors import UrlNotVerified

AT_ONCE = 32
FORM = "application/x-www-form-urlencoded"
JSON = "application/json"
MAX_ANSWER = 1_000_000
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class RequestUrls:
    """Where an app is called: for events, for what people do, and for each command by its name."""

    events: str = ""
    interactions: str = ""
    commands: Mapping[str, str] = field(default_factory=dict)

    def of(self, envelope: Json) -> str:
        """The address for one envelope."""
        if envelope["type"] == "slash_commands":
            return self.commands.get(envelope["payload"]["command"], "")
        return self.events if envelope["type"] == "events_api" else self.interactions


@dataclass(frozen=True)
class Answer:
    """What an app answered to a POST."""

    status: int
    headers: Mapping[str, str]
    body: str

    @property
    def is_json(self) -> bool:
        """Whether it says that its body is JSON."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower() == JSON


class HttpLink:
    """Calls one app at its request URLs; an answer in time is its acknowledgement."""

    def __init__(self, deliveries: Deliveries, urls: RequestUrls, signing_secret: str = "") -> None:
        self.id = "http"
        self.signing_secret = signing_secret or secrets.token_hex(16)
        self._deliveries = deliveries
        self._urls = urls
        self._verified = ""
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="workspace-call")
        self._closed = threading.Event()

    def change(self, urls: RequestUrls) -> None:
        """Puts other addresses in place, and asks the one for events to prove itself.

        Raises UrlNotVerified.
        """
        challenge = secrets.token_urlsafe(32)
        body = {"token": "local-workspace", "challenge": challenge, "type": "url_verification"}
        try:
            answer = self._post(urls.events, json.dumps(body), JSON, {})
        except OSError as error:
            raise UrlNotVerified(urls.events, type(error).__name__) from error
        if answer.status != 200 or _echo(answer) != challenge:
            raise UrlNotVerified(urls.events, f"status {answer.status} without the challenge")
        self._urls, self._verified = urls, urls.events

    def can_carry(self, envelope: Json) -> bool:
        """Whether there is an address for it; one for events must have proved itself."""
        url = self._urls.of(envelope)
        return bool(url) and (envelope["type"] != "events_api" or url == self._verified)

    def send(self, envelope: Json) -> None:
        """Calls the app, in another thread."""
        if not self._closed.is_set():
            self._pool.submit(self._call, envelope)

    def close(self) -> None:
        """Calls nobody any more."""
        self._closed.set()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _call(self, envelope: Json) -> None:
        begun = time.monotonic()
        try:
            text, kind = _body(envelope)
            answer = self._post(self._urls.of(envelope), text, kind, _retry_headers(envelope))
        except TimeoutError:
            return  # as Slack does: the deadline is noticed by itself
        except (OSError, http.client.HTTPException) as error:
            log.info("%s could not be called: %s", envelope["type"], type(error).__name__)
            self._deliveries.refuse(envelope, "connection_failed", again=True)
            return
        if time.monotonic() - begun > self._deliveries.ack_within_s:
            return
        payload = _payload(envelope, answer)
        if payload is None:
            log.info("%s was answered with %s", envelope["type"], answer.status)
            again = answer.headers.get("x-slack-no-retry") != "1"
            self._deliveries.refuse(envelope, "http_error", again=again)
        else:
            self._deliveries.acknowledge(str(envelope["envelope_id"]), payload, self)

    def _post(self, url: str, text: str, kind: str, headers: Mapping[str, str]) -> Answer:
        stamp = str(int(time.time()))
        signed = f"v0:{stamp}:{text}".encode()
        mac = hmac.new(self.signing_secret.encode(), signed, hashlib.sha256).hexdigest()
        parts = urlsplit(url)
        connection = http.client.HTTPConnection(
            parts.hostname or "", parts.port or 80, timeout=self._deliveries.ack_within_s
        )
        try:
            where = parts.path or "/"
            connection.request(
                "POST",
                f"{where}?{parts.query}" if parts.query else where,
                text.encode(),
                {
                    "Content-Type": kind,
                    "User-Agent": "Slackbot 1.0 (local workspace)",
                    "X-Slack-Request-Timestamp": stamp,
                    "X-Slack-Signature": f"v0={mac}",
                    **headers,
                },
            )
            reply = connection.getresponse()
            names = {name.lower(): value for name, value in reply.getheaders()}
            body = reply.read(MAX_ANSWER).decode(errors="replace")
            return Answer(reply.status, names, body)
        finally:
            connection.close()


def _body(envelope: Json) -> tuple[str, str]:
    payload = envelope["payload"]
    if envelope["type"] == "events_api":
        return json.dumps(payload), JSON
    if envelope["type"] == "slash_commands":
        return urlencode(payload), FORM
    return urlencode({"payload": json.dumps(payload)}), FORM


def _retry_headers(envelope: Json) -> dict[str, str]:
    if not envelope.get("retry_attempt"):
        return {}
    return {
        "X-Slack-Retry-Num": str(envelope["retry_attempt"]),
        "X-Slack-Retry-Reason": str(envelope["retry_reason"]),
    }


def _payload(envelope: Json, answer: Answer) -> Any:
    """What the app acknowledges with, {} where with nothing; None where it is no acknowledgement.

    The text that answers a command is shown as it is; a modal takes JSON and nothing else.
    """
    is_event = envelope["type"] == "events_api"
    if not (200 <= answer.status < 300 if is_event else answer.status == 200):
        return None
    if not envelope["accepts_response_payload"] or not answer.body.strip():
        return {}
    if not answer.is_json:
        return {"text": answer.body} if envelope["type"] == "slash_commands" else None
    try:
        read = json.loads(answer.body)
    except ValueError:
        return None
    return read if isinstance(read, dict) else None


def _echo(answer: Answer) -> str:
    """The challenge as the app gives it back: as JSON, or as it is."""
    if not answer.is_json:
        return answer.body.strip()
    try:
        read = json.loads(answer.body)
    except ValueError:
        return ""
    return str(read.get("challenge", "")) if isinstance(read, dict) else ""
