"""`make fuzz ARGS='--texts 200000 --seed 1'`: many texts; or one again, by `--text '…'`."""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

from .arena import arena
from .composed import composed_texts
from .corpus import gold_scripts
from .runner import Fuzz
from .texts import Text

_CHUNK = 5_000
_COMPOSED = 500
"""Of each chunk, how many are composed by hypothesis."""


def main() -> int:
    """Run the fuzzer; return 1 where it has found something."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--texts", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--processes", type=int, default=1, help="each has a share, and a seed")
    parser.add_argument("--family", default="", help="only texts of this family")
    parser.add_argument("--text", help="judge this one text")
    options = parser.parse_args()
    if options.processes > 1 and options.text is None:
        return _share_out(options)
    bin_dir = os.environ.get("PG_BIN")
    place = arena(Path(bin_dir) if bin_dir else None, golds=gold_scripts())
    with place as built, Fuzz(built) as fuzz:
        if options.text is not None:
            fuzz.run([Text(options.text, "--text", "given")])
        else:
            print(f"seed {options.seed}", flush=True)
            _run(fuzz, options.texts, options.seed, options.family)
        print(fuzz.report)
        for finding in fuzz.report.findings:
            print(finding)
    return 1 if fuzz.report.findings else 0


def _share_out(options: argparse.Namespace) -> int:
    """Start processes that each do a part; return 1 where one of them has found something."""
    share = math.ceil(options.texts / options.processes)
    command = [sys.executable, "-m", "fuzz", f"--texts={share}", f"--family={options.family}"]
    running = [
        subprocess.Popen([*command, f"--seed={options.seed + number}"])
        for number in range(options.processes)
    ]
    return max(process.wait() != 0 for process in running)


def _run(fuzz: Fuzz, texts: int, seed: int, family: str) -> None:
    drawn = fuzz.texts.drawn(seed, family=family)
    told = 0
    while fuzz.report.counts["texts"] < texts:
        size = min(_CHUNK, texts - fuzz.report.counts["texts"])
        share = 0 if family else size * _COMPOSED // _CHUNK
        fuzz.run(composed_texts(seed + fuzz.report.counts["texts"], share))
        fuzz.run(islice(drawn, size - share))
        counts = fuzz.report.counts
        print(
            f"seed {seed}: {counts['texts']:,} texts, {counts['accepted']:,} accepted,"
            f" {counts['ran']:,} ran, {len(fuzz.report.findings)} differences,"
            f" {fuzz.report.seconds:.0f} s",
            flush=True,
        )
        for finding in fuzz.report.findings[told:]:
            print(finding, flush=True)
        told = len(fuzz.report.findings)


if __name__ == "__main__":
    sys.exit(main())
