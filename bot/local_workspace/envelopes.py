"""An envelope to an app, the sendings of it, and the connections that carry them."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any, Protocol

Json = dict[str, Any]


class Carrier(Protocol):
    """What brings envelopes to an app."""

    @property
    def id(self) -> str:
        """Its name in the ledger."""

    def send(self, frame: Json, /) -> None:
        """Queues a frame; never blocks."""


class Caller(Carrier, Protocol):
    """Calls an app over HTTP."""

    def can_carry(self, envelope: Json) -> bool:
        """Whether there is an address for it."""


class Connection(Carrier, Protocol):
    """One WebSocket of an app."""

    def disconnect(self, reason: str) -> None:
        """Says goodbye with a reason, and closes unless it is only a warning."""

    def drop(self) -> None:
        """Cuts the connection without a word."""

    def close(self) -> None:
        """Ends the connection with a close frame."""

    def cut_next(self) -> None:
        """Lets the connection end in the middle of the next frame."""


@dataclass(slots=True)
class Attempt:
    """One sending of an envelope. Times are monotonic seconds."""

    number: int
    connection: str | None
    sent_at: float
    acked_at: float | None = None
    refused: bool = False


@dataclass(slots=True)
class Delivery:
    """An envelope and what became of it."""

    app_id: str
    envelope: Json
    redeliver: bool
    attempts: list[Attempt] = field(default_factory=list)
    ack_payload: Any = None
    failure: str = "timeout"
    """Why the newest sending came to nothing, in Slack's words for a retry."""
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def acked(self) -> bool:
        """Whether the app has acknowledged it, in time or late."""
        return any(attempt.acked_at is not None for attempt in self.attempts)

    @property
    def fates(self) -> list[str]:
        """What is counted of it: `unheard` is lost, but whoever did it was told so."""
        counted = ["sent", *(["again"] if len(self.attempts) > 1 else [])]
        if not self.acked:
            over = "lost" if self.redeliver else "unheard"
            counted.append(over if self.done.is_set() else "open")
        return counted

    def as_json(self) -> Json:
        """The row of the ledger, delays in milliseconds."""
        return {
            "envelope_id": self.envelope["envelope_id"],
            "type": self.envelope["type"],
            "event_id": self.envelope["payload"].get("event_id"),
            "payload": self.envelope["payload"],
            "acked": self.acked,
            "settled": self.done.is_set(),
            "ack_payload": self.ack_payload,
            "attempts": [
                {
                    "retry_attempt": attempt.number,
                    "connection": attempt.connection,
                    "ack_ms": (
                        None
                        if attempt.acked_at is None
                        else round((attempt.acked_at - attempt.sent_at) * 1000, 1)
                    ),
                }
                for attempt in self.attempts
            ],
        }
