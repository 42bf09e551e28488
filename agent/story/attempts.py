"""The queries and the refused answers, each with its number: "My second query gave 5 rows"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from agent.messages import Step
from agent.story.detail import Detail
from agent.story.instead import used_instead
from agent.story.moments import QUERIES, Kind, Moment
from agent.story.reasons import missing_name, plain_reason
from agent.story.words import continued, count, name, ordinal, plain, took

_NO_ROWS: Final = re.compile(r"No rows?\b")


def tell_query(
    moment: Moment, told: Sequence[Moment], following: Sequence[Moment], detail: Detail
) -> Iterator[str]:
    """Yield what came of a query; `told` is what happened before it, `following` after it."""
    step = moment.step
    if step is None:
        return
    before = told[-1] if told else None
    subject = _which_query(moment, before, only=not _queries((*told, *following)))
    if step.ok:
        yield f"{subject} gave {count(step.rows or 0, 'row')}{_in_time(step)}."
        if notes := [note for note in step.notes if not (step.rows == 0 and _NO_ROWS.match(note))]:
            said = [continued(plain(note, detail.quote)) for note in notes[: detail.notes]]
            yield from [f"A check of the rows said: {'; '.join(said)}."] if said else []
        return
    reason = plain_reason(step.error, detail.quote)
    again = _failed_because(before, detail) == reason
    why = "for the same reason" if again else f"because {reason}"
    yield f"{subject} failed {why}{_instead(step, following)}."


def tell_refusal(moment: Moment, *, only: bool, judge: str, detail: Detail) -> str:
    """Return who refused an answer, and why; `only` where the run wrote no other one."""
    critique = moment.critique
    if critique is None:
        return ""
    answer = "answer" if only else f"{ordinal(moment.number)} answer"
    faults = [continued(plain(fault, detail.quote)) for fault in critique.faults[:2] if fault]
    reason = f": {'; '.join(faults)}" if faults else ""
    if critique.verdict is not None and not critique.verdict.valid:
        return f"A second look{f' by {judge}' if judge else ''} refused my {answer}{reason}."
    return f"My {answer} did not pass my own checks{reason}."


def _which_query(moment: Moment, before: Moment | None, *, only: bool) -> str:
    if only:
        return "My query"
    if before is not None and before.kind in QUERIES:
        return f"The {ordinal(moment.number)}"
    return f"My {ordinal(moment.number)} query"


def _queries(moments: Sequence[Moment]) -> list[Moment]:
    return [moment for moment in moments if moment.kind in QUERIES]


def _failed_because(moment: Moment | None, detail: Detail) -> str:
    if moment is None or moment.step is None or moment.kind is not Kind.FAILED_QUERY:
        return ""
    return plain_reason(moment.step.error, detail.quote)


def _in_time(step: Step) -> str:
    return "" if step.duration_ms is None else f" in {took(step.duration_ms)}"


def _instead(failed: Step, following: Sequence[Moment]) -> str:
    """Return "; I used `amount` instead" where the next query says so clearly."""
    later = _queries(following)
    missing = missing_name(failed.error)
    if not missing or not later or later[0].kind is Kind.FAILED_QUERY or later[0].step is None:
        return ""
    used = used_instead(failed.subject, missing, later[0].step.subject)
    return f"; I used {name(used)} instead" if used else ""
