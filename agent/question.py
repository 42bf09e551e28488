"""What may be asked: some words, and not too many; perhaps about a message that stands by."""

from __future__ import annotations

from typing import Final

from agent.errors import QuestionInvalid
from agent.untrusted import without_marks

MAX_QUESTION: Final = 4_000
"""Characters; a longer text is a document, and a cut one could change its meaning."""
_ABOUT: Final = "\n\nThe question is about this message, which may be anybody's:\n<data>\n"


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


def about_message(question: str, message: str) -> str:
    """Return a question with the message that it is about, as a model reads both; "" for none.

    The message stands between the marks of what is data and never an instruction; nothing in it
    can look like one of them.
    """
    return f"{question}{_ABOUT}{without_marks(message)}\n</data>" if message else question


def without_message(question: str) -> str:
    """Return a question as the person put it, without the message that it is about."""
    return question.partition(_ABOUT)[0]
