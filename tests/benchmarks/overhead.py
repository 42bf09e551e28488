"""What the bot takes by itself, beside a bare Bolt app that says the question back.

Run by name: `make bench-overhead`. Three times are measured for each question, as a person's page
shows them: from Slack's event to its acknowledgement, from the message to the first sign that work
goes on, and from the model's last word to the answer in the thread. Once with one question at a
time, once with a hundred that run. The model is a stand-in that waits. Ours are two processes,
since one works on 64 questions at most; the bare app is one, and keeps no record of anything.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "bot"))

from load.asking import Asked, People
from load.bare_echo import serve_echo
from load.bots import Fleet, Kind, fleet
from load.checks import number_of
from load.page import Page
from slack_load import ack_times, is_of_people, percentile

RUNNING = 100
WARM_UP = 10
ALONE_S, CROWDED_S = 0.2, 8.0
"""What the model takes, one question at a time and with a hundred."""


@dataclass(frozen=True)
class Side:
    """One of those that are compared."""

    name: str
    processes: int
    workers: int
    serve: Any = None


SIDES = (Side("db-agent", 2, 64), Side("a bare Bolt app", 1, 2 * RUNNING, serve_echo))


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench-overhead", description=__doc__)
    parser.add_argument("--questions", type=int, default=200, help="measured of each kind")
    options = parser.parse_args()
    print("milliseconds, median and 99th percentile")
    for running, pace_s in ((1, ALONE_S), (RUNNING, CROWDED_S)):
        for side in SIDES:
            measure(side, running, pace_s, options.questions)


def measure(side: Side, running: int, pace_s: float, questions: int) -> None:
    """Print the times of one side with so many questions that run."""
    processes = 1 if running == 1 else side.processes
    with fleet(processes, Kind(workers=side.workers, pace_s=pace_s), serve=side.serve) as bots:
        people = People(bots)
        page = Page(bots.place["api_url"], bots.place["bot_user_id"])
        page.open()
        people.stream(WARM_UP, running, single=True)
        people.ask(running, single=True, within_s=pace_s)  # so that they do not all end at once
        before = {row["envelope_id"] for row in people.lab("deliveries")["deliveries"]}
        first = len(people.threads)
        people.stream(questions, running, single=True)
        told = people.threads[first:]
        rows = [
            row
            for row in people.lab("deliveries")["deliveries"]
            if row["envelope_id"] not in before
            and row["type"] == "events_api"
            and is_of_people(row, people.ids)
        ]
        show(side.name, running, ack_times(rows), bots, page, told)


def show(
    name: str,
    running: int,
    acks: Sequence[float],
    bots: Fleet,
    page: Page,
    threads: Sequence[Asked],
) -> None:
    """Print a line of a table."""
    last_word = {number_of(each.question): each.ended for each in bots.said}
    started = [1000 * (page.first[each.ts] - float(each.ts)) for each in threads]
    posted = [1000 * (page.answered[t.ts] - last_word[t.numbers[0]]) for t in threads]
    columns = {"acknowledged": acks, "first sign": started, "answer": posted}
    figures = "; ".join(
        f"{column} {statistics.median(times):.0f} and {percentile(times, 99):.0f}"
        for column, times in columns.items()
    )
    print(f"  {running:3} running, {name:16} {figures} ({len(threads)} questions)", flush=True)
    if page.is_broken:
        sys.exit("the page could not follow")


if __name__ == "__main__":
    main()
