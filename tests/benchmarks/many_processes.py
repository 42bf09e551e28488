"""Two thousand questions with a slow model, at one, two and five bots on one store.

Run by name: `make bench-processes`. The workspace, the store's PostgreSQL, each bot and the people
are processes of their own. So many questions are open at a time that no worker lacks one. The ideal
is what the model's two seconds alone allow. One thread in ten has two questions more, written right
behind the first. Slack's own limits are off.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "bot"))

from load.asking import People
from load.bots import Kind, fleet
from load.checks import Findings, look_at_cards, look_at_model, look_at_order


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench-processes", description=__doc__)
    parser.add_argument("--questions", type=int, default=2000)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 5])
    parser.add_argument("--workers", type=int, default=8, help="questions a process works on")
    parser.add_argument("--model-s", type=float, default=2.0, help="what the model takes")
    parser.add_argument("--line", type=int, default=4, help="open questions for each worker")
    options = parser.parse_args()
    wrong = [measure(each, options) for each in options.processes]
    sys.exit(any(wrong))


def measure(processes: int, options: argparse.Namespace) -> bool:
    """Print what so many processes did; True when something was wrong."""
    kind = Kind(workers=options.workers, pace_s=options.model_s)
    at_once = processes * options.workers
    with fleet(processes, kind) as bots:
        people = People(bots)
        before_s = bots.cpu_s
        people.stream(options.questions, at_once * options.line)
        said, cpu_ms = bots.said, 1000 * (bots.cpu_s - before_s) / options.questions
        took_s = max(each.ended for each in said) - min(each.began for each in said)
        ideal = at_once / options.model_s
        rate = len(said) / took_s
        print(
            f"{processes} processes: {len(said)} questions in {took_s:.0f} s, {rate:.2f} a second, "
            f"{rate / ideal:.0%} of the ideal {ideal:.1f}; "
            f"{cpu_ms:.0f} ms of the processor for each",
            flush=True,
        )
        findings = Findings()
        look_at_model(people, said, findings)
        look_at_cards(people, people.threads, findings)
        follow_ups, overtaking = look_at_order(people, said, findings)
        print(f"  {findings}; {follow_ups} follow-ups, of which {overtaking} overtook", flush=True)
    return bool(findings.wrong)


if __name__ == "__main__":
    main()
