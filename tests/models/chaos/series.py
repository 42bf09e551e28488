"""Many runs, several at once, and the figures of them."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import groupby

import agent.running
from agent.charts.renderer import ProcessRenderer
from agent.database.demo import DemoDatabase
from agent.database.postgres import PostgresDatabase

from .checks import wrong
from .in_slack import Office, office
from .recipes import Recipe
from .runs import Ended, World, carry_out
from .watch import watched

AT_ONCE = 4


@dataclass
class Report:
    """What came of a series."""

    findings: list[str] = field(default_factory=list)
    runs: Counter[str] = field(default_factory=Counter)
    endings: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    calls: int = 0
    in_slack: int = 0
    latest_s: float = -100.0
    """By how much the slowest run exceeded its wall clock, in seconds; less than 0: by nothing."""

    def add(self, ended: Ended, problems: Sequence[str]) -> None:
        """Count a run, and what is wrong with it."""
        recipe = ended.recipe
        self.runs[recipe.adapter] += 1
        self.endings[f"{ended.result.outcome} ({ended.result.trail[-1].event})"] += 1
        self.faults.update(s.fault.kind for s in ended.log.served if s.fault.kind != "good")
        self.calls += len(ended.log.served)
        self.in_slack += recipe.in_slack
        self.latest_s = max(self.latest_s, ended.seconds - recipe.wall_clock_s)
        if problems:
            course = ", ".join(_told(ended))
            lines = "\n  ".join([str(recipe), f"servers: {course}", *problems])
            self.findings.append(lines)

    def __str__(self) -> str:
        total = sum(self.faults.values())
        return "\n".join(
            [
                f"{sum(self.runs.values())} runs, {self.in_slack} of them in Slack; {self.calls}"
                f" calls of a model, {total} faults of {len(self.faults)} kinds",
                *(f"  {number:4} {name}" for name, number in sorted(self.runs.items())),
                "endings:",
                *(f"  {number:4} {name}" for name, number in self.endings.most_common()),
                "faults:",
                *(f"  {number:4} {name}" for name, number in sorted(self.faults.items())),
                f"the latest run: {self.latest_s:+.2f} s beside its wall clock",
                f"{len(self.findings)} findings",
            ]
        )


def _told(ended: Ended) -> Iterator[str]:
    for served in ended.log.served:
        yield f"{served.server} {served.fault.kind}{' (judge)' if served.judging else ''}"
    yield f"then {ended.result.outcome}: {ended.result.summary} {ended.result.fault_detail}"


def play(recipes: Sequence[Recipe], demo: DemoDatabase) -> Report:
    """Carry out all recipes and hold each to what must hold."""
    report = Report()
    _warm_up()
    with watched() as watch, contextlib.ExitStack() as stack:
        database, renderer = PostgresDatabase(demo.url), ProcessRenderer()
        stack.callback(database.close)
        stack.callback(renderer.close)
        renderer.start()
        world = World(database, renderer)
        seen = [each for each in recipes if each.in_slack]
        alone = [each for each in recipes if not each.in_slack]
        for wave in _waves(alone):
            with ThreadPoolExecutor(AT_ONCE) as pool:
                for ended in pool.map(lambda recipe: carry_out(recipe, world), wave):
                    report.add(ended, wrong(ended))
        if seen:
            _in_slack(seen, world, stack.enter_context(office(demo.admin_url)), report)
    report.findings += watch.found
    return report


def _in_slack(seen: Sequence[Recipe], world: World, place: Office, report: Report) -> None:
    all_ended: list[Ended] = []
    for wave in _waves(seen):
        for start in range(0, len(wave), 2 * AT_ONCE):
            all_ended += place.ask(wave[start : start + 2 * AT_ONCE], world)
    for ended in all_ended:  # when all is over, so that a second card would have come
        report.add(ended, [*wrong(ended), *place.wrong(ended)])


def _waves(recipes: Sequence[Recipe]) -> Iterator[list[Recipe]]:
    """Group runs by their wall clock, which is one for the process, and set it meanwhile."""
    usual = agent.running.WALL_CLOCK_S
    clock: Callable[[Recipe], float] = lambda recipe: recipe.wall_clock_s  # noqa: E731
    for wall_clock_s, wave in groupby(sorted(recipes, key=clock), clock):
        agent.running.WALL_CLOCK_S = wall_clock_s  # type: ignore[misc]
        try:
            yield list(wave)
        finally:
            agent.running.WALL_CLOCK_S = usual  # type: ignore[misc]


def _warm_up() -> None:
    """Import what takes long, so that no run's time is spent on it."""
    import anthropic
    import openai

    assert anthropic
    assert openai
