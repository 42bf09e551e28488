"""The jobs of the line, each the one of whoever fetched it last."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

from procrastinate.connector import BaseConnector
from procrastinate.jobs import Job, Status
from procrastinate.manager import JobManager

# Procrastinate ends a job by its id, whoever has it. A worker that was frozen, while its job was
# put back and fetched by another, would end that one's job.
_OURS: Final = """
from procrastinate_jobs
where id = %(job_id)s and status = 'doing' and worker_id = %(worker_id)s
  and attempts = %(attempts)s
for update
"""
FINISH: Final = f"""
select procrastinate_finish_job_v1(id, %(status)s::procrastinate_job_status, %(delete_job)s)
{_OURS}
"""
RETRY: Final = f"""
select procrastinate_retry_job_v2(
    id, now() + make_interval(secs => %(after_s)s), %(priority)s, %(queue)s, %(lock)s)
{_OURS}
"""
# Procrastinate announces jobs that come, and not that one may go on which had to wait for another.
# Nor that one is put back.
_ANNOUNCED: Final = """
pg_notify('procrastinate_queue_v1#' || queue_name,
          json_build_object('type', 'job_inserted', 'job_id', jobs.id)::text)
"""
ANNOUNCE: Final = f"""
select {_ANNOUNCED}
from procrastinate_jobs as jobs
where status = 'todo' and lock = %(lock)s
limit 1
"""
# By the server's own clock. After it was away itself, nobody's heartbeat is to be believed at once.
RESCUE: Final = f"""
select procrastinate_retry_job_v2(jobs.id, now(), null, null, null), {_ANNOUNCED}
from procrastinate_jobs as jobs
left join procrastinate_workers as workers on workers.id = jobs.worker_id
where jobs.status = 'doing'
  and (workers.id is null or workers.last_heartbeat < now() - make_interval(secs => %(lease_s)s))
  and pg_postmaster_start_time() < now() - make_interval(secs => %(lease_s)s)
for update of jobs skip locked
"""
# Where the answer to a fetch is lost with its connection, the job is ours and nobody works on it.
UNHEARD: Final = f"""
select procrastinate_retry_job_v2(jobs.id, now(), null, null, null), {_ANNOUNCED}
from procrastinate_jobs as jobs
where status = 'doing' and worker_id = %(worker_id)s and not id = any (%(known)s::bigint[])
for update skip locked
"""


class FencedJobs(JobManager):
    """What procrastinate does with jobs, but nothing to those that are another worker's by now."""

    def __init__(self, connector: BaseConnector) -> None:
        super().__init__(connector)
        self.is_open = True
        """Are jobs fetched?"""
        self._worker_id: int | None = None
        self._known: set[int] = set()
        """The jobs that are ours, as far as we have heard."""
        self._fetching = asyncio.Lock()

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> Job | None:
        async with self._fetching:
            self._worker_id = worker_id
            job = await super().fetch_job(queues, worker_id) if self.is_open else None
            if job is not None and job.id is not None:
                self._known.add(job.id)
            return job

    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:
        await self.connector.execute_query_all_async(
            FINISH, **_key(job), status=status.value, delete_job=delete_job
        )
        self._known.discard(job.id or 0)
        await self._announce(job)

    async def retry_job(
        self,
        job: Job,
        retry_at: datetime | None = None,
        priority: int | None = None,
        queue: str | None = None,
        lock: str | None = None,
    ) -> None:
        # Our clock may be another than the server's, by which jobs are fetched.
        after_s = (retry_at - datetime.now(UTC)).total_seconds() if retry_at else 0.0
        await self.connector.execute_query_all_async(
            RETRY, **_key(job), after_s=after_s, priority=priority, queue=queue, lock=lock
        )
        self._known.discard(job.id or 0)
        if retry_at is None:
            await self._announce(job)

    async def rescue(self, lease_s: float) -> int:
        """Put back the jobs of workers that were not heard of for `lease_s` seconds; how many."""
        return len(await self.connector.execute_query_all_async(RESCUE, lease_s=lease_s))

    async def put_back_unheard(self) -> int:
        """Put back the jobs that were fetched for us, and never reached us; how many."""
        async with self._fetching:
            given = {"worker_id": self._worker_id, "known": list(self._known)}
            return len(await self.connector.execute_query_all_async(UNHEARD, **given))

    async def _announce(self, job: Job) -> None:
        if job.lock is not None:
            await self.connector.execute_query_all_async(ANNOUNCE, lock=job.lock)


def _key(job: Job) -> dict[str, int | None]:
    return {"job_id": job.id, "worker_id": job.worker_id, "attempts": job.attempts}
