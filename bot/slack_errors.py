"""What may go wrong when Slack is called, sorted by what helps."""

from __future__ import annotations

import logging
import socket
import ssl
from enum import Enum
from http.client import HTTPException
from typing import Final

from slack_sdk.errors import SlackApiError, SlackClientError

from agent.errors import Fault
from bot.access import REFUSALS
from bot.closings import CLOSED

SLACK_TROUBLE = (SlackClientError, OSError, HTTPException, ValueError)
"""Everything that a call may raise: a refusal, a broken connection, an answer that is no JSON."""


class SlackUnavailable(Fault):
    """Slack cannot be reached."""


class Remedy(Enum):
    """What to try after a call went wrong."""

    SIMPLER = "simpler"  # the blocks or the text were refused: send less
    ANEW = "anew"  # the message is not there any more: post another
    AGAIN = "again"  # a passing trouble: the same once more, if it may be repeated
    NOTHING = "nothing"  # no right, no channel, no token


_SIMPLER = frozenset(
    {
        "invalid_blocks",
        "invalid_blocks_format",
        "msg_blocks_too_long",
        "msg_too_long",
        "no_text",
        "invalid_arguments",
        "only_one_table_allowed",
        "too_many_attachments",
    }
)
GONE: Final = "message_not_found"
_ANEW = frozenset({GONE, "cant_update_message", "edit_window_closed"})
_AGAIN = frozenset(
    {
        "ratelimited",
        "rate_limited",
        "internal_error",
        "fatal_error",
        "service_unavailable",
        "request_timeout",
        "streaming_state_conflict",
    }
)

_NO_RIGHT = frozenset({"missing_scope", "not_allowed_token_type", "no_permission"})
_RESTRICTED = "restricted_action"
"""How Slack's words begin for what a workspace or a channel lets only some people do."""


def remedy_for(error: BaseException) -> Remedy:
    """Return what may help after `error`, one of SLACK_TROUBLE."""
    if not isinstance(error, SlackApiError):
        return Remedy.AGAIN
    code = error_code(error)
    if code in _SIMPLER:
        return Remedy.SIMPLER
    if code in _ANEW:
        return Remedy.ANEW
    return Remedy.AGAIN if code in _AGAIN or error.response.status_code >= 500 else Remedy.NOTHING


def error_code(error: BaseException) -> str:
    """Return Slack's word for a refusal, or "" where the trouble is another."""
    return str(error.response.get("error", "")) if isinstance(error, SlackApiError) else ""


def is_hopeless(error: BaseException) -> bool:
    """Does Slack let us say nothing there, in whatever message?"""
    code = error_code(error)
    return code in CLOSED or code in REFUSALS or code in _NO_RIGHT or code.startswith(_RESTRICTED)


def was_not_taken(error: BaseException) -> bool:
    """Is it certain that Slack did nothing, so that even a post may be repeated?"""
    reason = getattr(error, "reason", error)
    refused = isinstance(reason, ConnectionRefusedError | socket.gaierror)
    return refused or error_code(error) in ("ratelimited", "rate_limited")


def retry_after_s(error: BaseException) -> float:
    """Return how long Slack wants us to wait, in seconds; 0 where it does not say."""
    if not isinstance(error, SlackApiError):
        return 0.0
    headers = {name.lower(): value for name, value in error.response.headers.items()}
    try:
        return float(headers.get("retry-after", 0))
    except ValueError:
        return 0.0


def what_went_wrong(error: BaseException) -> str:
    """Return one line for the log: Slack's word and its details, or the exception's."""
    if isinstance(error, SlackApiError):
        details = (error.response.get("response_metadata") or {}).get("messages") or []
        needed = error.response.get("needed")
        more = [*details, *([f"needed scope: {needed}"] if needed else [])]
        return " ".join([error_code(error) or "refused", *(f"({each})" for each in more)])
    return f"{type(error).__name__}: {error}"


def level_of(error: BaseException) -> int:
    """Return the log level of what went wrong with looking at a channel.

    Nothing did where it is closed to us: a command may be typed anywhere.
    """
    return logging.INFO if error_code(error) == "channel_not_found" else logging.WARNING


def why_unreachable(error: BaseException) -> str:
    """Return half a sentence for the person who set us up: "nobody knows its name here"."""
    if isinstance(error, SlackApiError):
        code = error_code(error)
        return f"it says {code!r}" if code else "it refuses, and does not say why"
    cause = getattr(error, "reason", error)
    if isinstance(cause, socket.gaierror):
        return "nobody knows its name here"
    if isinstance(cause, ConnectionRefusedError):
        return "the connection is refused"
    if isinstance(cause, TimeoutError):
        return "it does not answer in time"
    if isinstance(cause, ssl.SSLCertVerificationError):
        return "its certificate is not trusted here"
    if isinstance(cause, OSError):
        return "there is no connection"
    return "what answers there is not Slack"
