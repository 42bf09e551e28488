"""One call in all can take a ceiling beyond its limit, whatever threads and processes there are."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import psycopg
import pytest

from bot.ceilings import Ceilings
from bot.store import Store

PROCESSES, THREADS = 3, 4
SPENDING = Path(__file__).with_name("spending.py")
CEILINGS = {"person_day": "0.7", "channel_day": "0.9", "workspace_month": "1.6"}


@pytest.fixture
def start(
    store: Store, store_url: str, noon_zone: str
) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts processes that work on a task over the store."""
    started: list[subprocess.Popen[str]] = []
    place = {"store_url": store_url, "zone": noon_zone}

    def some(**given: Any) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, str(SPENDING), json.dumps({**place, **given})],
            cwd=SPENDING.parents[3],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        started.append(process)
        return process

    yield some
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def test_threads_and_processes_take_no_ceiling_beyond_its_limit_by_more_than_one_call(
    start: Callable[..., subprocess.Popen[str]],
    store_url: str,
    demo_database_url: str,
    tmp_path: Path,
) -> None:
    ledger = tmp_path / "ledger"
    given = {"database_url": demo_database_url, "ledger": str(ledger), "ceilings": CEILINGS}
    given |= {"processes": PROCESSES, "threads": THREADS, "people": 4}
    assert start(task="spend", **given).wait(90) == 0
    purses: dict[tuple[str, str], list[Decimal]] = {}
    for line in ledger.read_text().splitlines():
        person, channel, cost = line.split()
        for purse in (("person_day", person), ("channel_day", channel), ("workspace_month", "")):
            purses.setdefault(purse, []).append(Decimal(cost))
    beyond = {purse: sum(costs) - Decimal(CEILINGS[purse[0]]) for purse, costs in purses.items()}
    assert {purse: usd for purse, usd in beyond.items() if usd > max(purses[purse])} == {}
    assert [purse for purse, usd in beyond.items() if usd >= 0], "some ceiling was met"
    with psycopg.connect(store_url) as connection:
        row = connection.execute(
            "select sum(cost_usd), (select count(*) from db_agent.calls), "
            "count(*) filter (where summary like '%in a minute%') from db_agent.runs"
        ).fetchone()
    in_all = sum(purses["workspace_month", ""])
    assert row == (in_all, 0, 0), "all is written down, no call is left, and each had its turn"


def test_a_process_that_is_killed_in_a_call_keeps_others_waiting_until_it_would_have_ended(
    start: Callable[..., subprocess.Popen[str]], ask: Callable[..., Any], begin: Callable[..., str]
) -> None:
    time_left_s, grace_s = 0.5, 0.7
    started_at = time.monotonic()
    process = start(task="hang", time_left_s=time_left_s, grace_s=grace_s, processes=1)
    assert process.stdout is not None
    os.kill(int(process.stdout.readline()), signal.SIGKILL)
    killed_at = time.monotonic()
    _, account = ask(Ceilings(person_day=Decimal(1)))
    assert begin(account, most="5") == ""
    begun_at = time.monotonic()
    assert begun_at - started_at >= time_left_s + grace_s
    assert begun_at - killed_at <= time_left_s + grace_s + 10  # a busy machine is slow
