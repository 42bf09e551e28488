"""What only reads is asked again where the connection broke: that does nothing twice."""

from __future__ import annotations

from http.client import HTTPException
from typing import Final

from slack_sdk.http_retry import FixedValueRetryIntervalCalculator, RetryHandler
from slack_sdk.http_retry.request import HttpRequest
from slack_sdk.http_retry.response import HttpResponse
from slack_sdk.http_retry.state import RetryState

TIMES: Final = 2
PAUSE_S: Final = 0.3
READS: Final = frozenset(
    {
        *("auth.test", "bots.info", "team.info", "users.info", "files.info"),
        *("conversations.info", "conversations.members"),
        *("conversations.history", "conversations.replies", "chat.getPermalink"),
    }
)
"""Methods that change nothing."""


class ReadsAgain(RetryHandler):
    """Repeats a call that reads, where the connection broke or Slack's servers are in trouble.

    Whoever asks in that moment is else refused, since nobody could say who they are. A call that
    had no answer in time is not repeated: it has taken long enough.
    """

    def __init__(self) -> None:
        super().__init__(TIMES, FixedValueRetryIntervalCalculator(PAUSE_S))

    def _can_retry(
        self,
        *,
        state: RetryState,
        request: HttpRequest,
        response: HttpResponse | None = None,
        error: Exception | None = None,
    ) -> bool:
        if request.url.partition("?")[0].rpartition("/")[2] not in READS:
            return False
        if response is not None:
            return response.status_code >= 500
        cause = getattr(error, "reason", error)
        is_broken = isinstance(cause, OSError | HTTPException)
        return is_broken and not isinstance(cause, TimeoutError)
