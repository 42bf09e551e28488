"""Places in an order: "2nd", "third place", "the fourth-highest"."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from agent.evidence.text.hedges import Range
from agent.evidence.text.mentions import Form, Mention
from agent.evidence.text.numerals import SMALL_WORDS

_NAMES: Final = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
)  # fmt: skip
ORDINAL_WORDS: Final = {word: number for number, word in enumerate(_NAMES, start=1)}
_WORD: Final = "|".join(ORDINAL_WORDS)
_BEST: Final = (
    r"(?:highest|largest|lowest|biggest|most|best|busiest|longest|strongest|smallest|weakest)"
)
_MANNER: Final = (
    r"(?:distant|close|strong|clear|solid|narrow|comfortable|near|weak|remote|joint|poor|"
    r"respectable|far|tight|safe|shared|tied)"
)
_IS: Final = (
    r"is|are|was|were|at|as|ranks?|ranked|comes?|came|comes? in|in|place[sd]?|also|only|our|still|"
    r"now|just|the|and|then"
)
_COUNTS: Final = {word: number for word, number in SMALL_WORDS.items() if 2 <= number <= 12}
_COUNT: Final = "|".join(_COUNTS)
ORDINAL: Final = re.compile(
    rf"(?<![\w.,])(?P<digits>\d+)(?:st|nd|rd|th)\b"
    rf"|\b(?P<word>{_WORD})(?=(?: place| position| rank|-{_BEST}|-placed|-ranked| {_BEST}| spot)\b)"
    rf"|\b(?:ranks?|ranked|comes?|came|in|is|takes|are|place[sd]?|finish(?:es|ed)?|tie[sd]?|tying|share[sd]?|"
    rf"sharing|joint|equal) (?:in |at |for )?"
    rf"(?P<behind>{_WORD})\b(?= (?:with|at|and|by|on)\b|\s*[.,;:(]|$)"
    rf"|\b(?:a|in) (?:very |rather )?{_MANNER} (?P<manner>{_WORD})\b(?!-)"
    rf"|(?:(?<!\w)no\.|(?:\b(?:{_IS})\s+|(?<![^(,;:.–—-])\s?|^)number)\s?"
    rf"(?P<no>\d{{1,3}}|{_COUNT})\b(?![.,]\d| (?:of|in) (?!\d))",
    re.IGNORECASE,
)


def read_ordinal(text: str, match: re.Match[str]) -> Mention:
    """Return the place that a match of `ORDINAL` in `text` names."""
    digits = match["digits"] or match["no"] or ""
    word = (match["word"] or match["behind"] or match["manner"] or digits).lower()
    number = int(digits) if digits.isdigit() else (ORDINAL_WORDS | _COUNTS)[word]
    value = Decimal(number)
    return Mention(
        match[0].strip(" ,;:.(–—-"), match.start(), match.end(), Form.ORDINAL, value,
        (Range(value, value),), is_word=not match["digits"], digits=len(str(number)),
    )  # fmt: skip
