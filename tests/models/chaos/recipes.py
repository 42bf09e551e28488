"""From a seed and a number to one run: who is asked, what is meant, and what goes wrong."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from decimal import Decimal

from .catalogue import FAULTS, Fault, Sort
from .script import SCENARIOS
from .voices import ADAPTERS

RATE = 0.3
LONG_S, SHORT_S = 20.0, 1.5
"""A run's wall clock: most runs, and those in which a server may keep silent."""
CHART = "a chart"
_AWAY = ("server stopped", "connections cut")


@dataclass(frozen=True)
class Recipe:
    """One run."""

    seed: int
    number: int
    adapter: str
    scenario: str
    rate: float
    """How likely it is that a call goes wrong."""
    first: Fault
    """The first thing that goes wrong, if anything does and the server can; the rest is drawn."""
    wall_clock_s: float
    first_at: int = 0
    """The call at which that goes wrong for certain; 0: when the dice say so."""
    is_storm: bool = False
    """The trouble is of the kind that passes, and does not pass."""
    second: str = ""
    """The model that takes over, if there is one."""
    judged: bool = False
    max_usd: Decimal | None = None
    cancel_at: int = 0
    """The call at which the run is cancelled; 0 for never."""
    cancel_after_s: float = 0.0
    is_silent_then: bool = False
    """The server gives no answer to the call at which the run is cancelled."""
    database: str = ""
    """What happens to the database."""
    database_at: int = 0
    """The call at which it happens."""
    renderer_at: int = 0
    """The call at which the process that draws charts is killed."""
    in_slack: bool = False

    def __str__(self) -> str:
        parts = [
            f"seed {self.seed}, run {self.number}: {self.adapter}, “{self.scenario}”",
            f"{self.rate:.0%} faults, first “{self.first.kind}”, {self.wall_clock_s:g} s",
            "storm" if self.is_storm else "",
            f"then {self.second}" if self.second else "",
            "judged" if self.judged else "",
            f"at most {self.max_usd} dollars" if self.max_usd is not None else "",
            f"cancelled at call {self.cancel_at}" if self.cancel_at else "",
            f"{self.database} at call {self.database_at}" if self.database else "",
            f"renderer killed at call {self.renderer_at}" if self.renderer_at else "",
            "in Slack" if self.in_slack else "",
        ]
        return "; ".join(filter(None, parts))

    def draw(self, what: str) -> random.Random:
        """Return the dice for one purpose."""
        return random.Random(f"{self.seed}/{self.number}/{what}")


def recipe(seed: int, number: int) -> Recipe:
    """Return run `number` of a series; each kind of fault comes first in every so many runs."""
    dice = random.Random(f"{seed}/{number}/recipe")
    first = FAULTS[(number * 7 + seed) % len(FAULTS)]
    adapter = ADAPTERS[number % len(ADAPTERS)]
    if first.only == "claude":
        adapter = "claude"
    elif first.only == "chat" and adapter == "claude":
        adapter = "groq"
    special = dice.random()
    silent = first.sort is Sort.LATE or dice.random() < 0.1
    scenario = dice.choice(sorted(SCENARIOS))
    storm = dice.random() < 0.06
    return Recipe(
        seed=seed,
        number=number,
        adapter=adapter,
        scenario=CHART if 0.30 <= special < 0.36 else scenario,
        rate=dice.uniform(0.6, 0.95) if storm or dice.random() < 0.1 else RATE,
        first=first,
        wall_clock_s=SHORT_S if silent else LONG_S,
        is_storm=storm,
        second=_other(adapter, dice) if dice.random() < 0.2 else "",
        judged=dice.random() < 0.15,
        max_usd=Decimal(dice.randint(1, 60)) / 100_000 if 0.20 <= special < 0.30 else None,
        cancel_at=dice.randint(1, 4) if special < 0.10 else 0,
        cancel_after_s=dice.uniform(0, 0.05),
        is_silent_then=dice.random() < 0.5,
        database=dice.choice(_AWAY) if 0.10 <= special < 0.20 else "",
        database_at=dice.randint(1, 4),
        renderer_at=dice.randint(3, 4) if 0.30 <= special < 0.36 else 0,
        in_slack=dice.random() < 0.25,
    )


def _other(adapter: str, dice: random.Random) -> str:
    """A model of another name, which is to say of another server."""
    first = adapter.partition(",")[0]
    return dice.choice([each for each in ADAPTERS if each.partition(",")[0] != first])


def recipes(seed: int, runs: int, *, in_slack: int, sure: bool = False) -> list[Recipe]:
    """Return a series of which at least `in_slack` go through Slack.

    `sure`: what is to go wrong first does, in one of the first three calls.
    """
    drawn = [recipe(seed, number) for number in range(runs)]
    missing = max(0, in_slack - sum(each.in_slack for each in drawn))
    more = [each.number for each in drawn if not each.in_slack][:missing]
    return [
        replace(
            each,
            in_slack=each.in_slack or each.number in more,
            first_at=1 + each.number % 3 if sure else 0,
        )
        for each in drawn
    ]
