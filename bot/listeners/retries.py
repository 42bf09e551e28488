"""Events that Slack sends again, since nobody acknowledged them in time: the log tells of them."""

from __future__ import annotations

import logging
from collections.abc import Callable

from slack_bolt import App, BoltRequest, BoltResponse

log = logging.getLogger(__name__)


def register(app: App) -> None:
    """Tell of each event that comes again, and let it go on: the claim knows whether it is new.

    Bolt's adapters give what the envelope says as headers, over Socket Mode and over HTTP alike; a
    first delivery over Socket Mode has "0".
    """

    def note(req: BoltRequest, next: Callable[[], BoltResponse]) -> BoltResponse:
        attempt = _first(req, "x-slack-retry-num")
        if attempt not in ("", "0"):
            log.warning(
                "Slack sends event %s again: attempt %s, %s",
                req.body.get("event_id", "?"),
                attempt,
                _first(req, "x-slack-retry-reason") or "no reason given",
            )
        return next()

    app.use(note)


def _first(req: BoltRequest, header: str) -> str:
    return str((req.headers.get(header) or [""])[0])
