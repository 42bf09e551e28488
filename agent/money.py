"""Ceilings in money: asked before each call of a model, so only one under way can exceed them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from agent.errors import Fault, SettingsInvalid
from agent.messages import Usage
from agent.prices import SETTING, Prices, dollars
from agent.running import Run

UNCOUNTED: Final = (
    "There is a limit in money, and what the model costs is not known. Ask whoever runs this bot "
    "to name its price."
)


def may_spend(run: Run, judged: Usage | None = None) -> bool:
    """Say whether the run may call a model once more.

    `judged` is what a judge that is being asked has taken so far, for this draft. Where the answer
    is no, `run.ceiling` says why, and `run.fault` is set if what is spent could not be counted.
    """
    if run.max_usd is None and run.budget is None:
        return True
    run.ceiling, run.fault = "", None
    judge_usage = run.judge_usage + (judged or Usage())
    cost = run.cost_with(judged or Usage())
    if run.max_usd is not None and cost is None:
        run.ceiling = UNCOUNTED
    elif run.max_usd is not None and cost is not None and cost >= run.max_usd:
        limit = dollars(run.max_usd)
        run.ceiling = f"The limit of {limit} for one question was met. Ask for less at once."
    elif run.budget is not None:
        try:
            run.ceiling = run.budget.met(run.memory.usage + judge_usage, cost)
        except Fault as fault:
            run.fault, run.ceiling = fault, str(fault)
    return not run.ceiling


def require_prices(prices: Prices, models: Iterable[str], ceilings: Iterable[str]) -> None:
    """Raise `SettingsInvalid` where `ceilings` could not be kept for want of a price.

    `ceilings` are the names of those settings that are set.
    """
    unknown = [name for name in dict.fromkeys(models) if prices.price(name) is None]
    ceiling = next(iter(ceilings), None)
    if ceiling is not None and unknown:
        raise SettingsInvalid(
            f"{ceiling} cannot be kept, since it is not known what {unknown[0]} costs. Name its "
            f"price in a file and the file in {SETTING} (docs/bill.md says how), or leave the "
            "ceilings in money out."
        )
