"""Ceilings in money: asked before each call of a model, with the most that it can cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final

from agent.breakdown import Breakdown
from agent.errors import Fault, SettingsInvalid
from agent.judge import judging_names
from agent.judge.material import describe_case
from agent.messages import Case, Usage
from agent.models.taking_over import names_of
from agent.prices import SETTING, Prices, dollars
from agent.protocols import Budget, CallAhead
from agent.running import Run
from agent.watching import spent

MOST_WRITTEN: Final = 16_000
"""Tokens of one turn, thinking included: no adapter asks for more."""
MOST_ADDED: Final = 6_000
"""Tokens that are read beside what we count, at most: what a provider says of how to call tools,
and what the judge is told."""

WAITING: Final = "Waiting for other questions, since a limit in money is near."
GOING_ON: Final = "Going on with your question."
UNCOUNTED: Final = (
    "There is a limit in money, and what the model costs is not known. Ask whoever runs this bot "
    "to name its price."
)


def may_spend(run: Run, judged: Usage | None = None, *, case: Case | None = None) -> bool:
    """Say whether the run may call a model once more, after waiting where others come first.

    `case` is what the judge is to be asked, where it is the judge's turn, and `judged` what it has
    taken so far for it. Where the answer is no, `run.ceiling` says why, and `run.fault` is set if
    what is spent could not be counted.
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
            run.ceiling = _begin_call(run, run.budget, run.memory.usage + judge_usage, cost, case)
        except Fault as fault:
            run.fault, run.ceiling = Breakdown.of(fault), str(fault)
    return not run.ceiling


def _begin_call(
    run: Run, budget: Budget, usage: Usage, cost: Decimal | None, case: Case | None
) -> str:
    """Ask for a call; where it has to wait, say so, and that the run goes on."""
    waited: list[str] = []

    def wait() -> None:
        waited.append(WAITING)
        if run.trail is not None:
            run.trail.begin(WAITING)

    ahead = CallAhead(lambda: _most_usd(run, case), run.seconds_left, run.cancelled, wait)
    ceiling = budget.begin_call(usage, cost, ahead)
    if waited and not ceiling and run.trail is not None:
        run.trail.begin(GOING_ON)
    return ceiling


def _most_usd(run: Run, case: Case | None) -> Decimal | None:
    """Return the most that the next call can cost; None where a price is not known.

    No token is shorter than a byte, so the bytes of what is read are its tokens at most. A judge
    that is asked again reads its own first turn, too.
    """
    if case is not None and run.judge is not None:
        names, said = judging_names(run.judge), describe_case(case)
        read = len(said.encode()) + MOST_WRITTEN
    else:
        names = names_of(run.model)
        said = run.prompt + repr((run.toolbox.specs, run.memory.bounded_messages))
        read = len(said.encode())
    prices = [run.prices.price(name) for name in names]
    known = [price for price in prices if price is not None]
    if len(known) < len(prices):
        return None
    return max(price.most_of(read=read + MOST_ADDED, written=MOST_WRITTEN) for price in known)


def came_late(run: Run, taken: Mapping[str, Usage]) -> None:
    """Count a call whose run was cancelled while it was under way.

    `taken` is what it took, by model; nothing where it failed.
    """
    usage, cost = run.usage, run.cost_usd
    for name, each in taken.items():
        price = run.prices.price(name)
        usage = usage + each
        spent(name, each, None if price is None else price.of(each))
        cost = None if cost is None or price is None else cost + price.of(each)
    if run.budget is not None:
        run.budget.end_late_call(usage, cost)


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
