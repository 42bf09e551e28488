"""Fractions, multiples and ordinals: "two thirds", "one in five", "twice", "3x", "2nd"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from agent.evidence.hedges import Hedge, Range, hedge_before
from agent.evidence.mentions import Form, Mention
from agent.evidence.numerals import SMALL_WORDS

_ORDINALS: Final = {
    word: number
    for number, word in enumerate(
        [
            "first",
            "second",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
        ],
        start=1,
    )
}
_PARTS: Final = {"half": 2, "quarter": 4, **{w: n for w, n in _ORDINALS.items() if n >= 3}}
_PART = "|".join(_PARTS)
_SMALL = "|".join(word for word, number in SMALL_WORDS.items() if 1 <= number <= 20)
_COUNT = rf"(?:{_SMALL}|\d+(?:\.\d+)?)"
_OF = r"(?= of\b| the\b| its\b| their\b| as\b| that\b| our\b| all\b| what\b|\s*[.,;:!?)]|\s*$| (?:more|less|lower|higher|fewer|comes?|came|went|goes|belongs?|were|was|are|is)\b)"

_FRACTIONS = re.compile(
    rf"\b(?P<n>{_SMALL})[ -](?P<d>(?:{_PART})(?:s|ves)?|halves)\b(?!-| (?:place|rank|position|month|year|half))|"
    rf"\b(?:a|an) (?P<d1>{_PART})\b(?!-){_OF}|"
    r"(?<!first )(?<!second )(?<!other )(?<!latter )(?<!last )\b(?P<half>half)\b(?!-?year|time| a dozen| as| years?|-)|"
    r"(?<![\d/.,])(?P<a>\d)/(?P<b>\d{1,2})(?![\d/.,]\d|/)|"
    rf"\b(?P<one>one|two|three|four|five|six|seven|eight|nine|[1-9]) (?:in|out of every|of every|in every) (?P<in>{_COUNT})\b(?! (?:stores?|categories|months|films|cities|countries|years)\b)",
    re.IGNORECASE,
)
_MULTIPLES = re.compile(
    rf"\b(?P<n>{_COUNT}|several)(?:[ -]times| ?x\b| ?×)(?= (?:as|more|the|higher|larger|greater|bigger|longer|what|that|its|their|those|fewer|less|of)\b|\s*[.,;)]|$)|"
    r"(?<![\w.])(?P<x>\d+(?:\.\d+)?) ?[x×](?![\w])|"
    rf"\b(?P<fold>{_COUNT})-?fold\b|"
    r"\b(?P<word>twice|double[ds]?|doubling|tripled?|triples|threefold|twofold|tenfold|quadrupled?|thrice|halved|half (?=as (?:many|much|big|large|long|high)))\b"
    r"(?!-digit|-check| check| bill)",
    re.IGNORECASE,
)
_WORD_VALUES: Final = {
    "twice": 2, "double": 2, "doubled": 2, "doubles": 2, "doubling": 2, "twofold": 2, "triple": 3,
    "tripled": 3, "triples": 3, "threefold": 3, "thrice": 3, "quadruple": 4, "quadrupled": 4,
    "tenfold": 10,
}  # fmt: skip
_ORDINAL = re.compile(
    r"(?<![\w.,])(?P<n>\d+)(?:st|nd|rd|th)\b|"
    rf"\b(?P<w>{'|'.join(_ORDINALS)})(?=(?: place| position| rank|-(?:highest|largest|lowest|biggest|most|best|busiest|longest|strongest|placed|ranked|smallest|weakest)|"
    r" (?:highest|largest|lowest|biggest|most|best|busiest|longest|strongest|smallest|weakest|spot))\b)|"
    rf"\b(?:ranks?|ranked|comes?|came|in|is|takes|are|place[sd]?|finish(?:es|ed)?) (?:in |at )?(?P<w2>{'|'.join(_ORDINALS)})\b(?= (?:with|at|and|by|on)\b|\s*[.,;:(]|$)",
    re.IGNORECASE,
)


def find_proportions(text: str, taken: Sequence[tuple[int, int]]) -> list[Mention]:
    """Return the fractions, multiples and ordinals of `text` outside the spans that are `taken`."""
    found: list[Mention] = []
    spans = list(taken)
    for pattern, read in ((_MULTIPLES, _multiple), (_FRACTIONS, _fraction), (_ORDINAL, _ordinal)):
        for match in pattern.finditer(text):
            if any(start < match.end() and match.start() < end for start, end in spans):
                continue
            made = read(text, match)
            if made is not None:
                found.append(made)
                spans.append(match.span())
    return sorted(found, key=lambda m: m.start)


def _count(word: str) -> Decimal:
    return Decimal(SMALL_WORDS.get(word.lower(), 0) or word)


def _fraction(text: str, match: re.Match[str]) -> Mention | None:
    if match["half"]:
        top, bottom = Decimal(1), Decimal(2)
        if not re.search(
            r"^ (?:of|the|its|their|as|all|that|our)\b|^\s*[.,;)]|^$", text[match.end() :]
        ) and not (
            hedge_before(text[: match.start()])[0]
            or re.search(r"\b(?:by|a|one|than) $", text[: match.start()])
        ):
            return None
    elif match["a"]:
        top, bottom = Decimal(match["a"]), Decimal(match["b"])
    elif match["one"]:
        top, bottom = _count(match["one"]), _count(match["in"])
    else:
        word = (match["d"] or match["d1"]).lower()
        bottom = Decimal(_PARTS["half" if word == "halves" else word.removesuffix("s")])
        top = _count(match["n"]) if match["n"] else Decimal(1)
    if not bottom or top >= bottom:
        return None
    value = top / bottom * 100
    hedge, begin = hedge_before(text[: match.start()])
    return Mention(
        match[0].strip(), begin, match.end(), Form.PART, value, (_part_range(value, hedge),), hedge=hedge,
        is_word=not match["a"],
    )  # fmt: skip


def _part_range(value: Decimal, hedge: Hedge) -> Range:
    """Return the shares, in percent, that people call by a fraction."""
    hair, near, wide = Decimal("0.000001"), Decimal(2), Decimal(4)
    near, wide = min(near, value / 10), min(wide, value / 5)
    match hedge:
        case Hedge.OVER | Hedge.AT_LEAST:
            return Range(
                value + (hair if hedge is Hedge.OVER else 0), value + max(wide * 4, Decimal(8))
            )
        case Hedge.JUST_OVER:
            return Range(value + hair, value + wide)
        case Hedge.UNDER | Hedge.AT_MOST:
            return Range(value - wide * 4, value - hair if hedge is Hedge.UNDER else value)
        case Hedge.NEARLY:
            return Range(value - wide * Decimal("1.5"), value - hair)
        case Hedge.ABOUT:
            return Range(value - wide, value + wide)
    return Range(value - near, value + near)


def _multiple(text: str, match: re.Match[str]) -> Mention | None:
    word = (match["word"] or "").lower().strip()
    if word.startswith("hal"):
        value, written = Decimal("0.5"), ""
    elif word:
        value, written = Decimal(_WORD_VALUES.get(word.rstrip("."), 2)), ""
    else:
        written = match["n"] or match["x"] or match["fold"]
        if written.lower() == "several":
            return None
        value = _count(written)
        is_closed = re.match(r"\s*(?:[.,;)]|$)", text[match.end() :]) and "times" in match[0]
        if is_closed and not re.search(
            r"\bby (?:a factor of )?$|\b(?:grew|rose|increased|multiplied) $", text[: match.start()]
        ):
            return None  # "rented 250 times" counts
    hedge, begin = hedge_before(text[: match.start()])
    return Mention(
        match[0].strip(), begin, match.end(), Form.TIMES, value, (_multiple_range(value, written, hedge),),
        hedge=hedge, is_word=not any(c.isdigit() for c in match[0]),
    )  # fmt: skip


def _multiple_range(value: Decimal, written: str, hedge: Hedge) -> Range:
    hair = Decimal("0.000001")
    decimals = len(written.partition(".")[2])
    match hedge:
        case Hedge.OVER | Hedge.AT_LEAST:
            return Range(
                value + (hair if hedge is Hedge.OVER else 0), max(value + 1, value * Decimal("1.3"))
            )
        case Hedge.JUST_OVER:
            return Range(value + hair, value * Decimal("1.15"))
        case Hedge.UNDER | Hedge.AT_MOST:
            return Range(value - min(1, value / 2), value - (hair if hedge is Hedge.UNDER else 0))
        case Hedge.NEARLY:
            return Range(value * Decimal("0.85"), value - hair)
        case Hedge.ABOUT:
            half = value * Decimal("0.12") if not decimals else Decimal("0.5").scaleb(-decimals)
            return Range(value - half, value + half)
    half = value * Decimal("0.06") if not decimals else Decimal("0.5").scaleb(-decimals)
    return Range(value - half, value + half)


def _ordinal(text: str, match: re.Match[str]) -> Mention | None:
    number = int(match["n"]) if match["n"] else _ORDINALS[(match["w"] or match["w2"]).lower()]
    value = Decimal(number)
    return Mention(
        match[0].strip(), match.start(), match.end(), Form.ORDINAL, value, (Range(value, value),),
        is_word=not match["n"], digits=len(str(number)),
    )  # fmt: skip
