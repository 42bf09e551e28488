"""A process that asks questions as fast as it can; tests start several of it over one store.

Its model is slow and costs at random. What each of its calls costs is written to a ledger that the
bot knows nothing of, as a provider would.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import sys
import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from agent.database.postgres import PostgresDatabase
from agent.messages import Turn, Usage
from agent.prices import Price, Prices
from agent.protocols import CallAhead
from agent.run import Agent
from agent.testing import call, text
from bot.bill import Bill
from bot.ceilings import Ceilings
from bot.store import Question, Store, Thread
from bot.trails import Trails

PRICES = Prices({"priced": Price(*map(Decimal, ("2", "10", "0.2", "2.5")))})
TABLES = ("film", "customer", "rental", "payment", "store", "staff", "actor", "category")
TEAM = "T1"


@dataclass
class Costly:
    """A model that looks at a table or answers, and takes some tokens and some time for it."""

    ledger: Path
    person: str
    channel: str
    name: str = "priced"

    def respond(self, system: Any, messages: Any, tools: Any, *, timeout_s: float) -> Turn:
        time.sleep(random.uniform(0.001, 0.02))
        usage = Usage(random.randint(0, 9_000), random.choice((200, 3_000, 15_900)))
        cost = PRICES.cost_usd(self.name, usage)
        with self.ledger.open("a") as ledger:
            ledger.write(f"{self.person} {self.channel} {cost}\n")
        look = call("get_schema", table_name=random.choice(TABLES))
        turn = look if random.random() < 0.8 else text("I cannot tell.")
        return Turn(turn.text, turn.tool_calls, turn.stop_reason, usage)


def ask(store: Store, person: str, channel: str) -> tuple[str, Question]:
    """Claim a question of its own, and return its run."""
    ts = f"{uuid.uuid4()}"
    question = Question(Thread(TEAM, channel, ts), ts, person, "How many films are there?")
    run_id = store.claim(question)
    assert run_id is not None
    return run_id, question


def spend(store: Store, given: dict[str, Any]) -> None:
    """Ask until questions are refused again and again."""
    ceilings = Ceilings(**{who: Decimal(usd) for who, usd in given["ceilings"].items()})
    bill = Bill(store, ceilings, given["zone"])
    database = PostgresDatabase(given["database_url"])

    def one(number: int) -> None:
        channel = f"C{number % 2}"
        refused = 0
        while refused < 8:
            person = f"U{random.randrange(given['people'])}"
            run_id, question = ask(store, person, channel)
            account = bill.account(run_id, question, model="priced", recorded=True)
            reason = account.refusal()
            if not reason:
                model = Costly(Path(given["ledger"]), person, channel)
                agent = Agent(model, database, None, prices=PRICES)  # type: ignore[arg-type]
                result = agent.run(question.text, trail=Trails(account), budget=account)
                store.finish(run_id, result)
            refused += bool(reason)

    try:
        with ThreadPoolExecutor(given["threads"]) as pool:
            list(pool.map(one, range(given["threads"])))
    finally:
        database.close()


def hang(store: Store, given: dict[str, Any]) -> None:
    """Begin a call, tell who we are, and never end it."""
    bill = Bill(store, Ceilings(person_day=Decimal(1)), given["zone"], grace_s=given["grace_s"])
    run_id, question = ask(store, "UANN", "C1")
    account = bill.account(run_id, question, model="priced", recorded=True)
    ahead = CallAhead(lambda: Decimal(5), given["time_left_s"], threading.Event())
    if not account.begin_call(Usage(), Decimal(0), ahead):
        print(os.getpid(), flush=True)
    time.sleep(600)


def work(given: dict[str, Any]) -> None:
    """Do a task as a process of the bot does it, with a store of its own."""
    store = Store(given["store_url"])
    store.open()
    try:
        {"hang": hang, "spend": spend}[given["task"]](store, given)
    finally:
        store.close()


def main() -> None:
    """Do it in several processes at once, which share nothing but their imports."""
    given = json.loads(sys.argv[1])
    fork = multiprocessing.get_context("fork")
    processes = [fork.Process(target=work, args=(given,)) for _ in range(given["processes"])]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    sys.exit(max(abs(process.exitcode or 0) for process in processes))


if __name__ == "__main__":
    main()
