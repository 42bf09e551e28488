"""A long day in small: what a bot holds after its first thousand questions, and at the end.

Run by name: `make bench-day`. The model answers at once; 64 questions are open at a time. The
workspace forgets what is old, so that it is not what grows. The figures are taken when nothing is
under way. Slack's own limits are off.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "bot"))

from load.asking import People
from load.bots import Kind, Seen, fleet
from load.checks import Findings, look_at_cards, look_at_model

KEPT = 3000
"""Messages of a channel, more than come while a thousand questions are asked."""
OPEN = 64
STEP = 1000
LOOKED_AT = 50
"""Threads of each step whose cards are looked at."""
SEED = 11
CONNECTED = (
    "select count(*) from pg_stat_activity"
    " where backend_type = 'client backend' and pid <> pg_backend_pid()"
)
SIZE = "select pg_database_size(current_database())"
RECORDED = "select count(*), count(distinct (channel_id, message_ts)) from db_agent.runs"
NOT_OVER = "select count(*) from db_agent.runs where status = 'running'"


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench-day", description=__doc__)
    parser.add_argument("--questions", type=int, default=50_000)
    parser.add_argument("--workers", type=int, default=8)
    options = parser.parse_args()
    chosen = random.Random(SEED)
    findings, began = Findings(), time.monotonic()
    with fleet(1, Kind(workers=options.workers), kept=KEPT) as bots:
        people = People(bots)
        while people.asked < options.questions:
            first, seen = people.asked + 1, len(people.threads)
            people.stream(min(STEP, options.questions - people.asked), OPEN)
            look_at_model(people, bots.said, findings, first)
            fresh = people.threads[seen:]
            sample = chosen.sample(fresh, min(LOOKED_AT, len(fresh)))
            look_at_cards(people, sample, findings)
            bots.said.clear()
            if people.asked in (STEP, options.questions) or people.asked % (5 * STEP) == 0:
                bot = Seen.of(bots.pids[0])
                (size,), (connections,) = bots.select(SIZE)[0], bots.select(CONNECTED)[0]
                print(
                    f"{people.asked:6} questions, {time.monotonic() - began:5.0f} s: "
                    f"{bot.rss_mb:.0f} MB, {bot.threads} threads, {bot.files} open files, "
                    f"{connections} connections, {1000 * bot.cpu_s / people.asked:.0f} ms of the "
                    f"processor for each; the store has {size / 1e6:.0f} MB",
                    flush=True,
                )
        recorded, different = bots.select(RECORDED)[0]
        (left,) = bots.select(NOT_OVER)[0]
    print(f"{recorded} runs recorded of {different} questions, {left} of them not over; {findings}")
    sys.exit(bool(findings.wrong) or recorded != people.asked or different != recorded or left > 0)


if __name__ == "__main__":
    main()
