"""What the card says of each ending, apart from the answer itself; pure.

Each outcome reads differently: a run that failed, a fault of ours and a question without matching
rows must never be taken for one another.
"""

from __future__ import annotations

from typing import Final

from agent.messages import AgentResult, Outcome, QueryResult
from agent.warnings import ESCALATED_WARNING, FAILED_WARNING, NO_QUERY_WARNING

LEADS: Final[dict[Outcome, str]] = {
    Outcome.ANSWERED: "",
    Outcome.ANSWERED_WITH_CAVEATS: "",
    Outcome.NO_DATA: "No rows matched.",
    Outcome.NEEDS_CLARIFICATION: "I need to know one thing first.",
    Outcome.NOT_PERMITTED: "I may not answer this.",
    Outcome.FAILED: "I did not get to an answer.",
    Outcome.SYSTEM_FAULT: "Something went wrong that has nothing to do with your data.",
    Outcome.ESCALATED: "This needs a person.",
    Outcome.CANCELLED: "Stopped.",
}
"""The first words of the card, after the warnings; "" where the answer speaks for itself."""

UNFINISHED: Final = frozenset(
    {Outcome.FAILED, Outcome.SYSTEM_FAULT, Outcome.CANCELLED, Outcome.ESCALATED}
)
"""Without an answer: the card says why, and what was found by then."""
CLAIMS_AN_ANSWER: Final = frozenset(
    {Outcome.ANSWERED, Outcome.ANSWERED_WITH_CAVEATS, Outcome.NO_DATA}
)


def due_warnings(result: AgentResult) -> list[str]:
    """Return every warning that is due, each once and on one line, the gravest first.

    Those that matter most are added here where the run did not bring them.
    """
    due = []
    if result.failed:
        due.append(FAILED_WARNING)
    if result.outcome is Outcome.ESCALATED:
        due.append(ESCALATED_WARNING)
    if result.outcome in CLAIMS_AN_ANSWER and result.n_queries == 0:
        due.append(NO_QUERY_WARNING)
    own = (" ".join(text.split()) for text in result.warnings)
    return list(dict.fromkeys([*due, *(text for text in own if text)]))


def shown_result(result: AgentResult) -> QueryResult | None:
    """Return the result whose rows the card shows and its CSV holds: the last one with rows.

    None where there is none, where a single value already stands in the answer, and where the
    rows would not be the answer: no match, or a question back.
    """
    last = next((each for each in reversed(result.results) if each.rows and each.columns), None)
    if last is None or result.outcome in (Outcome.NEEDS_CLARIFICATION, Outcome.NO_DATA):
        return None
    is_one_value = len(last.rows) == len(last.columns) == 1
    is_said = bool(result.answer.strip()) and result.outcome not in UNFINISHED
    return None if is_one_value and is_said else last


def found_so_far(result: AgentResult, has_table: bool) -> str:
    """Return the words that stand above what an unfinished run found; "" for any other run."""
    if result.outcome not in UNFINISHED:
        return ""
    if has_table:
        return "What I had found by then:"
    if result.set_aside and not result.n_queries:
        return "What the queries had brought back by then did not stand, so it is not shown."
    if result.n_queries:
        return "The queries that ran by then had brought back no rows."
    return "No query had brought anything back by then."
