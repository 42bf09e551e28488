"""What the bot did, moment by moment, in sentences that begin with I."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Final

from agent.story.attempts import tell_query, tell_refusal
from agent.story.detail import Detail
from agent.story.moments import QUERIES, QUERY, Kind, Moment
from agent.story.reasons import plain_reason
from agent.story.words import continued, listed, name, number_word, plain, shortened, times

_TOO_EARLY: Final = {
    QUERY: "to run a query before I had looked at a table",
    "generate_chart": "to draw a chart before a query had given rows",
    "calculate": "to work something out before a query had given rows",
}


def tell_plan(plan: Sequence[str], detail: Detail) -> str:
    """Return "I planned three steps: …", or less of it."""
    if len(plan) == 1:
        return f"My plan: {continued(plain(plan[0], detail.quote))}." if detail.plan else ""
    words = f"I planned {number_word(len(plan))} steps"
    if not detail.plan:
        return f"{words}."
    steps = [continued(plain(step, detail.quote // 2)) for step in plan[: detail.plan]]
    return f"{words}: {'; '.join(steps)}{'; …' if len(plan) > len(steps) else ''}."


def tell_deeds(
    moments: Sequence[Moment], *, answered: bool, judge: str, detail: Detail
) -> Iterator[str]:
    """Yield a sentence for each moment, or for several of a kind that follow each other.

    `answered` says that an answer passed in the end, `judge` who took a second look.
    """
    told = 0
    refused = sum(moment.kind is Kind.REFUSED for moment in moments)
    for group, neighbours in groupby(moments, key=_group):
        together = tuple(neighbours)
        if group in QUERIES:
            for number, moment in enumerate(together, told):
                yield from tell_query(moment, moments[:number], moments[number + 1 :], detail)
        elif group is Kind.REFUSED:
            only = refused == 1 and not answered
            for moment in together:
                yield tell_refusal(moment, only=only, judge=judge, detail=detail)
        else:
            yield from _TELL[group](together, detail)
        told += len(together)


def _group(moment: Moment) -> Kind:
    """Return the kind of sentence that a moment goes into."""
    if moment.kind is Kind.SEARCH:
        return Kind.LOOK
    return Kind.QUERY if moment.kind in QUERIES else moment.kind


def _tell_exploring(together: Sequence[Moment], detail: Detail) -> Iterator[str]:
    searches = sum(moment.kind is Kind.SEARCH for moment in together)
    tables = list(dict.fromkeys(m.subject for m in together if m.kind is Kind.LOOK))
    did = []
    if searches:
        did.append("searched for the right tables" + (f" {times(searches)}" * (searches > 1)))
    if tables:
        did.append(f"looked at {_named_tables(tables, detail.tables)}")
    yield f"I {' and '.join(did)}."


def _named_tables(tables: Sequence[str], limit: int) -> str:
    names = [shortened(table, 60) for table in tables]
    if len(names) <= min(3, limit):
        return listed(names)
    if len(names) > limit:
        names = [*names[:limit], f"{len(names) - limit} more"]
    return f"{len(tables)} tables: {listed(names)}"


def _tell_missing_tables(together: Sequence[Moment], _: Detail) -> Iterator[str]:
    names = list(dict.fromkeys(name(moment.subject) for moment in together))
    which = listed(names, "or") if len(names) <= 3 else f"{number_word(len(names))} tables"
    yield f"I asked for {which}, but there is no such table that I may read."


def _tell_charts(together: Sequence[Moment], detail: Detail) -> Iterator[str]:
    if len(together) > 1:
        yield f"I drew {number_word(len(together))} charts."
        return
    title = plain(together[0].subject, detail.quote // 2)
    yield f"I drew a chart, “{title}”." if title else "I drew a chart."


def _tell_calculations(together: Sequence[Moment], _: Detail) -> Iterator[str]:
    figures = "one figure" if len(together) == 1 else f"{number_word(len(together))} figures"
    yield f"I worked out {figures} from the rows."


def _tell_failed_steps(together: Sequence[Moment], detail: Detail) -> Iterator[str]:
    what = {"generate_chart": "I could not draw a chart", "calculate": "A calculation failed"}
    for step in dict.fromkeys(moment.step for moment in together if moment.step):
        reason = plain_reason(step.error, detail.quote)
        yield f"{what.get(step.tool, 'A step failed')} because {reason}."


def _tell_too_early(together: Sequence[Moment], _: Detail) -> Iterator[str]:
    tools = dict.fromkeys(moment.step.tool for moment in together if moment.step)
    early = [_TOO_EARLY[tool] for tool in tools if tool in _TOO_EARLY]
    steps = "a step" if len(together) == 1 else f"{number_word(len(together))} steps"
    yield f"I tried {steps} that I may not take yet{': ' if early else ''}{listed(early)}."


def _tell_went_back(together: Sequence[Moment], _: Detail) -> Iterator[str]:
    if together[0].number == 1:
        yield "I went back to the last sound point to try another way."
    else:
        yield "Once more I went back to try another way."


def _counted(one: str, several: str) -> Callable[[Sequence[Moment], Detail], Iterator[str]]:
    return lambda together, _: iter(
        [one if len(together) == 1 else several.format(number_word(len(together)))]
    )


_TELL: Final[dict[Kind, Callable[[Sequence[Moment], Detail], Iterator[str]]]] = {
    Kind.LOOK: _tell_exploring,
    Kind.NO_TABLE: _tell_missing_tables,
    Kind.CHART: _tell_charts,
    Kind.CALCULATION: _tell_calculations,
    Kind.FAILED_STEP: _tell_failed_steps,
    Kind.NOT_YET: _tell_too_early,
    Kind.REPEATED: _counted(
        "I came back to a step that I had taken before; it was not run again.",
        "I came back {} times to a step that I had taken before; it was not run again.",
    ),
    Kind.FAILED_AGAIN: _counted(
        "I came back to a step that had failed before; it was not run again.",
        "I came back {} times to a step that had failed before; it was not run again.",
    ),
    Kind.UNKNOWN: _counted(
        "I tried a step that does not exist.", "I tried {} steps that do not exist."
    ),
    Kind.MISFILLED: _counted(
        "I got the details of a step wrong.", "I got the details of {} steps wrong."
    ),
    Kind.NOTHING_SAID: _counted(
        "Once I came up with nothing that could be used.",
        "I came up with nothing that could be used {} times in a row.",
    ),
    Kind.WENT_BACK: _tell_went_back,
    Kind.ASKED: lambda together, detail: iter(()),
}
