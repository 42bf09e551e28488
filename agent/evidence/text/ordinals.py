"""Places in an order: "2nd", "third place", "the fourth-highest"."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from agent.evidence.text.hedges import Range
from agent.evidence.text.mentions import Form, Mention

_NAMES: Final = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
)  # fmt: skip
ORDINAL_WORDS: Final = {word: number for number, word in enumerate(_NAMES, start=1)}
_WORD: Final = "|".join(ORDINAL_WORDS)
_BEST: Final = (
    r"(?:highest|largest|lowest|biggest|most|best|busiest|longest|strongest|smallest|weakest)"
)
ORDINAL: Final = re.compile(
    rf"(?<![\w.,])(?P<digits>\d+)(?:st|nd|rd|th)\b"
    rf"|\b(?P<word>{_WORD})(?=(?: place| position| rank|-{_BEST}|-placed|-ranked| {_BEST}| spot)\b)"
    rf"|\b(?:ranks?|ranked|comes?|came|in|is|takes|are|place[sd]?|finish(?:es|ed)?) (?:in |at )?"
    rf"(?P<behind>{_WORD})\b(?= (?:with|at|and|by|on)\b|\s*[.,;:(]|$)",
    re.IGNORECASE,
)


def read_ordinal(text: str, match: re.Match[str]) -> Mention:
    """Return the place that a match of `ORDINAL` in `text` names."""
    word = match["word"] or match["behind"]
    number = int(match["digits"]) if match["digits"] else ORDINAL_WORDS[word.lower()]
    value = Decimal(number)
    return Mention(
        match[0].strip(), match.start(), match.end(), Form.ORDINAL, value, (Range(value, value),),
        is_word=not match["digits"], digits=len(str(number)),
    )  # fmt: skip
