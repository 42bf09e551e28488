"""One recipe, carried out: servers, models, the agent, and what befalls the rest meanwhile."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import psycopg

from agent.charts.renderer import ProcessRenderer
from agent.database.demo import DemoDatabase, demo_database
from agent.database.postgres import PostgresDatabase
from agent.judge import ModelJudge
from agent.messages import AgentResult
from agent.models.taking_over import LONGEST_WAIT_S, TakingOver
from agent.prices import Price, Prices
from agent.run import Agent
from agent.state import Event

from .recipes import Recipe
from .script import Script
from .servers import Log, Server, Troubles

QUESTION = "How many films are there?"
PRICES = Prices(
    {
        name: Price(Decimal(rate), Decimal(5 * rate), Decimal(rate) / 10, Decimal(rate))
        for rate, name in enumerate(
            (
                *("claude-sonnet-5", "openai:small", "groq:small"),
                *("nvidia:small", "vllm:small", "ollama:small"),
            ),
            start=2,
        )
    }
)
_ONE_STARTS = threading.Lock()
"""So that each run knows which process is its own."""
_CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'agent_ro'"


@dataclass(frozen=True)
class World:
    """What runs share."""

    database: PostgresDatabase
    renderer: ProcessRenderer
    bin_dir: Path | None = None


@dataclass
class Ended:
    """A run that is over, and all that is known of it."""

    recipe: Recipe
    log: Log
    result: AgentResult
    seconds: float
    cancelled_for_s: float | None
    """Seconds from the moment when it was cancelled to its end; None where it was not."""
    texts: list[str] = field(default_factory=list)
    """What else could have told a secret."""
    keys: tuple[str, ...] = ()
    last_text: str = ""

    @property
    def ran_out_of_time(self) -> bool:
        """A reply that was sent at the last moment may have come too late."""
        late = re.search(r"no (whole )?answer (within|in the time)", self.result.fault_detail)
        return late is not None or self.result.trail[-1].event is Event.TIMED_OUT


class Course:
    """A recipe under way: its agent, and what it is cancelled by."""

    def __init__(self, recipe: Recipe, world: World, stack: contextlib.ExitStack) -> None:
        self.recipe = recipe
        self.log = Log(on_arrival=self._arrived)
        self.cancelled = threading.Event()
        self.cancelled_at = 0.0
        self.stop: Callable[[], object] = self.cancelled.set
        """What cancelling is; in Slack, a click."""
        self._befalls: list[tuple[int, Callable[[], None]]] = []
        self._stack = stack
        self._script = Script(recipe.scenario, recipe.draw("script"))
        self._servers: list[Server] = []
        model = self._model(recipe.adapter)
        if recipe.second:
            model = TakingOver(model, self._model(recipe.second))
        self._models = model
        self.agent = Agent(
            model,
            self._database(world),
            self._renderer(world),
            ModelJudge(model) if recipe.judged else None,
            prices=PRICES,
            max_usd=recipe.max_usd,
        )

    def run(self, question: str, **options: Any) -> Ended:
        """Ask, and wait for the end."""
        started = time.monotonic()
        result = self.agent.run(question, **{"cancelled": self.cancelled, **options})
        ended = time.monotonic()
        return Ended(
            self.recipe,
            self.log,
            result,
            ended - started,
            ended - self.cancelled_at if self.cancelled_at else None,
            [repr(self._models), repr(self.agent), str(vars(self._models))],
            tuple(server.voice.key for server in self._servers),
            self._script.last_text,
        )

    def settle(self) -> None:
        """Wait until no server has a request under way; a call that was left behind ends here."""
        for server in self._servers:
            server.door.close()
        deadline = time.monotonic() + 10
        while any(server.door.under_way for server in self._servers):
            assert time.monotonic() < deadline, f"a request never ended: {self.recipe}"
            time.sleep(0.005)

    def _model(self, adapter: str) -> Any:
        recipe, number = self.recipe, len(self._servers)
        troubles = Troubles(
            recipe.rate,
            first=recipe.first if not number else None,
            first_at=recipe.first_at,
            hang_at=recipe.cancel_at if recipe.is_silent_then else 0,
            may_be_late=recipe.wall_clock_s < 5,
            is_storm=recipe.is_storm,
        )
        draw = recipe.draw(f"server {number}")
        server = Server(adapter, self._script, self.log, draw, troubles)
        self._stack.callback(server.door.close)
        self._servers.append(server)
        first_of_two = bool(recipe.second) and not number
        model = server.voice.model(server.door.url, LONGEST_WAIT_S if first_of_two else 1e9)
        self._stack.callback(model.close)
        return model

    def _database(self, world: World) -> PostgresDatabase:
        if not self.recipe.database:
            return world.database
        demo = self._stack.enter_context(demo_database(bin_dir=world.bin_dir))
        database = PostgresDatabase(demo.url)
        self._stack.callback(database.close)
        stops = self.recipe.database == "server stopped"
        blow = demo.server.stop if stops else lambda: _cut_connections(demo)
        self._befalls.append((self.recipe.database_at, blow))
        return database

    def _renderer(self, world: World) -> ProcessRenderer:
        if not self.recipe.renderer_at:
            return world.renderer
        renderer = self._stack.enter_context(ProcessRenderer())
        with _ONE_STARTS:
            before = set(_drawing())
            renderer.start()
            mine = set(_drawing()) - before
        self._befalls.append((self.recipe.renderer_at, lambda: _kill(mine)))
        return renderer

    def _arrived(self, number: int) -> None:
        """A request has come in, and its reply has not gone out yet."""
        for at, blow in self._befalls:
            if at == number:
                blow()
        if number == self.recipe.cancel_at:
            timer = threading.Timer(self.recipe.cancel_after_s, self._cancel)
            timer.daemon = True
            timer.start()

    def _cancel(self) -> None:
        self.cancelled_at = time.monotonic()
        self.stop()


@contextlib.contextmanager
def course(recipe: Recipe, world: World) -> Iterator[Course]:
    """Make all that a recipe needs; it ends with the block."""
    with contextlib.ExitStack() as stack:
        yield Course(recipe, world, stack)


def carry_out(recipe: Recipe, world: World) -> Ended:
    """Run one recipe through the agent."""
    with course(recipe, world) as under_way:
        ended = under_way.run(QUESTION)
        under_way.settle()
        return ended


def _cut_connections(demo: DemoDatabase) -> None:
    with psycopg.connect(demo.admin_url, autocommit=True) as connection:
        connection.execute(_CUT)


def _drawing() -> Iterator[int]:
    """Return the processes of ours that draw charts."""
    mine = str(os.getpid())
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, IndexError):
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if parent == mine and b"worker.py" in (folder / "cmdline").read_bytes():
                yield int(folder.name)


def _kill(processes: set[int]) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
