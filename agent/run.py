"""Wiring: settings to an agent, a question to an `AgentResult`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from zoneinfo import ZoneInfo

from agent.asker import NOBODY, Asker
from agent.audit import ResultAudit
from agent.charts.renderer import ProcessRenderer
from agent.checkpoint import Recorded
from agent.checkpoint.resuming import CutOff, read_back, take_up
from agent.checkpoint.snapshot import Opening
from agent.database.postgres import PostgresDatabase
from agent.errors import CheckpointUnreadable, Fault, ToolError
from agent.judge import judge_in_run, judging_names, make_judge
from agent.loop import run_react_loop
from agent.memory import WorkingMemory, several_ask
from agent.messages import AgentResult, Exchange
from agent.models import make_models
from agent.models.taking_over import names_of, one_run
from agent.money import require_prices
from agent.outcome import conclude
from agent.prices import Prices, published_prices, read_prices
from agent.prompts import system_prompt
from agent.protocols import Budget, ChartRenderer, Database, Judge, Model, Trail
from agent.running import Run
from agent.settings import AgentSettings, read_settings
from agent.toolbox import Toolbox
from agent.tools.schema import describe_table


@dataclass(frozen=True)
class Agent:
    """Answers questions about one database with one model; safe to share between threads."""

    model: Model
    database: Database
    renderer: ChartRenderer
    judge: Judge | None = None
    """Who looks at a draft before it becomes an answer; None: its figures alone are checked."""
    time_zone: str = "UTC"
    prices: Prices = field(default_factory=published_prices)
    max_usd: Decimal | None = None
    """The money after which a run makes no further call of a model, in US dollars."""
    now: Callable[[ZoneInfo], datetime] = datetime.now
    clock: Callable[[], float] = time.monotonic

    @property
    def model_name(self) -> str:
        return self.model.name

    @property
    def model_names(self) -> tuple[str, ...]:
        """The models that a question may call."""
        judging = () if self.judge is None else judging_names(self.judge)
        return tuple(dict.fromkeys((*names_of(self.model), *judging)))

    @cached_property
    def _audit(self) -> ResultAudit:
        # One for all runs: what it learns of a database's keys need not be learnt again.
        return ResultAudit(self.database)

    def run(
        self,
        question: str,
        *,
        history: Sequence[Exchange] = (),
        trail: Trail | None = None,
        cancelled: threading.Event | None = None,
        budget: Budget | None = None,
        asker: Asker = NOBODY,
        resume: Sequence[Recorded] = (),
    ) -> AgentResult:
        """Answer `question`, which may go on from the earlier exchanges of its thread.

        `asker` says whose days are meant: "yesterday", and where the days of the rows begin.
        `trail` is told of each transition as it happens; setting `cancelled` ends the run at its
        next step; `budget` is asked before each call of a model. Raises nothing for what goes wrong
        in a run: that is an outcome.

        `resume` is what an earlier `trail` was told to keep of this very run, in order: the run
        goes on from there, with the day and the history that it began with. Raises
        `CheckpointUnreadable`, before anything is done, where that cannot be read.
        """
        cut_off, started = read_back(resume) if resume else None, self.clock()
        run = self._resumed(cut_off) if cut_off else self._begun(question, history, asker)
        run.trail, run.budget = trail, budget
        run.cancelled = cancelled or run.cancelled
        run_react_loop(run)
        seconds = self.clock() - started + run.spent_s
        return conclude(run.question, run, int(seconds * 1000))

    def _begun(self, question: str, history: Sequence[Exchange], asker: Asker) -> Run:
        """Return a run that is about to take its first step."""
        database, zone = self._in_zone_of(asker)
        now, locale = self.now(ZoneInfo(zone)), asker.known_locale
        today = now.strftime("%Y-%m-%d (%A)")
        opening = Opening(
            question=question,
            prompt=system_prompt(today=today, time_zone=zone, locale=locale),
            today=now.date(),
            today_in_words=f"{today}, time zone {zone}",
            time_zone=zone,
            model=self.model.name,
            locale=locale,
            asked_by=asker.name if several_ask(asker.name, history) else "",
            earlier=tuple(history),
        )
        run = self._run(opening, database, one_run(self.model))
        run.memory = WorkingMemory.of(question, history, asked_by=asker.name)
        if history and history[-1].clarification is not None:
            self._go_on_from(history, run, asker.name)
        return run

    def _resumed(self, cut_off: CutOff) -> Run:
        """Return a run that is about to take the step in which it was cut off, or none any more."""
        zone, database = cut_off.opening.time_zone, self.database
        if zone != self.time_zone:
            # Where the server is away, that is met when it is asked, as in any run.
            there = database.in_zone(zone) or database.in_zone(zone, is_known=True)
            if there is None:
                raise CheckpointUnreadable("the database cannot be read in the zone of the run")
            database = there
        model = one_run(self.model, cut_off.snapshot.answering)
        run = self._run(cut_off.opening, database, model)
        take_up(run, cut_off)
        return run

    def _run(self, opening: Opening, database: Database, model: Model) -> Run:
        return Run(
            question=opening.question,
            model=model,
            toolbox=Toolbox(database, self.renderer),
            memory=WorkingMemory(),
            prompt=opening.prompt,
            auditor=self._audit if database is self.database else self._audit.on(database),
            judge=judge_in_run(self.judge, self.model, model),
            earlier=opening.earlier,
            today=opening.today,
            today_in_words=opening.today_in_words,
            time_zone=opening.time_zone,
            opened_by=opening.model,
            locale=opening.locale,
            asked_by=opening.asked_by,
            clock=self.clock,
            prices=self.prices,
            max_usd=self.max_usd,
        )

    def _in_zone_of(self, asker: Asker) -> tuple[Database, str]:
        """Return the database as the asker reads it, and the zone: theirs, where it is known."""
        zone = asker.known_zone
        if zone and zone != self.time_zone:
            theirs = self.database.in_zone(zone)
            if theirs is not None:
                return theirs, zone
        return self.database, self.time_zone

    def _go_on_from(self, history: Sequence[Exchange], run: Run, asked_by: str) -> None:
        """Begin where the question back had ended the last run: its tables are known already."""
        schemas: dict[str, str] = {}
        for name in history[-1].tables:
            try:
                table = self.database.get_table(name)
            except (ToolError, Fault):
                continue  # it is gone, or out of reach: the run will see for itself
            schemas[table.name] = describe_table(table)
        run.memory = WorkingMemory.of(run.question, history, schemas, asked_by=asked_by)
        run.state = replace(
            run.state,
            seen_table=bool(schemas),
            seen_rows=any(result.rows for result in run.memory.results),
        )


@contextmanager
def make_agent(settings: AgentSettings, database_url: str) -> Iterator[Agent]:
    """Yield an agent over the database at `database_url`; its processes end with the block.

    Nothing is connected before the first question. Raises `SettingsInvalid`.
    """
    model, prices = make_models(settings), read_prices(settings.prices)
    with ExitStack() as stack:
        database = PostgresDatabase(
            database_url,
            statement_timeout_ms=settings.statement_timeout_ms,
            max_rows=settings.max_rows,
            max_cost=settings.max_cost,
            pool_size=settings.database_connections,
            time_zone=settings.time_zone,
            accept_public_rights=settings.accept_public_rights,
        )
        stack.callback(database.close)
        renderer = ProcessRenderer()
        stack.callback(renderer.close)
        judge = make_judge(settings, model)
        agent = Agent(
            model,
            database,
            renderer,
            judge,
            time_zone=settings.time_zone,
            prices=prices,
            max_usd=settings.max_usd_per_question,
        )
        ceiling = [] if agent.max_usd is None else ["DB_AGENT_MAX_USD_PER_QUESTION"]
        require_prices(prices, agent.model_names, ceiling)
        yield agent


@contextmanager
def open_agent(
    settings: AgentSettings, *, progress: Callable[[str], None] = lambda _: None
) -> Iterator[Agent]:
    """Yield an agent as `settings` say; without a database URL, over the demo database.

    `progress` is told what takes longer than a moment. Raises `SettingsInvalid` or
    `DatabaseUnavailable`. Everything that was started for it stops with the block.
    """
    with ExitStack() as stack:
        if settings.database_url is not None:
            url = settings.database_url.get_secret_value()
        else:
            from agent.database.demo import demo_database

            url = stack.enter_context(
                demo_database(
                    cache_dir=settings.cache_dir, bin_dir=settings.pg_bin, progress=progress
                )
            ).url
        yield stack.enter_context(make_agent(settings, url))


def run(
    question: str,
    *,
    settings: AgentSettings | None = None,
    history: Sequence[Exchange] = (),
) -> AgentResult:
    """Answer one question with an agent of its own, which ends with it.

    Raises `SettingsInvalid` for a mistake in the settings; a database that is out of reach is an
    outcome of the run.
    """
    with open_agent(settings or read_settings()) as agent:
        return agent.run(question, history=history)
