"""The jobs of the line, each the one of whoever fetched it last."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
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
select procrastinate_retry_job_v2(id, %(retry_at)s, %(priority)s, %(queue)s, %(lock)s)
{_OURS}
"""
# Procrastinate announces jobs that come, and not that one may go on which had to wait for another.
ANNOUNCE: Final = """
select pg_notify('procrastinate_queue_v1#' || queue_name,
                 json_build_object('type', 'job_inserted', 'job_id', id)::text)
from procrastinate_jobs
where status = 'todo' and lock = %(lock)s
limit 1
"""
# By the server's own clock. After it was away itself, nobody's heartbeat is to be believed at once.
RESCUE: Final = """
select procrastinate_retry_job_v2(jobs.id, now(), null, null, null)
from procrastinate_jobs as jobs
left join procrastinate_workers as workers on workers.id = jobs.worker_id
where jobs.status = 'doing'
  and (workers.id is null or workers.last_heartbeat < now() - make_interval(secs => %(lease_s)s))
  and pg_postmaster_start_time() < now() - make_interval(secs => %(lease_s)s)
for update of jobs skip locked
"""


class FencedJobs(JobManager):
    """What procrastinate does with jobs, but nothing to those that are another worker's by now."""

    def __init__(self, connector: BaseConnector) -> None:
        super().__init__(connector)
        self.is_open = True
        """Are jobs fetched?"""

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> Job | None:
        if not self.is_open:
            return None
        return await super().fetch_job(queues, worker_id)

    async def finish_job(self, job: Job, status: Status, delete_job: bool) -> None:
        await self.connector.execute_query_all_async(
            FINISH, **_key(job), status=status.value, delete_job=delete_job
        )
        if job.lock is not None:
            await self.connector.execute_query_all_async(ANNOUNCE, lock=job.lock)

    async def retry_job(
        self,
        job: Job,
        retry_at: datetime | None = None,
        priority: int | None = None,
        queue: str | None = None,
        lock: str | None = None,
    ) -> None:
        await self.connector.execute_query_all_async(
            RETRY, **_key(job), retry_at=retry_at, priority=priority, queue=queue, lock=lock
        )

    async def rescue(self, lease_s: float) -> int:
        """Put back the jobs of workers that were not heard of for `lease_s` seconds; how many."""
        return len(await self.connector.execute_query_all_async(RESCUE, lease_s=lease_s))


def _key(job: Job) -> dict[str, int | None]:
    return {"job_id": job.id, "worker_id": job.worker_id, "attempts": job.attempts}
