"""A person who means a question of their own: "my last question, but for 2024".

In a thread of several people that is not the last question, but the last one of the same person.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agent.messages import Message, Turn, UserMessage

_MINE: Final = re.compile(
    r"^\W*(?:(?:please|and|now|again|repeat|redo|(?:the )?same (?:as|for)|as in|like|take)\W+)*"
    r"my (?:own )?(?:last|latest|previous|earlier) (?:question|one|query)\b\W*"
    r"(?:(?:but|again|please|with|now)\b\W*)*",
    re.IGNORECASE,
)


def with_own_questions(messages: Sequence[Message]) -> Sequence[Message]:
    """Return the conversation without what others asked, where this person means their own.

    The words that say so are left out: what remains changes the question before it, and where
    nothing remains, that question is asked again. Without such a question all stays as it is.
    """
    past = [n for n, m in enumerate(messages) if isinstance(m, Turn) and m.is_past]
    start = past[-1] + 1 if past else 0
    asked = messages[start] if start < len(messages) else None
    if not isinstance(asked, UserMessage) or not (mine := _MINE.match(asked.text)):
        return messages
    kept: list[Message] = []
    for question, answer in zip(messages[:start:2], messages[1:start:2], strict=True):
        if isinstance(question, UserMessage) and question.speaker == asked.speaker:
            kept += [question, answer]
    last = kept[-2] if kept else None
    if not isinstance(last, UserMessage):
        return messages
    rest = asked.text[mine.end() :].strip()
    said = replace(asked, text=rest) if rest else replace(asked, text=last.text)
    return [*(kept if rest else kept[:-2]), said, *messages[start + 1 :]]
