"""`make chaos ARGS='--runs 200 --seed 1'`; one run of a series again, by `--only 17`."""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
from pathlib import Path

from agent.database.demo import demo_database

from .recipes import recipes
from .series import play


def main() -> int:
    """Carry out a series of runs; return 1 where something is wrong with one."""
    parser = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--in-slack", type=int, default=-1, help="at least; a quarter if not said")
    parser.add_argument("--only", type=int, nargs="*", help="the numbers of runs in the series")
    options = parser.parse_args()
    logging.lastResort = None  # what goes wrong on purpose is no news
    in_slack = options.runs // 4 if options.in_slack < 0 else options.in_slack
    series = recipes(options.seed, options.runs, in_slack=in_slack)
    if options.only:
        series = [each for each in series if each.number in options.only]
    print(f"seed {options.seed}", flush=True)
    started, bin_dir = time.monotonic(), os.environ.get("PG_BIN")
    with demo_database(bin_dir=Path(bin_dir) if bin_dir else None) as demo:
        report = play(series, demo)
    for finding in report.findings:
        print(f"- {finding}")
    print(report)
    print(f"{time.monotonic() - started:.0f} s")
    return 1 if report.findings else 0


if __name__ == "__main__":
    sys.exit(main())
