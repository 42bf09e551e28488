"""What it takes to ask for a call of a model where money has its ceilings.

Run by name: `make bench-bill`. One call is asked for and written down, as the loop does it, without
a ceiling, with one and with all three; the last also by many threads at once. Beside it, on the
same connections, what a ceiling cost if it were only looked at: the same sums, and nobody in line.
The store is an embedded PostgreSQL with a month of questions in it. All ways take their turn, call
by call, so that other work on the machine shows in all of them.
"""

from __future__ import annotations

import statistics
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from agent.database.embedded import EmbeddedPostgres
from agent.messages import Transition, Usage
from agent.protocols import CallAhead
from agent.state import AgentState, Event, Phase
from bot.bill import Account, Bill
from bot.ceilings import Ceilings
from bot.store import Question, Store, Thread

CALLS, THREADS = 300, 32
OF_THE_MONTH, OF_THE_DAY = 20_000, 1_000
LOOK_ONLY = "one ceiling, only looked at"
AHEAD = CallAhead(lambda: Decimal("0.2"), 120.0, threading.Event())
DEAR = Decimal(1_000_000)
WAYS: Mapping[str, Ceilings] = {
    "no ceiling": Ceilings(),
    LOOK_ONLY: Ceilings(),
    "one ceiling": Ceilings(workspace_month=DEAR),
    "three ceilings": Ceilings(DEAR, DEAR, DEAR),
}
MONTH = """
insert into db_agent.runs
    (id, conversation_id, team_id, channel_id, message_ts, asked_by, question, cost_usd, created_at)
select gen_random_uuid(), (select id from db_agent.conversations limit 1), 'T1',
       'C' || mod(number, 20), 'past ' || number, 'U' || mod(number, 200), '?', 0.05,
       case when number <= %(day)s then now()
            else date_trunc('month', now()) + (now() - date_trunc('month', now())) * random() end
from generate_series(1, %(month)s) as number
"""


def main() -> None:
    with (
        folder_of_a_server() as folder,
        EmbeddedPostgres.start(folder / "store") as server,
        opened(server.url()) as store,
    ):
        claim(store)
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute(MONTH, {"month": OF_THE_MONTH, "day": OF_THE_DAY})
            connection.execute("vacuum analyze")
        looked = Bill(store, WAYS["one ceiling"])
        accounts = {way: claim(store, ceilings) for way, ceilings in WAYS.items()}
        took: dict[str, list[float]] = {way: [] for way in WAYS}
        for number in range(1, CALLS + 1):
            for way, account in accounts.items():
                look = looked if way == LOOK_ONLY else None
                took[way].append(timed(lambda a=account, n=number, b=look: call(a, n, b)))
        print(
            f"{CALLS} calls each; {OF_THE_MONTH:,} questions in the month; fastest tenth and median"
        )
        least = fastest_tenth(took["no ceiling"])
        for way, times in took.items():
            fast, middle = fastest_tenth(times), statistics.median(times)
            print(f"  {way:28} {fast:6.2f} ms {middle:7.2f} ms   {fast / least:4.1f} times")
        print(f"{THREADS} threads, three ceilings: {rate(store):,.0f} calls a second")


@contextmanager
def folder_of_a_server() -> Iterator[Path]:
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # the server may run under an account of its own
        yield Path(folder)


@contextmanager
def opened(url: str) -> Iterator[Store]:
    store = Store(url)
    store.open()
    try:
        yield store
    finally:
        store.close()


def claim(store: Store, ceilings: Ceilings | None = None) -> Account:
    ts = str(uuid.uuid4())
    question = Question(Thread("T1", "C1", ts), ts, "U1", "?")
    run_id = store.claim(question)
    assert run_id is not None
    bill = Bill(store, ceilings or Ceilings())
    return bill.account(run_id, question, model="priced", recorded=True)


def call(account: Account, number: int, looked: Bill | None = None) -> None:
    """Ask for a call, and write down what it took."""
    usage, cost_usd = Usage(input_tokens=number), Decimal(number) / 1000
    if looked is not None:
        looked.allotments("T1", "U1", "C1", datetime.now(UTC))
    before = Usage(input_tokens=number - 1), Decimal(number - 1) / 1000
    if told := account.begin_call(*before, AHEAD):
        sys.exit(f"no call was made: {told}")
    at, state = datetime.now(UTC), AgentState()
    asked, target = Event.TOOLS_REQUESTED, Phase.ACTION
    account.record(
        Transition(at, Phase.THOUGHT, asked, target, "", state, usage=usage, cost_usd=cost_usd)
    )


def fastest_tenth(times: list[float]) -> float:
    """What the machine's other work shows little in."""
    return statistics.quantiles(times, n=10)[0]


def timed(work: Callable[[], None]) -> float:
    """Return how long it takes, in milliseconds."""
    started = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - started)


def rate(store: Store) -> float:
    """Return how many calls a second many threads make, whose models answer at once."""
    accounts = [claim(store, WAYS["three ceilings"]) for _ in range(THREADS)]
    started = time.perf_counter()

    def some(account: Account) -> None:
        for number in range(1, 21):
            call(account, number)

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(some, accounts))
    return 20 * THREADS / (time.perf_counter() - started)


if __name__ == "__main__":
    main()
