"""The same scenarios over every adapter: how a run goes is the same whoever speaks.

`TABLE` holds the scenarios. A model that says what it is told says their turns (`speakers`); the
offline model is asked their questions (`asked_offline`), as far as it can meet them.
"""

from agent.messages import Outcome

from .speakers import CLAUDE_KEY, KEY, Claude, Compatible, InWords, OneCallAtOnce, Sloppy
from .what_models_do import WHAT_MODELS_DO
from .what_runs_meet import WHAT_RUNS_MEET
from .wording import Fails, Says, Turns, call, sql

TABLE = {**WHAT_MODELS_DO, **WHAT_RUNS_MEET}
SCENARIOS: dict[str, tuple[Outcome, Turns]] = {
    name: (each.outcome, each.says) for name, each in WHAT_MODELS_DO.items()
}
"""What models do, as their outcome and their turns alone."""


def whole(turns: Turns, outcome: Outcome) -> Turns:
    """Return the turns: each trajectory of the table comes to its end."""
    return turns


__all__ = [
    "CLAUDE_KEY",
    "KEY",
    "SCENARIOS",
    "TABLE",
    "Claude",
    "Compatible",
    "Fails",
    "InWords",
    "OneCallAtOnce",
    "Says",
    "Sloppy",
    "call",
    "sql",
    "whole",
]
