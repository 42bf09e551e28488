"""Fractions: "a third", "two thirds", "half", "one in five", "3/4"."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from agent.evidence.text.hedges import Hedge, Range, hedge_before
from agent.evidence.text.mentions import Form, Mention
from agent.evidence.text.multiples import COUNT
from agent.evidence.text.numerals import SMALL_WORDS
from agent.evidence.text.ordinals import ORDINAL_WORDS

_PARTS: Final = {"half": 2, "quarter": 4, **{w: n for w, n in ORDINAL_WORDS.items() if n >= 3}}
_PART: Final = "|".join(_PARTS)
_SMALL: Final = "|".join(word for word, number in SMALL_WORDS.items() if 1 <= number <= 20)
_TENS: Final = "|".join(word for word, number in SMALL_WORDS.items() if number > 20)
_EVERY: Final = {**{w: n for w, n in ORDINAL_WORDS.items() if n >= 2}}
_NTH: Final = "|".join(_EVERY) + r"|\d{1,2}(?:st|nd|rd|th)"
_OF: Final = (
    r"(?= of\b| the\b| its\b| their\b| as\b| that\b| our\b| all\b| what\b|\s*[.,;:!?)]|\s*$"
    r"| (?:more|less|lower|higher|fewer|comes?|came|went|goes|belongs?|were|was|are|is|cheaper|"
    r"pricier|dearer|costlier|shorter|longer|smaller|larger|bigger|greater|faster|slower|above|"
    r"below|ahead|behind|off|up|down|better|worse|on)\b)"
)
FRACTION: Final = re.compile(
    rf"\b(?P<n>{_SMALL})[ -](?P<d>(?:{_PART})(?:s|ves)?|halves)\b"
    r"(?!-| (?:place|rank|position|month|year|half|quarters?\b|in a row|running|straight))"
    rf"|\b(?:a|an) (?P<d1>{_PART})\b(?!-){_OF}"
    r"|(?<!first )(?<!second )(?<!other )(?<!latter )(?<!last )"
    r"\b(?P<half>half)\b(?!-?year|time| a dozen| as| years?|-)"
    r"|(?<![\d/.,])(?P<a>\d)/(?P<b>\d{1,2})(?![\d/.,]\d|/)"
    r"|(?:\b|[$€£])(?P<one>one|two|three|four|five|six|seven|eight|nine|[1-9])"
    r" (?:in|out of every|of every|in every"
    r"|out of(?= (?:ten|10|a hundred|100) (?:dollars|euros|pounds)))"
    rf" [$€£]?(?P<in>{COUNT}|{_TENS})\b"
    r"(?! (?:stores?|categories|months|films|cities|countries|years)\b)"
    r"|\b(?:one|1) [a-z]+ (?:in|out of|in every|out of every) (?:every )?"
    rf"(?P<among>{COUNT}|{_TENS})(?=\s*[.,;:)(]|$"
    r"| (?:is|was|are|were|comes?|came|gets?|goes|went|has|had|ends?|returns?|fails?|that|who)\b)"
    rf"|\bevery (?P<nth>{_NTH})\b(?! (?:second|minute|hour|day|week|month|quarter|year|time)s?\b)",
    re.IGNORECASE,
)
_HALF_OF: Final = re.compile(r" (?:more|less|again|of|the|its|their|as|all|that|our)\b|\s*[.,;)]|$")
_HALF_AFTER: Final = re.compile(r"\b(?:by|a|one|than) $")


def read_fraction(text: str, match: re.Match[str]) -> Mention | None:
    """Return the fraction, in percent, that a match of `FRACTION` in `text` is; None for none."""
    hedge, begin = hedge_before(text[: match.start()])
    if match["half"]:
        is_part = _HALF_OF.match(text[match.end() :]) or _HALF_AFTER.search(text[: match.start()])
        top, bottom = Decimal(1), Decimal(2 if is_part or hedge else 0)
    elif match["a"]:
        top, bottom = Decimal(match["a"]), Decimal(match["b"])
    elif match["nth"]:
        word = match["nth"].lower()
        top, bottom = Decimal(1), Decimal(_EVERY.get(word, 0) or re.sub(r"\D", "", word))
    elif match["among"]:
        top, bottom = Decimal(1), _count(match["among"])
    elif match["one"]:
        top, bottom = _count(match["one"]), _count(match["in"])
    else:
        word = (match["d"] or match["d1"]).lower()
        bottom = Decimal(2 if word == "halves" else _PARTS[word.removesuffix("s")])
        top = _count(match["n"]) if match["n"] else Decimal(1)
    if not bottom or top >= bottom:
        return None
    value = top / bottom * 100
    return Mention(
        match[0].strip(), begin, match.end(), Form.PART, value, (_allowed(value, hedge),),
        hedge=hedge, is_word=not match["a"],
    )  # fmt: skip


def _count(word: str) -> Decimal:
    return Decimal(SMALL_WORDS.get(word.lower(), 0) or word)


def _allowed(value: Decimal, hedge: Hedge) -> Range:
    """Return the shares, in percent, that people call by a fraction."""
    hair = Decimal("0.000001")
    near, wide = min(Decimal(2), value / 10), min(Decimal(4), value / 5)
    match hedge:
        case Hedge.OVER | Hedge.AT_LEAST:
            low = value + (hair if hedge is Hedge.OVER else 0)
            return Range(low, value + max(wide * 4, Decimal(8)))
        case Hedge.JUST_OVER:
            return Range(value + hair, value + wide * Decimal("1.25"))
        case Hedge.UNDER | Hedge.AT_MOST | Hedge.UP_TO:
            return Range(value - wide * 4, value - (hair if hedge is Hedge.UNDER else 0))
        case Hedge.NEARLY | Hedge.JUST_UNDER:
            return Range(value - wide * Decimal("1.5"), value - hair)
        case Hedge.ABOUT:
            near = wide
    return Range(value - near, value + near)
