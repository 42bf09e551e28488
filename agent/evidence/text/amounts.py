"""Numbers in a passage, in digits and in words, with their signs, scales and units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from agent.evidence.text.following import nouns_after
from agent.evidence.text.hedges import Hedge, Range, allowed, hedge_after, hedge_before
from agent.evidence.text.mentions import Form, Mention
from agent.evidence.text.numerals import (
    DIGITS,
    NUMBER_WORDS,
    SCALE_WORDS,
    Numeral,
    read_digits,
    read_words,
)
from agent.evidence.text.ranges import join_lengths_of_time, share_units
from agent.evidence.text.units import (
    CURRENCY,
    SCALE,
    SCALES,
    SIZE,
    TIME_WORD,
    UNIT,
    size_factors,
    time_unit,
)

Spans = Sequence[tuple[int, int]]

_AMOUNT: Final = re.compile(
    rf"(?P<sign>[-+±]?)\s?(?P<cur>{CURRENCY})?\s?(?P<sign2>-?)(?P<num>{DIGITS})"
    rf"(?:[ -]?(?P<scale>{SCALE})\b\.?)?(?:[ \u202f-]?(?:{UNIT}))?",
    re.IGNORECASE,
)
_WORDS: Final = re.compile(rf"\b(?P<num>{NUMBER_WORDS})(?:[ -](?:{UNIT}))?", re.IGNORECASE)
_ONE_IS_NUMBER: Final = re.compile(
    r"(?:\b(?:only|just|exactly|single|precisely|by)|^)\s*$", re.IGNORECASE
)
_ONE_IS_NONE: Final = re.compile(
    r" (?:\w+ (?:for|per|out of|of) (?:every|each)|"
    r"of|thing|more|way|caveat|note|could|can|that|who|which|should|in)\b"
)
_LISTED_NAME: Final = re.compile(r"\b(?:top|last|first|bottom|mid)$", re.IGNORECASE)


def find_amounts(text: str, taken: Spans, *, european: bool) -> list[Mention]:
    """Return the numbers of `text` outside the spans that are `taken`, in their order."""
    found: list[Mention] = []
    for match in _AMOUNT.finditer(text):
        if not _overlaps(match.span("num"), taken):
            made = _read_amount(text, match, european)
            found += [made] if made is not None else []
    spans = [*taken, *((m.start, m.end) for m in found)]
    for match in _WORDS.finditer(text):
        if not _overlaps(match.span(), spans):
            made = _read_word(text, match)
            found += [made] if made is not None else []
    found.sort(key=lambda m: m.start)
    return join_lengths_of_time(share_units(found, text), text)


def _overlaps(span: tuple[int, int], taken: Spans) -> bool:
    return any(start < span[1] and span[0] < end for start, end in taken)


def _read_amount(text: str, match: re.Match[str], european: bool) -> Mention | None:
    start, end = match.span()
    start += len(match[0]) - len(match[0].lstrip())
    sign = -1 if "-" in (match["sign"], match["sign2"]) else 1 if match["sign"] == "+" else 0
    if match["sign"] and text[start - 1 : start].isalnum():
        if text[start - 1].isalpha() and not _LISTED_NAME.search(text[:start]):
            return None  # a name: PG-13
        start, sign = start + 1, 0  # a hyphen
    if _is_part_of_word(text, match, start):
        return None
    numerals = read_digits(match["num"], european=european)
    if not numerals:
        return None
    scale = Decimal(SCALES[match["scale"].lower().rstrip(".")] if match["scale"] else 1)
    if (match["scale"] or "").lower() == "mm" and not match["cur"]:
        scale = Decimal(1)  # of rain, not of dollars
    scale = scale / 100 if match["cents"] else scale
    scaled = tuple(n.times(scale) for n in numerals)
    digits = len(re.sub(r"\D", "", match["num"]).strip("0")) or 1
    size = SIZE.match(text, end) if end == match.end("num") else None
    if size is not None:
        scaled = tuple(n.times(factor) for n in numerals for factor in size_factors(size))
        made = _mention(text, match, (start, size.end()), scaled, sign, digits, rounded=False)
        return replace(made, nouns=("byte",), prep_nouns=(), rough=())
    return _mention(text, match, (start, end), scaled, sign, digits, rounded=scale > 1)


def _is_part_of_word(text: str, match: re.Match[str], start: int) -> bool:
    """Whether digits belong to a name: 3D, 4K, r1, 10.0.0.1."""
    before, tail = text[:start], text[match.end() :]
    if match["cur"]:
        if re.search(r"[^\W_]$", before):
            return True
    elif not match["sign"] and re.search(r"[^\W\d_]$|\d[.,]?$|[_/]$", before):
        return True
    if tail.startswith(") ") and before.count("(") <= before.count(")"):
        return True  # the number of an item: "1) Sports, 2) New"
    if match["percent"] or not re.match(r"[^\W\d_]|\d|[_/]\w", tail):
        return False
    is_bare = match.end("num") == match.end()
    return not is_bare or not (TIME_WORD.match(text, match.end()) or SIZE.match(text, match.end()))


def _read_word(text: str, match: re.Match[str]) -> Mention | None:
    said = match["num"].lower()
    before, after = text[: match.start()], text[match.end() :]
    if said in ("one", "zero") and not (
        _ONE_IS_NUMBER.search(before)
        and re.match(r" [a-z]", after)
        and not _ONE_IS_NONE.match(after)
    ):
        return None
    is_compound = re.search(r"[\w]-$", before) or re.match(r"-(?:way|off|sided|digit)", after)
    numeral = None if said in SCALE_WORDS or is_compound else read_words(said)
    if numeral is None:
        return None
    digits = len(str(numeral.value).strip("0")) or 1
    if match["cents"]:
        numeral = numeral.times(Decimal("0.01"))
    made = _mention(text, match, match.span(), (numeral,), 0, digits, rounded=numeral.step > 100)
    return replace(made, is_word=True)


def _mention(
    text: str,
    match: re.Match[str],
    span: tuple[int, int],
    numerals: tuple[Numeral, ...],
    sign: int,
    digits: int,
    *,
    rounded: bool,
) -> Mention:
    start, end = span
    hedge, begin = hedge_before(text[:start])
    if hedge is Hedge.PLAIN:
        hedge, more = hedge_after(text[end:])
        end += more if more <= 2 else 0  # "30+"; of "30 or more" the words stay outside
    ranges = tuple(r for n in numerals for r in allowed(n, hedge, is_rounded=rounded))
    rough = tuple(_rough(n) for n in numerals if n.round_step > n.step and digits > 1 and not hedge)
    if sign < 0:
        ranges, rough = tuple(r.negative() for r in ranges), tuple(r.negative() for r in rough)
    nouns, prep_nouns = nouns_after(text[end:])
    form = Form.POINTS if match["points"] else Form.PERCENT if match["percent"] else Form.NUMBER
    currency = (match.groupdict().get("cur") or match["money"] or match["cents"] or "").strip()
    unit = "" if currency or form is not Form.NUMBER else _unit_after(text, end)
    return Mention(
        text[start:end].strip(), begin, end, form, numerals[0].value * (sign or 1), ranges, rough,
        hedge, currency, unit, nouns, prep_nouns, sign, digits=digits,
        in_brackets=text[start - 1 : start] == "(" and text[end : end + 1] == ")",
        is_adjective=re.match(r"-[a-z]", text[end:]) is not None,
    )  # fmt: skip


def _unit_after(text: str, end: int) -> str:
    match = TIME_WORD.match(text, end)
    return time_unit(match["unit"]) if match is not None else ""


def _rough(numeral: Numeral) -> Range:
    half = numeral.round_step / 2
    return Range(numeral.value - half, numeral.value + half)
