"""A process with workers whose answers are notes in a table, for tests to kill, freeze and stop.

Run as a file: the store's address, how many questions at once, and the lease in seconds.
A question whose name begins with "wait" goes on until the table `gates` has its name.
"""

from __future__ import annotations

import os
import sys
import time

import psycopg

from bot.commands.stopping import until_told_to_stop
from bot.queue import Lease, Workers

NOTE = "insert into public.notes (run_id, pid, what) values (%s, %s, %s)"
GATE = "select 1 from public.gates where run_id = %s"


def main() -> None:
    url, concurrency, lease_s = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])

    def handle(run_id: str) -> None:
        note(run_id, "begins")
        while run_id.startswith("wait") and not ask(GATE, run_id):
            time.sleep(0.05)
        note(run_id, "ends")

    def note(run_id: str, what: str) -> None:
        ask(NOTE, run_id, os.getpid(), what)

    def ask(query: str, *given: object) -> bool:
        while True:
            try:
                with psycopg.connect(url, autocommit=True, connect_timeout=2) as link:
                    cursor = link.execute(query, given)
                    return bool(cursor.description and cursor.fetchone())
            except psycopg.OperationalError:
                time.sleep(0.1)

    lease = Lease(lasts_s=lease_s, every_s=lease_s / 8, away_after_s=lease_s / 2)
    workers = Workers(url, handle, concurrency=concurrency, lease=lease)
    with until_told_to_stop() as told:
        workers.start()
        told.wait()
        workers.stop_taking()
        workers.stop()


if __name__ == "__main__":
    main()
