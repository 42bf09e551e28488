"""The bots in all workspaces: each made once, when it is first needed, and anew where it has to."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Final

from agent.errors import Fault
from bot.installations.seat import Seat

log = logging.getLogger(__name__)

MAKERS: Final = 4
AGAIN_AFTER_S: Final = 5.0
"""Between two tries to make the bot of a workspace, in seconds."""
STOP_WITHIN_S: Final = 5.0
"""How long `stop` waits for bots that are being made, in seconds."""


class Seats:
    """Makes, keeps and ends them; safe to share between threads."""

    def __init__(self, make: Callable[[str], Seat | None]) -> None:
        """`make` gives the bot of a workspace, None where there can be none; it may take long."""
        self._make = make
        self._lock = threading.Lock()
        self._seats: dict[str, Seat] = {}
        self._leaving: list[Seat] = []
        """Those that another has taken the place of, as long as something runs in them."""
        self._coming: dict[str, Future[Seat | None]] = {}
        self._tried: dict[str, tuple[float, Fault | None]] = {}
        """When a bot was last made, and what kept it from being."""
        self._makers = ThreadPoolExecutor(MAKERS, "workspace-start")
        self._over = False

    def all(self) -> dict[str, Seat]:
        """Return the bots that there are, by workspace."""
        with self._lock:
            return dict(self._seats)

    def working(self) -> list[Seat]:
        """Return all in which something may run."""
        with self._lock:
            return [*self._seats.values(), *self._leaving]

    def get(self, team: str, within_s: float) -> Seat | None:
        """Return the bot of a workspace, made if need be; None where there is none to be made.

        Raises `TimeoutError` where it takes longer than `within_s` seconds, or the `Fault` that
        kept it, as for a few seconds more.
        """
        with self._lock:
            seat = self._seats.get(team)
            at, fault = self._tried.get(team, (float("-inf"), None))
        if seat is not None and not seat.is_lost:
            return seat
        if time.monotonic() - at < AGAIN_AFTER_S:
            if fault is not None:
                raise fault
            return seat
        return self.begin(team).result(within_s)

    def begin(self, team: str) -> Future[Seat | None]:
        """Have the bot of a workspace made, or made anew where it has to; one at a time."""
        with self._lock:
            coming = self._coming.get(team)
            if coming is None:
                coming = self._coming[team] = self._makers.submit(self._bring, team)
            return coming

    def renew(self, team: str) -> None:
        """The app was installed in a workspace a moment ago: have its bot made, or made anew."""
        with self._lock:
            self._tried.pop(team, None)
        self.begin(team)

    def retire(self, team: str) -> None:
        """End the bot of a workspace: the app is gone there."""
        with self._lock:
            seat = self._seats.pop(team, None)
            self._tried.pop(team, None)
        if seat is not None:
            seat.retire()

    def stop(self) -> None:
        """Make none any more, and let all look after nothing."""
        with self._lock:
            self._over = True
            coming = list(self._coming.values())
        self._makers.shutdown(wait=False, cancel_futures=True)
        wait(coming, STOP_WITHIN_S)
        for seat in self.working():
            seat.bot.stop()

    def _bring(self, team: str) -> Seat | None:
        fault: Fault | None = None
        try:
            seat = self.all().get(team)
            if seat is not None:
                seat.key.look()
                if not seat.key.is_superseded:
                    return seat
            made = self._make(team)
            if made is not None:
                self._take(team, made)
            return made
        except Fault as kept:
            fault = kept
            self._tell(team, kept)
            raise
        except Exception as error:
            log.exception("the bot of workspace %s was not made", team)
            fault = Fault("The bot was not made.", detail=type(error).__name__)
            raise fault from error
        finally:
            with self._lock:
                self._coming.pop(team, None)
                self._tried[team] = time.monotonic(), fault

    def _tell(self, team: str, fault: Fault) -> None:
        """Write down why there is no bot, once for each reason."""
        with self._lock:
            _, before = self._tried.get(team, (0.0, None))
        is_news = before is None or before.detail != fault.detail
        level = logging.ERROR if is_news else logging.DEBUG
        log.log(level, "workspace %s is not served: %s", team, fault.detail or fault)

    def _take(self, team: str, made: Seat) -> None:
        with self._lock:
            if self._over:
                return
            before = self._seats.get(team)
            self._seats[team] = made
            if before is not None:
                self._leaving.append(before)
        made.bot.start()
        log.info("workspace %s is served", team)
        if before is not None:
            leave = threading.Thread(target=self._leave, args=(before,), daemon=True)
            leave.start()

    def _leave(self, seat: Seat) -> None:
        seat.make_way()
        with self._lock:
            self._leaving.remove(seat)
