"""How long Slack waits for an acknowledgement, as far as it is up to us."""

from __future__ import annotations

from slack_bolt import BoltRequest, BoltResponse

from bot.http.way_in import Dispatcher
from bot.telemetry.instruments import Instruments


class Acknowledging:
    """Stands before the listeners, whichever way Slack's events come in."""

    def __init__(self, listeners: Dispatcher, instruments: Instruments) -> None:
        self._listeners = listeners
        self._instruments = instruments

    def dispatch(self, req: BoltRequest) -> BoltResponse:
        """Run the listeners; what they acknowledge with goes out as they return."""
        with self._instruments.ack.time():
            return self._listeners.dispatch(req)
