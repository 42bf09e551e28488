"""The threads that answer questions, fed from the line by procrastinate's worker.

That one lives in an event loop of its own thread; what it runs are our functions, in threads.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from procrastinate import App
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import DeleteJobCondition, Job
from procrastinate.retry import BaseRetryStrategy, RetryDecision
from procrastinate.worker import Worker

from bot.queue.again import Again
from bot.queue.fenced_jobs import FencedJobs
from bot.queue.line import ANSWER, QUEUE
from bot.queue.patient import PatientConnector
from bot.queue.reach import connector_to, wait_for_line
from bot.queue.threads import DaemonThreads

log = logging.getLogger(__name__)

Handle = Callable[[str], Again | None]

AFTER_A_BUG_S: Final = 2.0
POLL_EVERY_S: Final = 2.0
"""A job is announced; one whose announcement was lost is found by looking now and again."""
RESTART_AFTER_S: Final = 1.0
END_WITHIN_S: Final = 5.0
LEFT_ALONE_S: Final = 0.5
"""The same where the server is away: nothing can be given back to it."""


@dataclass(frozen=True)
class Lease:
    """How long a worker that is not heard of counts as alive, and how often it is heard of."""

    lasts_s: float = 15.0
    every_s: float = 3.0
    away_after_s: float = 5.0
    """A line that cannot be reached for so long is trouble."""


class _NotOver(Exception):
    def __init__(self, again: Again) -> None:
        super().__init__("the job is not over")
        self.again = again


class _Retry(BaseRetryStrategy):
    """Every job is tried again until it is over: the store counts how often one may be begun."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision:
        after_s = exception.again.after_s if isinstance(exception, _NotOver) else AFTER_A_BUG_S
        at = datetime.now(UTC) + timedelta(seconds=after_s) if after_s else None
        return RetryDecision(retry_at=at)


