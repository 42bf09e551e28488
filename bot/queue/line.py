"""Puts the job of a run into the line, at the place that is fair."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

import psycopg

QUEUE: Final = "questions"
ANSWER: Final = "answer"
"""The one task there is: to answer the question of a run."""
PERSON_STEP: Final = 4
"""How far a question stands behind the last one of the same person. Behind each other person who
waits in the same channel it stands one."""

# Fair queueing: each question gets a turn, the turns are served in order, and a priority is a turn
# with a minus. Who comes new gets the turn after those that are served now, however many of one
# person wait; and since the turns go on, no stream of newcomers keeps these waiting for ever.
# Within one thread turns never go back. An empty line begins anew.
PUT: Final = """
with unfinished as (
    select priority, status, lock, args ->> 'by' as person
    from procrastinate_jobs
    where status in ('todo', 'doing')
), turn as (
    select least(
        coalesce(
            least(min(priority) filter (where person = %(person)s), served.turn), served.turn
        ) - %(step)s - count(distinct person) filter (
            where person <> %(person)s and starts_with(lock, %(channel)s)
        ),
        min(priority) filter (where lock = %(lock)s)
    )::int as priority
    from unfinished
    right join (
        select coalesce(
            min(priority) filter (where status = 'doing'),
            max(priority) filter (where status = 'todo'),
            0
        ) as turn
        from unfinished
    ) as served on true
    group by served.turn
)
select procrastinate_defer_jobs_v1(array[row(
    %(queue)s, %(task)s, turn.priority, %(lock)s, null,
    jsonb_build_object('run_id', %(run_id)s::text, 'by', %(person)s::text), null
)::procrastinate_job_to_defer_v1])
from turn
"""


class Queue:
    """The end of the line; safe to share between threads. It opens nothing by itself."""

    def put(
        self,
        connection: psycopg.Connection[Any],
        run_id: str,
        *,
        team: str,
        channel: str,
        thread: str,
        person: str,
    ) -> None:
        """Defer the job of a run within the caller's transaction.

        `connection` finds the line's tables by its search path. The questions of one thread are
        answered one after the other, in the order in which they were put in; among threads neither
        a busy person nor a busy channel keeps others waiting for long.
        """
        given = {
            "run_id": run_id,
            "person": _alias(f"{team}/{person}"),
            "lock": f"{team}/{channel}/{thread}",
            "channel": f"{team}/{channel}/",
            "step": PERSON_STEP,
            "queue": QUEUE,
            "task": ANSWER,
        }
        connection.execute(PUT, given)


def _alias(person: str) -> str:
    """Return what tells a person from others, but not who it is: logs quote what a job is given."""
    return sha256(person.encode()).hexdigest()[:12]
