"""What may be asked: some words, and not too many."""

from __future__ import annotations

from typing import Final

from agent.errors import QuestionInvalid

MAX_QUESTION: Final = 4_000
"""Characters; a longer text is a document, and a cut one could change its meaning."""


def check_question(text: str) -> str:
    """Return the question without blanks at its ends, NULs and other control characters.

    Raises `QuestionInvalid` when nothing is left, or when it has more than `MAX_QUESTION`
    characters.
    """
    question = "".join(c for c in text if c.isprintable() or c in "\n\t").strip()
    if not question:
        raise QuestionInvalid("There is no question. Write one, such as: how many films are there?")
    if len(question) > MAX_QUESTION:
        raise QuestionInvalid(
            f"The question has {len(question):,} characters; at most {MAX_QUESTION:,} are read. "
            "Ask it in a few sentences."
        )
    return question
