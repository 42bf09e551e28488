"""The Stop button of a message that says how far a run is."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any, Final

from slack_bolt import Ack, App

from bot.listeners.clicks import Click, Clicks
from bot.listeners.session_stop import SessionStop, not_yours
from bot.pool import Pool
from bot.render import render_notice
from bot.render.working import STOP
from bot.store import StoreUnavailable

log = logging.getLogger(__name__)

NOT_FROM_HERE: Final = (
    "I could not stop this question just now. Write “stop” in its thread to try again."
)


@dataclass(frozen=True)
class StopButton:
    """Stops the run of a message, for who asked it and for administrators."""

    clicks: Clicks
    stop: SessionStop

    def press(self, click: Click) -> None:
        """Stop the run, or say why not. Of a run that is over, nothing is said or done."""
        try:
            run = self.stop.find(click.value)
        except StoreUnavailable as fault:
            log.error("nobody knows whether a run goes on: %s", fault.detail)
            self.clicks.tell(click, render_notice(NOT_FROM_HERE))
            return
        asker = None if run is None else self.stop.refused(run, click.user)
        if asker is not None:
            self.clicks.tell(click, not_yours(asker))


def register(app: App, *, button: StopButton, errands: Pool) -> None:
    """Listen to clicks on Stop."""

    def clicked(ack: Ack, body: dict[str, Any], action: dict[str, Any]) -> None:
        ack()
        click = Click.of(body, action, button.clicks.me)
        errands.submit(lambda: button.press(click))

    app.action(STOP)(clicked)
