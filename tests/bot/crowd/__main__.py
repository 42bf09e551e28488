"""`make chaos-slack ARGS='--questions 2000 --seed 1'`."""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import sys
import time
from pathlib import Path

from agent.database.demo import demo_database

from .checks import Findings
from .deeds import deeds
from .office import Office, Outcome
from .processes import serve_workspace, started

SETTINGS = {"ack_within": 3.0, "retry_pauses": (0.0, 10.0, 20.0)}
"""As Slack, but for its pauses: it sends again at once, after a minute and after five."""


def main() -> int:
    """Let a crowd ask in a Slack that goes wrong; return 1 where anything is wrong then."""
    parser = argparse.ArgumentParser(prog="make chaos-slack", description=__doc__)
    parser.add_argument("--questions", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    logging.lastResort = None  # what goes wrong on purpose is no news
    print(f"seed {options.seed}", flush=True)
    with contextlib.ExitStack() as stack:
        bin_dir = os.environ.get("PG_BIN")
        demo = stack.enter_context(demo_database(bin_dir=Path(bin_dir) if bin_dir else None))
        _, place = stack.enter_context(started(serve_workspace, SETTINGS))
        outcome = Office(place, demo.store_url).run(
            deeds(options.seed, options.questions), options.seed
        )
        findings = Findings()
        findings.check(outcome, demo.store_url)
    _tell(outcome, findings)
    return 1 if findings.wrong else 0


def _tell(outcome: Outcome, findings: Findings) -> None:
    tables = {
        "what became of the questions": findings.fates,
        "what went wrong on purpose": outcome.struck,
        "envelopes": outcome.envelopes,
        "clicks": outcome.clicks,
        "what the log tells": outcome.log.told,
    }
    for title, counts in tables.items():
        print(f"\n{title}")
        for name, count in sorted(counts.items(), key=lambda pair: -pair[1]):
            print(f"  {count:6,}  {name}")
    memory = ", ".join(f"{each:.0f}" for each in outcome.rss_mb)
    print(f"\nmemory after each quarter, MB: {memory}")
    print(f"{len(outcome.asked):,} questions in {outcome.seconds:.0f} s")
    for finding in findings.wrong[:40]:
        print(f"- {finding}")
    print(f"{len(findings.wrong)} findings")


if __name__ == "__main__":
    sys.exit(main())
