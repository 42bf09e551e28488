"""Multiples: "twice", "three times as many", "1.5x", "threefold"."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from agent.evidence.text.hedges import Hedge, Range, hedge_before
from agent.evidence.text.mentions import Form, Mention
from agent.evidence.text.numerals import SMALL_WORDS

_SMALL: Final = "|".join(word for word, number in SMALL_WORDS.items() if 1 <= number <= 20)
COUNT: Final = rf"(?:{_SMALL}|\d+(?:\.\d+)?)"
"""A small number in words, or one in digits."""
_COMPARED: Final = (
    r"(?:as|more|the|what|that|its|their|those|less|of|above|over|below|under|"
    r"(?:high|larg|great|bigg|long|few|slow|fast|cheap|dear|small|short|low|strong)er)"
)
_WORD_VALUES: Final[dict[str, int | Decimal]] = {
    "twice": 2, "double": 2, "doubled": 2, "doubles": 2, "doubling": 2, "twofold": 2, "triple": 3,
    "tripled": 3, "triples": 3, "threefold": 3, "thrice": 3, "quadruple": 4, "quadrupled": 4,
    "tenfold": 10, "halved": Decimal("0.5"), "half": Decimal("0.5"),
}  # fmt: skip
MULTIPLE: Final = re.compile(
    rf"\b(?P<n>{COUNT})(?P<and> and a half)?(?P<times>[ -]times| ?x\b| ?×)"
    rf"(?= {_COMPARED}\b| [$€£]?\d|\s*[.,;)]|$| [\w.&-]+(?: [\w.&-]+){{0,2}}'s?\b)"
    r"|(?<![\d.,$€£])\b(?P<to>\d{1,2}(?:\.\d)?)(?: to |:)1\b(?!:|\.?\d)"
    rf"|\bfactor of (?:about |around |roughly |nearly |almost )?(?P<factor>{COUNT})\b"
    r"|(?<![\w.])(?P<x>\d+(?:\.\d+)?) ?[x×](?![\w])"
    rf"|\b(?P<fold>{COUNT})-?fold\b"
    r"|\b(?P<word>twice|double[ds]?|doubling|tripled?|triples|threefold|twofold|tenfold"
    r"|quadrupled?|thrice|halved|half(?: as (?:many|much|big|large|long|high))? again"
    r"|half(?= as (?:many|much|big|large|long|high)))\b"
    r"(?!-digit|-check| check| bills?\b)",
    re.IGNORECASE,
)
_HOW_OFTEN: Final = re.compile(r"\s*(?::|, in|(?:in|on|at|during|since)\b)", re.IGNORECASE)
_GREW_BY: Final = re.compile(r"\bby (?:a factor of )?$|\b(?:grew|rose|increased|multiplied) $")


def read_multiple(text: str, match: re.Match[str]) -> Mention | None:
    """Return the multiple that a match of `MULTIPLE` in `text` is; None where it counts."""
    hedge, begin = hedge_before(text[: match.start()])
    word = (match["word"] or "").lower()
    if word == "twice" and _HOW_OFTEN.match(text, match.end()):
        return None
    written = match["n"] or match["x"] or match["fold"] or match["factor"] or match["to"] or ""
    if word:
        value = Decimal("1.5") if word.endswith("again") else Decimal(_WORD_VALUES[word])
    else:
        value = Decimal(SMALL_WORDS.get(written.lower(), 0) or written)
        if match["and"]:
            value, written = value + Decimal("0.5"), "0.5"
        ends = re.match(r"\s*(?:[.,;)]|$)", text[match.end() :])
        if ends and "times" in match[0] and not _GREW_BY.search(text[: match.start()]):
            return None  # "rented 250 times"
    ranges = (_allowed(value, written, hedge),)
    is_word = not any(c.isdigit() for c in match[0])
    return Mention(
        match[0].strip(),
        begin,
        match.end(),
        Form.TIMES,
        value,
        ranges,
        hedge=hedge,
        is_word=is_word,
    )


def _allowed(value: Decimal, written: str, hedge: Hedge) -> Range:
    """Return the ratios for which a multiple is a fair word."""
    hair = Decimal("0.000001")
    decimals = len(written.partition(".")[2])
    half = Decimal("0.5").scaleb(-decimals)
    match hedge:
        case Hedge.OVER | Hedge.AT_LEAST:
            low = value + (hair if hedge is Hedge.OVER else 0)
            return Range(low, max(value + 1, value * Decimal("1.3")))
        case Hedge.JUST_OVER:
            return Range(value + hair, value * Decimal("1.15"))
        case Hedge.UNDER | Hedge.AT_MOST | Hedge.UP_TO:
            high = value - (hair if hedge is Hedge.UNDER else 0)
            return Range(value - min(Decimal(1), value / 2), high)
        case Hedge.NEARLY | Hedge.JUST_UNDER:
            return Range(value * Decimal("0.85"), value - hair)
        case Hedge.ABOUT:
            half = half if decimals else value * Decimal("0.12")
        case _:
            half = half if decimals else value * Decimal("0.06")
    return Range(value - half, value + half)
