"""What did not fit into a message, whole, as the text of a file; pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from agent.messages import AgentResult, Outcome
from bot.render.endings import LEADS, UNFINISHED, due_warnings
from bot.render.text import clean

_RULE: Final = "\n\n"


def whole_answer(result: AgentResult) -> str:
    """Return the words of a run as plain text: warnings, answer, remarks, plan; nothing is cut.

    What was refused is no answer, so it is not in it, as it is not on the card.
    """
    parts = [f"Question: {result.question.strip()}"]
    parts += [f"WARNING: {text}" for text in due_warnings(result)]
    parts += [LEADS[result.outcome]]
    answer = "" if result.outcome is Outcome.ESCALATED else result.answer.strip()
    if result.clarification is not None:
        asked = result.clarification
        answer = "\n".join([asked.question or answer, *(f"- {each}" for each in asked.options)])
    if result.outcome in UNFINISHED or not answer:
        parts.append(result.summary.strip())
    parts.append(answer)
    parts += [f"Note: {each.strip()}" for each in result.caveats]
    parts.append("\n".join(f"{at}. {step}" for at, step in enumerate(result.plan, 1)))
    return clean(_RULE.join(part for part in parts if part)) + "\n"


def whole_sql(sql: Sequence[str], set_aside: Sequence[str] = ()) -> str:
    """Return the queries of a run as one script, each as it was sent."""
    named = [(f"Query {at}", query) for at, query in enumerate(sql, 1)]
    named += [(f"Set aside {at}", query) for at, query in enumerate(set_aside, 1)]
    return _RULE.join(f"-- {name}\n{query.strip().rstrip(';')};" for name, query in named) + "\n"
