"""POST /slack/events: events, commands and clicks, once Slack's signature is seen to be right."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qsl

from slack_bolt import BoltRequest, BoltResponse
from slack_sdk.signature import SignatureVerifier

from bot.http.exchange import (
    NO_RETRY,
    HttpAnswer,
    HttpRequest,
    as_json,
    from_bolt,
    plain,
)
from bot.listeners.recent import Recent

PATH: Final = "/slack/events"
FORM: Final = "application/x-www-form-urlencoded"
PASSED_ON: Final = ("content-type", "x-slack-retry-num", "x-slack-retry-reason")
"""The headers that Bolt gets to see; some others would steer it."""
MAX_FIELDS: Final = 100
TIMESTAMP_DIGITS: Final = 12
REMEMBERED: Final = 10_000
"""Signatures of what people did; older ones than five minutes are good for nothing."""

Take = Callable[[BoltRequest], BoltResponse | None]
"""Has a request worked on, or gives None while nothing is taken."""

log = logging.getLogger(__name__)


class SlackRequests:
    """The page that Slack calls. Nothing is read before the signature is checked."""

    def __init__(self, signing_secret: str, take: Take) -> None:
        """`take` gets what is signed and can be read."""
        self._verifier = SignatureVerifier(signing_secret)
        self._take = take
        self._taken = Recent(REMEMBERED)

    def __call__(self, request: HttpRequest) -> HttpAnswer:
        """Answer one request within Slack's three seconds, as far as it is up to us."""
        if not self._is_signed(request):
            return plain(HTTPStatus.UNAUTHORIZED)
        body = _read_body(request)
        if body is None:
            return plain(HTTPStatus.BAD_REQUEST, NO_RETRY)
        if body.get("type") == "url_verification":
            return as_json(HTTPStatus.OK, {"challenge": str(body.get("challenge", ""))})
        if body.get("ssl_check") == "1":
            return HttpAnswer(HTTPStatus.OK)
        if "trigger_id" in body:
            return self._hand_over_once(request, body)
        return self._hand_over(request, body)  # of an event, the claim knows whether it is new

    def _hand_over_once(self, request: HttpRequest, body: dict[str, Any]) -> HttpAnswer:
        """Take what people do once: Slack never sends that again, but who overheard it may."""
        signature = request.headers["x-slack-signature"]
        if not self._taken.add(signature):
            log.warning("a command or a click was sent a second time: it is left")
            return HttpAnswer(HTTPStatus.OK)
        is_taken = False
        try:
            answer = self._hand_over(request, body)
            is_taken = answer.status == HTTPStatus.OK
        finally:
            if not is_taken:
                self._taken.forget(signature)
        return answer

    def _is_signed(self, request: HttpRequest) -> bool:
        stamp = request.headers.get("x-slack-request-timestamp", "")
        signature = request.headers.get("x-slack-signature", "")
        # The verifier breaks down over what is no number, no ASCII or no UTF-8.
        if not (stamp.isascii() and stamp.isdigit() and len(stamp) <= TIMESTAMP_DIGITS):
            return False
        try:
            return signature.isascii() and self._verifier.is_valid(request.body, stamp, signature)
        except UnicodeDecodeError:
            return False

    def _hand_over(self, request: HttpRequest, body: dict[str, Any]) -> HttpAnswer:
        headers: dict[str, str | Sequence[str]] = {
            name: request.headers[name] for name in PASSED_ON if name in request.headers
        }
        # Parsed already, as from a socket: Bolt's own reading of forms loses a command that has
        # the word "payload" in its text.
        response = self._take(BoltRequest(body=body, mode="socket_mode", headers=headers))
        if response is None or response.status == HTTPStatus.SERVICE_UNAVAILABLE:
            return plain(HTTPStatus.SERVICE_UNAVAILABLE)  # Slack sends events again
        if response.status == HTTPStatus.OK:
            return from_bolt(response)
        if response.status == HTTPStatus.NOT_FOUND:
            log.warning("Slack sent something that nothing here listens to: %s", _kind(body))
            return plain(HTTPStatus.NOT_FOUND, NO_RETRY)
        return plain(HTTPStatus.INTERNAL_SERVER_ERROR)


def _read_body(request: HttpRequest) -> dict[str, Any] | None:
    """Return an event, a command or an interaction; None for what is none of them."""
    try:
        text = request.body.decode()
        if request.content_type == "application/json":
            read = json.loads(text)
        elif request.content_type == FORM:
            fields = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=MAX_FIELDS))
            read = json.loads(fields["payload"]) if "payload" in fields else fields
        else:
            return None
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, dict) and read else None


def _kind(body: dict[str, Any]) -> str:
    event = body.get("event")
    kind = event.get("type") if isinstance(event, dict) else body.get("type", body.get("command"))
    return repr(str(kind))[:80]
