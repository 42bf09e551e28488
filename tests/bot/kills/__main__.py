"""`make kills ARGS='--kills 1000 --processes 3 --seed 1'`."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from agent.database.demo import demo_database

from .matrix import run, schedule, table
from .points import POINTS, points_for

LANES = 4


def main() -> int:
    """Let processes die at every point; return 1 where a question suffered from it."""
    parser = argparse.ArgumentParser(prog="make kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--processes", type=int, choices=(1, 3), default=1)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--lanes", type=int, default=LANES, help="scenes at the same time")
    parser.add_argument("--point", default="", help="only points whose name holds this")
    options = parser.parse_args()
    points = [each for each in points_for(options.processes) if options.point in each.name]
    print(f"seed {options.seed}, {len(points)} of {len(POINTS)} points", flush=True)
    series = schedule(points, options.kills, options.seed)
    bin_dir = os.environ.get("PG_BIN")
    began = time.monotonic()
    with demo_database(bin_dir=Path(bin_dir) if bin_dir else None) as demo:
        matrix = run(demo, series, processes=options.processes, lanes=options.lanes)
    print("\n".join(table(matrix)))
    print(f"{time.monotonic() - began:.0f} s")
    for finding in matrix.wrong[:60]:
        print(f"- {finding}")
    return 1 if matrix.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
