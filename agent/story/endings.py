"""How the answer was checked, how the run ended, and what it took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Final

from agent.messages import Figure, Transition
from agent.state import WALL_CLOCK_S, AgentState, Event, Phase
from agent.story.detail import Detail
from agent.story.moments import QUERY, ended_by_step
from agent.story.taking_over import without_taking_over
from agent.story.words import continued, count, listed, money, number_word, plain, times, took

_NO_ANSWER: Final = "I had no answer by then."


def tell_checks(trail: Sequence[Transition], judge: str, detail: Detail) -> list[str]:
    """Return how the answer was checked that passed, if one did."""
    last = trail[-1]
    if last.event is not Event.ACCEPTED or last.critique is None:
        return []
    critique = last.critique
    rows = "the rows" if _has_queried(trail) else "the rows of an earlier answer"
    sentences = [_tell_figures(critique.evidence.figures, rows)]
    if critique.faults:
        faults = [continued(plain(fault, detail.quote)) for fault in critique.faults[:2]]
        sentences.append(f"It was let through with a warning: {'; '.join(faults)}.")
    if critique.verdict is not None and critique.verdict.valid:
        sentences.append(f"A second look{f' by {judge}' if judge else ''} agreed.")
    return sentences


def _tell_figures(figures: Sequence[Figure], rows: str) -> str:
    """Return where the figures of an answer come from, as far as that is known."""
    origins = Counter(_origin(figure, rows) for figure in figures if figure.source)
    traced = origins.total()
    if not figures:
        return "No figure in the answer needed a source."
    if not traced:
        which = "the one figure" if len(figures) == 1 else f"any of the {len(figures)} figures"
        return f"I found no source for {which} in the answer."
    subject = _which_figures(traced, len(figures))
    if len(origins) == 1:
        verb = "comes" if traced == 1 else "come"
        return f"{subject} in the answer {verb} from {next(iter(origins))}."
    parts = listed([f"{number} from {where}" for where, number in origins.most_common()])
    return f"{subject} in the answer have a source: {parts}."


def _which_figures(traced: int, in_all: int) -> str:
    if traced < in_all:
        return f"{number_word(traced).capitalize()} of the {in_all} figures"
    return {1: "The one figure", 2: "Both figures"}.get(in_all, f"All {in_all} figures")


def _origin(figure: Figure, rows: str) -> str:
    source = figure.source.lower()
    if source.startswith("calculation"):
        return "a calculation"
    if "of query" in source:
        return "what the query asked for"
    if "question" in source:
        return "your question"
    return rows if "result" in source or "row" in source else "the rest of the answer"


def _has_queried(trail: Sequence[Transition]) -> bool:
    return any(step.ok and step.tool == QUERY for each in trail for step in each.steps)


def tell_ending(trail: Sequence[Transition], detail: Detail) -> list[str]:
    """Return how the run ended, as far as the deeds and the checks do not say it."""
    last = trail[-1]
    state = last.state
    if not state.is_terminal:
        return list(_tell_cut(last, detail))
    if last.target is Phase.FINISH:
        return [] if _has_queried(trail) else ["No query was run for this answer."]
    if last.target is Phase.CLARIFY:
        return [_tell_question_back(last, detail)]
    if last.target is Phase.CANCELLED:
        return [f"I was stopped here. {_NO_ANSWER}"]
    if last.target is Phase.ESCALATED:
        return [_tell_escalation(last)]
    return [_tell_failure(last, state, detail)]


def _tell_cut(last: Transition, detail: Detail) -> Iterator[str]:
    if last.event is Event.TOOLS_DONE and last.trigger:
        yield f"The last thing on record: {plain(last.trigger, detail.quote)}."
    yield "The record stops here, before an ending: I was cut off, or am still at it."


def _tell_question_back(last: Transition, detail: Detail) -> str:
    asked = [step.subject for step in last.steps if step.ok and step.tool == "ask_user"]
    if not asked:
        return "I had to ask you something first."
    question = plain(asked[-1], detail.quote)
    return f"I had to ask you something first: “{question}”{'' if question[-1:] == '?' else '.'}"


def _tell_escalation(last: Transition) -> str:
    if last.event is Event.BACKTRACK_CEILING:
        went = times(last.state.backtrack_count)
        return f"I had gone back {went} already, so now a person has to look at it."
    return "So now a person has to look at it."


def _tell_failure(last: Transition, state: AgentState, detail: Detail) -> str:
    match last.event:
        case Event.HOP_CEILING:
            steps = f"all {state.hop_count} steps that a question may take"
            return f"I stopped because {steps} were used up. {_NO_ANSWER}"
        case Event.RETRY_CEILING:
            return f"I stopped because too many steps had failed: {_errors(state)}. {_NO_ANSWER}"
        case Event.BUDGET_SPENT if state.model_call_ceiling_reached:
            thought = f"thought about it {state.model_calls} times"
            return f"I stopped because I had {thought}, which is the most I may. {_NO_ANSWER}"
        case Event.BUDGET_SPENT:
            limit = plain(last.trigger, detail.quote) or "No money was left for it"
            return f"I stopped at a limit in money. {limit}. {_NO_ANSWER}"
        case Event.TIMED_OUT:
            limit = took(WALL_CLOCK_S * 1000)
            return f"I stopped because the time limit of {limit} was over. {_NO_ANSWER}"
    broken = ended_by_step(last)
    fault = plain(broken.error if broken else without_taking_over(last.trigger), detail.quote)
    return (
        f"Then I had to stop. {fault[:1].upper()}{fault[1:]}." if fault else "Then I had to stop."
    )


def _errors(state: AgentState) -> str:
    in_all = f"{number_word(state.error_count)} in all"
    in_a_row = f"{number_word(state.retry_count)} in a row"
    if state.retry_count < 2:
        return in_all
    return in_a_row if state.retry_count == state.error_count else f"{in_a_row}, {in_all}"


def tell_cost(last: Transition, duration_ms: int | None, cost_usd: Decimal | None) -> str:
    """Return "4 steps, 12 s, $0.02."; what is not known is left out."""
    parts = [count(last.state.hop_count, "step")]
    if duration_ms is not None:
        parts.append(took(duration_ms))
    cost = cost_usd if cost_usd is not None else last.cost_usd
    if cost is not None:
        parts.append(money(cost))
    line = ", ".join(parts)
    return f"{line[:1].upper()}{line[1:]}."
