"""Envelopes to the app: sent over any of its connections, acknowledged, or sent again.

Everything that was ever sent stays in the ledger, with the delay of its acknowledgement.
"""

from __future__ import annotations

import heapq
import itertools
import logging
import random
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable
from typing import Any

from bot.local_workspace.envelopes import Attempt, Caller, Carrier, Connection, Delivery, Json
from bot.local_workspace.faults import Faults

log = logging.getLogger(__name__)

ACK_WITHIN_S = 3.0
# Slack sends an event again nearly at once, after a minute, and after five.
RETRY_PAUSES_S = (0.0, 60.0, 300.0)
MAX_CONNECTIONS = 10
LEDGER_ROWS = 5000
NUMBERED = ("sent", "again", "open", "lost", "unheard")


class Deliveries:
    """The sending side of Socket Mode for every app of the workspace."""

    def __init__(
        self,
        ack_within_s: float = ACK_WITHIN_S,
        retry_pauses_s: tuple[float, ...] = RETRY_PAUSES_S,
    ) -> None:
        self.ack_within_s = ack_within_s
        self.retry_pauses_s = retry_pauses_s
        self.faults = Faults()
        self._lock = threading.Condition()
        self._connections: dict[str, list[Connection]] = {}
        self._callers: dict[str, Caller] = {}
        self._ledger: dict[str, Delivery] = {}
        self._due: list[tuple[float, int, str, str, int]] = []
        self._order = itertools.count()
        self._forgotten: Counter[str] = Counter()
        self._closed = False
        self._clock = threading.Thread(target=self._run, name="workspace-deliveries", daemon=True)
        self._clock.start()

    # -- connections

    def join(self, app_id: str, connection: Connection, hello: Callable[[int], Json]) -> bool:
        """Registers a connection and greets it. False when the app has too many already.

        `hello` makes the greeting from the number of connections. No envelope comes before it.
        """
        with self._lock:
            open_now = self._connections.setdefault(app_id, [])
            if len(open_now) >= MAX_CONNECTIONS:
                return False
            open_now.append(connection)
            connection.send(hello(len(open_now)))
            return True

    def leave(self, app_id: str, connection: Connection) -> None:
        """Forgets a connection that has ended."""
        with self._lock:
            if connection in self._connections.get(app_id, []):
                self._connections[app_id].remove(connection)

    def call_over_http(self, app_id: str, caller: Caller) -> None:
        """Lets an app be called over HTTP from now on, and over no socket."""
        with self._lock:
            self._callers[app_id] = caller

    def connections(self, app_id: str) -> list[Connection]:
        """The open connections of an app."""
        with self._lock:
            return list(self._connections.get(app_id, []))

    # -- sending

    def send(self, app_id: str, kind: str, payload: Json, *, accepts_response: bool) -> Delivery:
        """Sends a payload to the app. Events are sent again when nobody acknowledges them."""
        events = kind == "events_api"
        if events and self.faults.is_due("duplicate_event"):
            self._send(app_id, kind, payload, accepts_response)
        return self._send(app_id, kind, payload, accepts_response)

    def _send(self, app_id: str, kind: str, payload: Json, accepts_response: bool) -> Delivery:
        envelope: Json = {
            "envelope_id": str(uuid.uuid4()),
            "type": kind,
            "accepts_response_payload": accepts_response,
            "payload": payload,
        }
        delivery = Delivery(app_id, envelope, redeliver=kind == "events_api")
        with self._lock:
            self._ledger[envelope["envelope_id"]] = delivery
            if len(self._ledger) > LEDGER_ROWS:
                self._forget(self._ledger.pop(next(iter(self._ledger))))
            self._attempt(delivery)
        return delivery

    def refuse(self, envelope: Json, failure: str, *, again: bool) -> None:
        """Notes that a sending came to nothing, and why; events are sent `again`."""
        with self._lock:
            delivery = self._ledger.get(envelope["envelope_id"])
            number = envelope.get("retry_attempt", 0)
            if delivery is None or delivery.acked or number != len(delivery.attempts) - 1:
                return
            delivery.failure = failure
            delivery.attempts[-1].refused = True
            if again:
                self._missed(delivery)
            else:
                delivery.done.set()

    def acknowledge(self, envelope_id: str, payload: Any, connection: Carrier) -> bool:
        """Notes an acknowledgement. False when the envelope is unknown, or it was too late."""
        at = time.monotonic()
        with self._lock:
            delivery = self._ledger.get(envelope_id)
            if delivery is None or delivery.acked:
                return False
            if delivery.redeliver and self.faults.is_due("redelivery"):  # as if it got lost
                self._attempt(delivery)
                return True
            attempt = next(
                (each for each in reversed(delivery.attempts) if each.connection == connection.id),
                delivery.attempts[-1],
            )
            attempt.acked_at = at
            late = delivery.done.is_set()
            if delivery.envelope["accepts_response_payload"] and not late:
                delivery.ack_payload = payload
            delivery.done.set()
            return not late

    def ledger(self) -> list[Json]:
        """Every delivery so far, oldest first."""
        with self._lock:
            return [delivery.as_json() for delivery in self._ledger.values()]

    def counts(self) -> dict[str, int]:
        """How many envelopes there were, by NUMBERED; people are told of what is `unheard`."""
        with self._lock:
            now = Counter(self._forgotten)
            for delivery in self._ledger.values():
                now.update(delivery.fates)
            return {name: now[name] for name in NUMBERED}

    def close(self) -> None:
        """Stops sending again, and releases everybody who waits."""
        with self._lock:
            self._closed = True
            for delivery in self._ledger.values():
                delivery.done.set()
            self._lock.notify_all()
        self._clock.join(timeout=5)

    # -- attempts and their deadlines; called with the lock held

    def _forget(self, delivery: Delivery) -> None:
        delivery.done.set()
        self._forgotten.update(delivery.fates)

    def _attempt(self, delivery: Delivery) -> None:
        number = len(delivery.attempts)
        if delivery.redeliver:
            delivery.envelope["retry_attempt"] = number
            delivery.envelope["retry_reason"] = delivery.failure if number else ""
        carrier = self._carrier(delivery)
        delivery.attempts.append(Attempt(number, carrier.id if carrier else None, time.monotonic()))
        if carrier is not None:
            carrier.send(dict(delivery.envelope))
        elif not delivery.redeliver:
            delivery.done.set()
            return
        self._schedule(self.ack_within_s, "deadline", delivery)

    def _carrier(self, delivery: Delivery) -> Carrier | None:
        caller = self._callers.get(delivery.app_id)
        if caller is not None:
            delivery.failure = "http_timeout"
            return caller if caller.can_carry(delivery.envelope) else None
        open_now = self._connections.get(delivery.app_id, [])
        if not open_now:
            return None
        # Slack promises no pattern: any connection may get it.
        connection = random.choice(open_now)
        self._disturb(connection)
        return connection

    def _disturb(self, connection: Connection) -> None:
        if self.faults.is_due("cut_frame", "frame"):
            connection.cut_next()
        elif self.faults.is_due("drop_socket", "socket"):
            connection.drop()
        elif self.faults.is_due("refresh", "socket"):
            connection.disconnect("warning")
            connection.disconnect("refresh_requested")

    def _schedule(self, pause_s: float, what: str, delivery: Delivery) -> None:
        at = time.monotonic() + pause_s
        number = len(delivery.attempts) - 1
        row = (at, next(self._order), what, str(delivery.envelope["envelope_id"]), number)
        heapq.heappush(self._due, row)
        self._lock.notify_all()

    def _run(self) -> None:
        with self._lock:
            while not self._closed:
                if not self._due:
                    self._lock.wait()
                    continue
                wait_s = self._due[0][0] - time.monotonic()
                if wait_s > 0:
                    self._lock.wait(wait_s)
                    continue
                _, _, what, envelope_id, number = heapq.heappop(self._due)
                delivery = self._ledger.get(envelope_id)
                if delivery is None or delivery.acked:
                    continue
                if what == "retry":
                    self._attempt(delivery)
                elif not delivery.attempts[number].refused:
                    self._missed(delivery)

    def _missed(self, delivery: Delivery) -> None:
        retries = len(delivery.attempts) - 1
        if delivery.redeliver and retries < len(self.retry_pauses_s):
            self._schedule(self.retry_pauses_s[retries], "retry", delivery)
            return
        log.info(
            "%s %s was never acknowledged",
            delivery.envelope["type"],
            delivery.envelope["envelope_id"],
        )
        delivery.done.set()
