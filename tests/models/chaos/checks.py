"""What holds for every run, however its servers behaved."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

from agent.messages import Outcome, Usage
from agent.state import MAX_HOPS, MAX_MODEL_CALLS, TERMINAL_PHASES, TRANSITIONS
from agent.warnings import ESCALATED_WARNING, FAILED_WARNING, NO_QUERY_WARNING, UNJUDGED_CAVEAT

from .catalogue import Sort
from .endings import ANSWERED, wrong_ending, wrong_persistence
from .runs import PRICES, Ended
from .servers import Served

MARGIN_S = 3.0
"""Beyond its wall clock, for a query that is under way and a busy machine."""
CACHED = 100
"""What the stand-ins tell of their cache."""
CANCEL_S = 3.0
"""From the moment of cancelling: a query or a chart under way comes to its end."""


def wrong(ended: Ended) -> list[str]:
    """Return everything that is wrong with a run, in words; [] where nothing is."""
    found = [
        *_lateness(ended),
        *wrong_ending(ended),
        *wrong_persistence(ended),
        *_words(ended),
        *_counts(ended),
        *_bill(ended),
        *_secrets(ended),
    ]
    found += [f"the strict server refused: {each}" for each in ended.log.refusals]
    return found


def _lateness(ended: Ended) -> Iterator[str]:
    if ended.seconds > ended.recipe.wall_clock_s + MARGIN_S:
        yield f"it took {ended.seconds:.2f} s"
    if ended.cancelled_for_s is not None and ended.cancelled_for_s > CANCEL_S:
        yield f"it ended {ended.cancelled_for_s:.2f} s after it was cancelled"


def _words(ended: Ended) -> Iterator[str]:
    """A run that failed says so, and gives no answer."""
    result = ended.result
    unanswered = (Outcome.FAILED, Outcome.SYSTEM_FAULT, Outcome.NOT_PERMITTED)
    if result.failed != (result.outcome in unanswered):
        yield f"{result.outcome}, and failed is {result.failed}"
    if result.failed and (result.answer or FAILED_WARNING not in result.warnings):
        yield "failed, without its warning or with an answer"
    if result.outcome is Outcome.ESCALATED and ESCALATED_WARNING not in result.warnings:
        yield "escalated without its warning"
    if result.outcome is Outcome.CANCELLED and result.answer:
        yield "cancelled with an answer"
    if result.outcome in ANSWERED:
        yield from _answer(ended)
    if not result.summary.strip():
        yield "no summary"


def _answer(ended: Ended) -> Iterator[str]:
    result = ended.result
    if not result.answer.strip():
        yield "answered without an answer"
    if not result.n_queries and NO_QUERY_WARNING not in result.warnings:
        yield "answered without a query and without its warning"
    is_unjudged = ended.recipe.judged and result.verdict is None
    if is_unjudged != (UNJUDGED_CAVEAT in result.caveats):
        yield "a verdict is missing and that is not said, or the other way about"


def _counts(ended: Ended) -> Iterator[str]:
    """The table was kept to, and nothing but turns and tool calls was counted."""
    trail = ended.result.trail
    for transition in trail:
        if TRANSITIONS.get((transition.source, transition.event)) is not transition.target:
            yield f"no such transition: {transition.source} {transition.event} {transition.target}"
    for before, after in pairwise(trail):
        if before.target is not after.source:
            yield f"the trail jumps from {before.target} to {after.source}"
    if [each.target in TERMINAL_PHASES for each in trail].count(True) != 1:
        yield "not exactly one ending"
    state = trail[-1].state
    if state.hop_count > MAX_HOPS or state.model_calls > MAX_MODEL_CALLS:
        yield f"{state.hop_count} hops and {state.model_calls} calls of the model"
    arrived = [each for each in ended.log.served if each.is_billed]
    pieces = sum(each.fault.twist == "pause_turn" for each in arrived)
    declined = sum(
        each.fault.sort is Sort.DECLINES and not each.counts for each in ended.log.served
    )
    if state.model_calls > len(arrived) + declined + 1 + pieces:
        yield f"{state.model_calls} calls are counted, and {len(arrived)} turns arrived"
    names = list(dict.fromkeys(each.server for each in arrived if not each.judging))
    is_known = ended.cancelled_for_s is None and not ended.ran_out_of_time and not declined
    if names and is_known and ended.result.model != ", then ".join(names):
        yield f"{ended.result.model} is told to have answered, and {names} did"
    if state.hop_count > sum(each.calls for each in arrived):
        yield f"{state.hop_count} hops are counted, and fewer calls arrived"


def _bill(ended: Ended) -> Iterator[str]:
    """What arrived is on the bill, and nothing else."""
    result = ended.result
    arrived = [each for each in ended.log.served if each.is_billed]
    if ended.cancelled_for_s is not None or ended.ran_out_of_time:
        # The last call may have arrived when nobody waited for it any more.
        if any(_fits(ended, each) for each in (arrived, arrived[:-1])):
            return
    elif _fits(ended, arrived):
        yield from _cost(ended, arrived)
        return
    told = ", ".join(f"{each.fault.kind}: {each.usage}" for each in arrived)
    yield f"billed {result.usage}; what arrived: {told or 'nothing'}"


def _fits(ended: Ended, arrived: list[Served]) -> bool:
    billed, asides = ended.result.usage, ended.log.asides
    known = sum((each.usage for each in arrived if each.usage is not None), start=Usage())
    unknown = [each.estimate for each in arrived if each.usage is None]
    most_in = sum(each[0] for each in unknown) + asides.input_tokens
    most_out = sum(each[1] for each in unknown) + asides.output_tokens
    over_in = billed.input_tokens - known.input_tokens
    over_out = billed.output_tokens - known.output_tokens
    over_cache = billed.cache_read_tokens - known.cache_read_tokens
    return (
        0 <= over_in <= most_in
        and len(unknown) <= over_in + over_cache
        and 0 <= over_out <= most_out
        and 0 <= over_cache <= CACHED * len(unknown)
        and not billed.cache_write_tokens
    )


def _cost(ended: Ended, arrived: list[Served]) -> Iterator[str]:
    cost, names = ended.result.cost_usd or Decimal(0), {each.server for each in arrived}
    aside = max(_price(name, ended.log.asides) for name in PRICES.models)
    if len(names) == 1:
        due = _price(names.pop(), ended.result.usage)
        aside_due = Decimal(0)
    elif all(each.usage is not None for each in arrived):
        due = sum((_price(each.server, each.usage) for each in arrived), Decimal(0))
        aside_due = aside
    else:
        return
    if not due <= cost <= due + aside_due:
        yield f"it cost {cost} dollars, and {due} are due"
    limit, last = ended.recipe.max_usd, _last_turn(arrived)
    if limit is not None and last and all(each.usage is not None for each in last):
        before = cost - sum((_price(each.server, each.usage) for each in last), aside)
        if before >= limit:
            yield f"{before} dollars before the last call: the limit had been met"


def _last_turn(arrived: list[Served]) -> list[Served]:
    """Return the replies of the last call: a turn that pauses comes in several pieces."""
    turn = arrived[-1:]
    for each in reversed(arrived[:-1]):
        if each.fault.twist != "pause_turn":
            break
        turn.append(each)
    return turn


def _price(server: str, usage: Usage | None) -> Decimal:
    return PRICES.cost_usd(server, usage or Usage()) or Decimal(0)


def _secrets(ended: Ended) -> Iterator[str]:
    texts = (repr(ended.result), ended.result.fault_detail, *ended.texts)
    if any(key in text for key in ended.keys for text in texts):
        yield "a key is told"