class Workers:
    """Fetches jobs and runs them, `concurrency` at a time; safe to share between threads."""

    def __init__(
        self, url: str, handle: Handle, *, concurrency: int, lease: Lease | None = None
    ) -> None:
        """`handle` is given the id of a run, in a thread of its own; `url` is the store's."""
        self._url = url
        self._handle = handle
        self._concurrency = concurrency
        self._lease = lease or Lease()
        self._threads = DaemonThreads()
        self._loop_thread = threading.Thread(target=self._serve, name="workers", daemon=True)
        self._changed = threading.Condition()
        self._running: set[str] = set()
        self._is_open, self._is_over = True, False
        self._away_since: float | None = None
        """Since when no worker is there to fetch; None where one is."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._handed_over: asyncio.Event | None = None
        self._connector: PatientConnector | None = None
        self._jobs: FencedJobs | None = None
        self._worker: Worker | None = None

    def start(self) -> None:
        """Fetch from now on; where the server is away, once it is there. Returns at once."""
        self._away_since = time.monotonic()
        self._loop_thread.start()

    def stop_taking(self) -> None:
        """Fetch no further job; what runs goes on, and its lease is renewed."""
        with self._changed:
            self._is_open = False
            if self._jobs is not None:
                self._jobs.is_open = False

    def drain(self, grace_s: float) -> bool:
        """Wait up to `grace_s` seconds for what runs; True when nothing does any more."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._running, timeout=grace_s)

    def stop(self) -> None:
        """End; what still runs goes back to the line at once. May be called more than once."""
        self.stop_taking()
        with self._changed:
            self._is_over = True
            loop = self._loop
        if loop is not None and loop.is_running():
            loop.call_soon_threadsafe(self._hand_over)
        if self._loop_thread.is_alive():
            is_away = self._connector is not None and self._connector.away_s > 0
            self._loop_thread.join(LEFT_ALONE_S if is_away else END_WITHIN_S)

    @property
    def running(self) -> int:
        """How many jobs run."""
        with self._changed:
            return len(self._running)

    @property
    def trouble(self) -> str:
        """Why no jobs are fetched, as half a sentence; "" where they are."""
        connector = self._connector
        if not self._is_open:
            return "it is stopping"
        if not self._loop_thread.is_alive():
            return "its workers have ended"
        since = self._away_since
        away_s = time.monotonic() - since if since is not None else 0.0
        if connector is not None:
            away_s = max(away_s, connector.away_s)
        if away_s > self._lease.away_after_s:
            return "the line of questions cannot be reached"
        return ""

    def _serve(self) -> None:
        asyncio.run(self._until_stopped())

    async def _until_stopped(self) -> None:
        with self._changed:
            self._loop, self._handed_over = asyncio.get_running_loop(), asyncio.Event()
        while not self._is_over:
            try:
                await self._work()
            except Exception:
                if not self._is_over:
                    log.exception("the workers are started anew")
            if not self._is_over:
                await asyncio.sleep(RESTART_AFTER_S)

    async def _work(self) -> None:
        connector = connector_to(self._url)
        await wait_for_line(self._url, lambda: self._is_over)
        if self._is_over:
            return
        app = App(connector=connector)
        jobs = app.job_manager = FencedJobs(connector)
        app.task(name=ANSWER, queue=QUEUE, retry=_Retry())(self._answer)
        with self._changed:
            self._connector, self._jobs, jobs.is_open = connector, jobs, self._is_open
        async with app.open_async():
            self._worker = Worker(
                app,
                queues=[QUEUE],
                concurrency=self._concurrency,
                fetch_job_polling_interval=POLL_EVERY_S,
                abort_job_polling_interval=3600.0,  # runs are stopped in another way
                install_signal_handlers=False,
                delete_jobs=DeleteJobCondition.ALWAYS,
                update_heartbeat_interval=self._lease.every_s,
                stalled_worker_timeout=100 * self._lease.lasts_s,
            )
            if self._ends():  # its run would begin by forgetting that it was told to stop
                return
            rescuer = asyncio.create_task(self._rescue(jobs, connector))
            self._away_since = None
            try:
                await self._worker.run()  # type: ignore[no-untyped-call]
            finally:
                self._away_since = time.monotonic()
                rescuer.cancel()

    async def _answer(self, run_id: str, by: str = "") -> None:
        """Run one job: what procrastinate calls. `by` was for the place in the line."""
        assert self._loop is not None
        assert self._handed_over is not None
        with self._changed:
            self._running.add(run_id)
        work = self._loop.run_in_executor(self._threads, self._handle, run_id)
        work.add_done_callback(lambda _: self._has_ended(run_id))
        handed_over = asyncio.create_task(self._handed_over.wait())
        first: set[asyncio.Future[Any]] = {work, handed_over}
        await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
        handed_over.cancel()
        if not work.done():
            raise _NotOver(Again())
        again = work.result()
        if again is not None:
            raise _NotOver(again)

    def _ends(self) -> bool:
        return self._is_over

    def _has_ended(self, run_id: str) -> None:
        with self._changed:
            self._running.discard(run_id)
            self._changed.notify_all()

    async def _rescue(self, jobs: FencedJobs, connector: PatientConnector) -> None:
        """Put back what belongs to workers that are gone, now and again.

        Where the server was away for us, it was for others too: they get the time of a lease.
        """
        while True:
            await asyncio.sleep(self._lease.every_s)
            if time.monotonic() - connector.failed_at < self._lease.lasts_s:
                continue
            try:
                rescued = await jobs.rescue(self._lease.lasts_s)
                unheard = await jobs.put_back_unheard()
            except ConnectorException as error:  # the next look may do
                log.warning("no question was put back: %r", error.__cause__)
                continue
            if rescued:
                log.warning("%d questions of workers that are gone are put back", rescued)
            if unheard:
                log.warning("%d questions that never reached us are put back", unheard)

    def _hand_over(self) -> None:
        if self._handed_over is not None:
            self._handed_over.set()
        if self._connector is not None:
            self._connector.give_up()
        if self._worker is not None:
            self._worker.stop()  # type: ignore[no-untyped-call]
