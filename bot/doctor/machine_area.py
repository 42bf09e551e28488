"""The machine that the bot runs on: pictures, memory, folders, clock."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bot.doctor.attempt import attempt
from bot.doctor.chart import chart_findings
from bot.doctor.finding import Finding, note, ok, unchecked, wrong
from bot.doctor.set_up import SetUp

LIMIT_S: Final = 10.0
CHART_LIMIT_S: Final = 45.0
"""A drawing process has 30 s for its start, and 10 s for a chart."""
SKEW_S: Final = 5.0
FAR_OFF_S: Final = 60.0
LOW_MEMORY_MB: Final = 500
"""What the bot takes while a chart is drawn and the embedded server runs, with some room."""
LOW_TEMP_MB: Final = 100
_MB: Final = 1_000_000
_CGROUP: Final = Path("/sys/fs/cgroup")
_SET_CLOCK: Final = "let NTP set it, such as with: timedatectl set-ntp true"


def machine_findings(set_up: SetUp) -> Iterator[Finding]:
    """Yield how the machine stands; the clock is `clock_findings`'s."""
    yield ok(f"Python {platform.python_version()}; db-agent needs 3.11 or later")
    yield from attempt("charts", CHART_LIMIT_S, chart_findings)
    yield from attempt("memory", LIMIT_S, _memory)
    yield from attempt("the folder for temporary files", LIMIT_S, _temporary)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        yield note("this runs as root, which the bot does not need", "run it as a user of its own")
    zone = set_up.agent.time_zone
    if set_up.is_wrong("DB_AGENT_TIME_ZONE"):
        yield unchecked("the time zone", "DB_AGENT_TIME_ZONE is wrong, as said under settings")
    else:
        yield ok(f"the time zone {zone} is known; days begin and end by it")


def clock_findings(set_up: SetUp) -> Iterator[Finding]:
    """Yield how our clock compares with those of whoever was asked for something before."""
    ahead = set_up.clocks.ahead_s()
    if not ahead:
        yield unchecked("the clock", "no server said its time")
        return
    others = {whose: by for whose, by in ahead.items() if whose != "the database"}
    if others and all(abs(by) <= SKEW_S for by in others.values()):
        yield ok(f"the clock agrees with {' and '.join(sorted(others))} within {SKEW_S:g} s")
        by = ahead.get("the database", 0.0)
        if abs(by) > SKEW_S:
            yield note(
                f"the database server's clock {_off(by)}",
                f"queries about today or now go by that one. On that server, {_SET_CLOCK}",
            )
        return
    whose, by = max(ahead.items(), key=lambda item: abs(item[1]))
    if abs(by) <= SKEW_S:
        yield ok(f"the clock agrees with {' and '.join(sorted(ahead))} within {SKEW_S:g} s")
    elif abs(by) > FAR_OFF_S:
        yield wrong(f"this machine's clock {_off(-by)}, says {whose}", _SET_CLOCK)
    else:
        yield note(f"this machine's clock {_off(-by)}, says {whose}", _SET_CLOCK)


def _off(ahead_s: float) -> str:
    seconds = abs(ahead_s)
    much = f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:,.0f} minutes"
    return f"is {much} {'ahead' if ahead_s > 0 else 'behind'}"


def _memory() -> Iterator[Finding]:
    free = min(_free_of_system(), _free_of_container())
    if free == sys.maxsize:
        yield unchecked("free memory", "this system does not say it in a way that is known here")
    elif free < LOW_MEMORY_MB:
        yield note(
            f"{free:,} MB of memory are free",
            f"the bot is at ease with {LOW_MEMORY_MB} MB and more",
        )
    else:
        yield ok(f"{free:,} MB of memory are free")


def _free_of_system() -> int:
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return sys.maxsize
    found = [line.split()[1] for line in lines if line.startswith("MemAvailable:")]
    return int(found[0]) * 1_024 // _MB if found else sys.maxsize


def _free_of_container() -> int:
    """What a container's own limit leaves, where there is one."""
    try:
        most = (_CGROUP / "memory.max").read_text().strip()
        used = (_CGROUP / "memory.current").read_text().strip()
    except OSError:
        return sys.maxsize
    return (int(most) - int(used)) // _MB if most.isdecimal() else sys.maxsize


def _temporary() -> Iterator[Finding]:
    try:
        folder = tempfile.gettempdir()
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"x" * 4_096)
            file.flush()
    except OSError as error:
        yield wrong(
            f"no temporary file can be written ({error.strerror or 'no folder for it'})",
            "make room in /tmp, or set TMPDIR to a folder that this user can write to",
        )
        return
    free = shutil.disk_usage(folder).free // _MB
    if free < LOW_TEMP_MB:
        yield note(f"{folder} has {free:,} MB left", "make room there, or set TMPDIR")
    else:
        yield ok(f"temporary files can be written to {folder}")
