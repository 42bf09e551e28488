"""The conversation, read anew in each turn: what was asked, what came back, what was refused."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agent.messages import Message, Observations, ToolCall, Turn, UserMessage
from agent.models.offline.afresh import Ending, since_fresh_start
from agent.models.offline.aside import is_about_tables, refusal
from agent.models.offline.closing import leads_nowhere
from agent.models.offline.known import Known, Refusal
from agent.models.offline.learning import learn, learn_schema
from agent.models.offline.outdated import up_to_date
from agent.models.offline.own_questions import with_own_questions
from agent.models.offline.probes import is_probe
from agent.question import without_message

_REFUSED: Final = re.compile(r"^Your last attempt was refused and taken back:\n")
_BLOCK: Final = re.compile(r"\n\n```(?:sql|schema)\n")
_SCHEMAS: Final = "\n\n```schema\n"
_UNANSWERED: Final = re.compile(
    r"\(This question was not answered|There were too many errors|The (?:time )?limit of |"
    r"My answer did not pass its checks|I kept coming back to a step|I may only read, and only"
)
"""How the record of a question begins that had no answer."""


def read_messages(messages: Sequence[Message]) -> Known:
    """Fold the messages of a run into what is known."""
    past, question, rest = _split(with_own_questions(messages))
    said, turns = _asked_of_the_data(past)
    earlier, endings, question = since_fresh_start(said, tuple(map(_ending, turns)), question)
    known = Known(question=question, earlier=earlier, endings=endings)
    if earlier and turns:
        if endings[-1] != "answered":
            known = replace(known, turned_down=_BLOCK.split(turns[-1], maxsplit=1)[0].strip())
        known = _remembered(known, turns[-1])
    calls: dict[str, ToolCall] = {}
    for message in rest:
        if isinstance(message, Turn):
            calls = {call.id: call for call in message.tool_calls}
        elif isinstance(message, Observations):
            for result in message.results:
                call = calls.get(result.call_id)
                if call is not None:
                    known = learn(known, call, result)
        elif isinstance(message, UserMessage):
            known = _corrected(known, message)
    return up_to_date(known)


def _asked_of_the_data(past: Sequence[Message]) -> tuple[tuple[str, ...], list[str]]:
    """Return the earlier questions with their answers, without those that no query can answer.

    Whatever such a question said, it was refused whole: nothing of it is part of the next.
    """
    said = [without_message(m.text) for m in past if isinstance(m, UserMessage)]
    turns = [m.text for m in past if isinstance(m, Turn)]
    kept = [
        (text, turn)
        for text, turn in zip(said, turns, strict=False)
        if not (refusal(text, is_reply=True) or is_about_tables(text))
    ]
    return tuple(text for text, _ in kept), [turn for _, turn in kept]


def _split(messages: Sequence[Message]) -> tuple[Sequence[Message], str, Sequence[Message]]:
    """Return the earlier questions of the thread, this question, and what followed it.

    A message of the loop that corrects the model stands behind the question.
    """
    past = [n for n, m in enumerate(messages) if isinstance(m, Turn) and m.is_past]
    start = past[-1] + 1 if past else 0
    for n, message in enumerate(messages[start:], start=start):
        if isinstance(message, UserMessage):
            return messages[:start], without_message(message.text), messages[n + 1 :]
    return messages[:start], "", ()


def _ending(text: str) -> Ending:
    """Tell how an earlier question ended; a question back ends with a question mark itself."""
    answer = _BLOCK.split(text, maxsplit=1)[0].strip()
    if _UNANSWERED.match(answer) or leads_nowhere(answer):
        return "failed"
    return "asked_back" if answer.endswith("?") else "answered"


def _remembered(known: Known, past: str) -> Known:
    """Learn the tables that were read before the question back to which this is the reply."""
    _, block, schemas = past.rpartition(_SCHEMAS)
    if not block or not schemas.endswith("\n```"):
        return known
    for schema in schemas.removesuffix("\n```").split("\n\n"):
        known = learn_schema(known, schema)
    return known


def _corrected(known: Known, message: UserMessage) -> Known:
    known = replace(known, hops=known.hops + message.dropped_turns)
    if not _REFUSED.match(message.text):
        return known
    reasons = tuple(
        line.removeprefix("- ") for line in message.text.splitlines() if line.startswith("- ")
    )
    has_rows = any(not ran.error and not is_probe(ran) for ran in known.ran)
    return replace(
        known,
        refusals=(*known.refusals, Refusal(reasons, max(message.dropped_turns, 1), not has_rows)),
    )
