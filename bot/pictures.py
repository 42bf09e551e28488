"""Charts as Slack files: uploaded for nobody but us, then shown inside the card."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence

from agent.messages import Chart
from bot.clients import Clients
from bot.render.text import clip, inert
from bot.slack_errors import SLACK_TROUBLE, Remedy, remedy_for, what_went_wrong

log = logging.getLogger(__name__)

READY_WITHIN_S = 12.0
"""Slack looks at a file before it can be shown; longer than this nobody waits for a picture."""
FIRST_LOOK_S = 0.2
MAX_ALT_TEXT = 1000
MAX_TITLE = 200

FileIds = Sequence[str | None]
"""Of each chart the file that shows it; None where that could not be had."""


def upload_charts(
    clients: Clients, charts: Sequence[Chart], ready_within_s: float, *, given_up: threading.Event
) -> list[str | None]:
    """Return the file id of each chart, ready to be shown; None for one that could not be had.

    Once `given_up` is set, nothing is waited for any more.
    """
    ids = [None if given_up.is_set() else _upload(clients, chart) for chart in charts]
    deadline = time.monotonic() + ready_within_s
    return [
        file_id if file_id and _is_ready(clients, file_id, deadline, given_up) else None
        for file_id in ids
    ]


def _upload(clients: Clients, chart: Chart) -> str | None:
    try:
        answer = clients.patient.files_upload_v2(
            filename="chart.png",
            content=chart.png,
            title=clip(inert(chart.title), MAX_TITLE) or "Chart",
            alt_txt=clip(inert(chart.alt_text), MAX_ALT_TEXT),
        )
        return str(answer["files"][0]["id"])
    except SLACK_TROUBLE as error:
        log.warning("a chart could not be uploaded: %s", what_went_wrong(error))
        return None


def _is_ready(clients: Clients, file_id: str, deadline: float, given_up: threading.Event) -> bool:
    pause_s = FIRST_LOOK_S
    while True:
        try:
            # A file has no type as long as Slack has not looked at it.
            if clients.patient.files_info(file=file_id)["file"].get("mimetype"):
                return True
        except SLACK_TROUBLE as error:
            log.warning("chart %s could not be looked up: %s", file_id, what_went_wrong(error))
            if remedy_for(error) is Remedy.NOTHING:
                return False
        if time.monotonic() + pause_s > deadline:
            log.warning("chart %s was not ready in time", file_id)
            return False
        if given_up.wait(pause_s):
            return False
        pause_s = min(pause_s * 1.6, 2.0)
