"""How a question back ends: always in a question, so that a person knows it is their turn."""

from __future__ import annotations

import re
from typing import Final

DIFFERENTLY: Final = "Could you put it differently?"
INSTEAD: Final = "What would you like to know instead?"
_DEAD_ENDS: Final = (DIFFERENTLY, INSTEAD)
_ENDINGS: Final = (
    (re.compile(r"\bI cannot group by [^.]*\.$"), "What shall I group by?"),
    (re.compile(r"\bI cannot order this by [^.]*\.$"), "What shall I order it by?"),
    (re.compile(r"\bwhich has no highest or lowest\.$"), "By what else shall I rank?"),
    (re.compile(r"\bI found no (?:date|number)\b.*\.$"), "Which column shall I look at?"),
)


def as_question(text: str) -> str:
    """Return what is asked back with a question at its end."""
    text = text.strip()
    if text.endswith("?"):
        return text
    if text.endswith("Please put it differently."):
        return text.replace("Please put it differently.", DIFFERENTLY)
    close = next((asked for pattern, asked in _ENDINGS if pattern.search(text)), INSTEAD)
    return f"{text} {close}"


def leads_nowhere(answer: str) -> bool:
    """Whether an answer turned a question down, so that no reply can complete it."""
    return answer.endswith(_DEAD_ENDS)
