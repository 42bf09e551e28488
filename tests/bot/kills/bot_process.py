"""A process of the bot, as a command starts it, that dies at a door where it is told to."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from bot.cli import main
from bot.queue import Lease
from bot.run_watch import RunWatch
from bot.running import Running

from .doors import Doors

LEASE_S = (1.5, 0.3, 1.0)
"""How long a lease lasts, how often it is renewed, and from when on its server counts as away."""
LOOKS_S, SURE_FOR_S = 0.3, 1.0
"""How often a process looks whether its runs are its own, and how long it believes what it saw."""


def run_bot(folder: str, command: Sequence[str], environment: Mapping[str, str]) -> None:
    """Do what `db-agent COMMAND` does; doors, journal and log are those of `folder`."""
    os.chdir(folder)
    log = os.open("log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for each in (1, 2):
        os.dup2(log, each)
    os.environ.clear()
    os.environ.update(environment)
    _hurry()
    Doors(Path(folder)).wrap_all()
    sys.exit(main(command))


def _hurry() -> None:
    """Let everything that has to do with leases take a tenth of its time, about."""
    Lease.__init__.__defaults__ = LEASE_S
    RunWatch.__init__.__defaults__ = (LOOKS_S,)
    Running.__init__.__defaults__ = (SURE_FOR_S,)
