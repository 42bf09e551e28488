"""CRITIQUE: the gate between a draft and an answer. Checks first, then the judge.

What the evidence refutes is refused once; where it comes back it passes with a warning that names
it. What the judge refuses goes back as long as there is a way back, and then to a person.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agent.errors import NoVerdict
from agent.evidence import Sources, check_evidence
from agent.giving_up import GivenUp, unless_cancelled
from agent.messages import Case, Critique, Evidence, Judgement, Severity, Verdict
from agent.money import came_late, may_spend
from agent.question import without_message
from agent.running import Run
from agent.self_correction import Setback
from agent.state import MAX_MODEL_CALLS, Event
from agent.warnings import UNCHECKED_WARNING, untraced_warning

logger = logging.getLogger(__name__)

_OF_RESULT: Final = re.compile(r"\bresult (\d{1,3})\b")
_SENTENCE_ENDS: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_OF_CALCULATION: Final = re.compile(r"\br(\d{1,3})\b")


def criticize(run: Run) -> Event:
    """CRITIQUE: check the draft, then ask the judge; say whether it is an answer."""
    draft = run.memory.last_turn.text.strip()
    evidence = _evidence(run, draft)
    unsound = _unsound(run, evidence)
    faults = (*_evidence_faults(evidence), *_audit_faults(run, unsound))
    critique = Critique(draft, evidence, faults=faults)
    if faults and not _refused_before(run):
        severity = Severity.MAJOR if unsound else Severity.MINOR
        return _refuse(run, critique, Setback(faults, severity, unsound))
    try:
        verdict = _verdict(run, draft)
    except GivenUp:
        run.happening.trigger = "The run was cancelled."
        return Event.CANCELLED
    critique = replace(critique, verdict=verdict)
    if verdict is not None and not verdict.valid:
        critique = replace(critique, faults=(verdict.reason, *faults))
        return _refuse(run, critique, Setback(critique.faults, verdict.severity))
    _keep(run, critique)
    if faults:
        run.happening.trigger = "The answer goes out with a warning."
    return Event.ACCEPTED


def _refused_before(run: Run) -> bool:
    """The evidence has refused a draft of this run already; it does so once."""
    return any(each.faults and each.verdict is None for each in run.critiques)


def _refuse(run: Run, critique: Critique, setback: Setback) -> Event:
    """Send the draft back; where no way back is left, to a person."""
    _keep(run, critique)
    if run.state.backtrack_ceiling_reached:
        run.happening.trigger = "My answer was refused again, so it goes to a person."
        return Event.ESCALATE
    run.setback = setback
    run.happening.trigger = "My answer did not pass its checks."
    return Event.REJECTED


def _keep(run: Run, critique: Critique) -> None:
    run.critiques.append(critique)
    run.happening.critique = critique


def _evidence(run: Run, draft: str) -> Evidence:
    """Check the figures. A bug in that is no reason to lose the run, nor to let it pass unsaid."""
    try:
        return check_evidence(draft, _sources(run))
    except Exception:
        logger.exception("bug in the evidence check")
        return Evidence(faults=(UNCHECKED_WARNING,))


def asserted_in(question: str, run: Run) -> tuple[str, ...]:
    """Return what a question back to the person says on the side, and no row supports.

    Sentences that ask are left alone: what they offer is no claim yet.
    """
    sentences = _SENTENCE_ENDS.split(question)
    said = " ".join(each for each in sentences if not each.rstrip().endswith("?"))
    untraced = [text for text in _evidence(run, said).untraced if text not in run.question]
    return (untraced_warning(untraced),) if untraced else ()


def _sources(run: Run) -> Sources:
    return Sources(
        without_message(run.question),  # what somebody wrote in a channel proves nothing
        tuple(run.memory.results),
        tuple(run.memory.calculations),
        run.today,
    )


def _evidence_faults(evidence: Evidence) -> tuple[str, ...]:
    untraced = (untraced_warning(evidence.untraced),) if evidence.untraced else ()
    return (*untraced, *evidence.faults)


def _unsound(run: Run, evidence: Evidence) -> tuple[int, ...]:
    """Return the numbers of the results that the draft rests on and the audit faults."""
    results = run.memory.results
    behind = results_behind(evidence, len(results))
    return tuple(number for number in behind if not results[number - 1].is_verified)


def _audit_faults(run: Run, refused: Sequence[int]) -> tuple[str, ...]:
    """Return what is wrong with the rows of the results of these numbers."""
    return tuple(
        dict.fromkeys(
            note.text
            for number in refused
            for note in run.memory.results[number - 1].audit
            if note.is_fault
        )
    )


def results_behind(evidence: Evidence, results: int) -> tuple[int, ...]:
    """Return the numbers of the `results` that a draft rests on, in order.

    They are the last one, which the card shows, and those of its figures, be it through a
    calculation.
    """
    numbers = {results}
    for figure in evidence.figures:
        named = _OF_CALCULATION if figure.source.startswith("calculation ") else _OF_RESULT
        numbers.update(int(number) for number in named.findall(figure.source))
    return tuple(sorted(number for number in numbers if 1 <= number <= results))


def _verdict(run: Run, draft: str) -> Verdict | None:
    """Ask the judge, within the run's own budgets; None where none is to be had."""
    if run.judge is None or run.state.model_call_ceiling_reached:
        return None
    case = Case(
        run.question,
        draft,
        tuple(run.memory.results),
        tuple(run.memory.calculations),
        run.earlier,
        run.today_in_words,
        run.asked_by,
    )
    if not may_spend(run, case=case):
        return None
    judge, seconds_left = run.judge, run.seconds_left
    turns_left = MAX_MODEL_CALLS - run.state.model_calls
    try:
        verdict, usage, turns, by_model = unless_cancelled(
            lambda: judge.judge(
                case,
                timeout_s=seconds_left,
                max_turns=turns_left,
                may_go_on=lambda usage: (
                    not run.cancelled.is_set() and may_spend(run, usage, case=case)
                ),
            ),
            run.cancelled,
            late=lambda given: came_late(
                run,
                (given.by_model or {judge.name: given.usage})
                if isinstance(given, Judgement | NoVerdict)
                else {},
            ),
        )
    except NoVerdict as none:
        verdict, usage, turns, by_model = None, none.usage, none.turns, none.by_model
    run.state = replace(run.state, model_calls=run.state.model_calls + turns)
    run.add_judging(usage, by_model)
    return verdict
