"""Numbers in a passage, in digits and in words, with their signs, scales and units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from agent.evidence.hedges import Hedge, Range, allowed, hedge_after, hedge_before
from agent.evidence.mentions import Form, Mention
from agent.evidence.nouns import TIME_UNITS, concept
from agent.evidence.numerals import DIGITS, NUMBER_WORDS, Numeral, read_digits, read_words

Spans = Sequence[tuple[int, int]]

_CODES = r"USD|EUR|GBP|CHF|JPY|CAD|AUD|SEK|PLN"
_CURRENCY = rf"(?:US|U\.S\.|CA|A|C)?\$|[€£¥₹]|(?:{_CODES})\b"
_SCALES: Final = {
    "k": 1_000, "tsd": 1_000, "thousand": 1_000, "tausend": 1_000, "grand": 1_000,
    "m": 1_000_000, "mn": 1_000_000, "mm": 1_000_000, "mio": 1_000_000, "million": 1_000_000,
    "millionen": 1_000_000, "millions": 1_000_000, "bn": 1_000_000_000, "b": 1_000_000_000,
    "mrd": 1_000_000_000, "billion": 1_000_000_000, "milliarden": 1_000_000_000,
    "hundred": 100, "trillion": 1_000_000_000_000, "dozen": 12,
}  # fmt: skip
_SCALE = "|".join(sorted(_SCALES, key=len, reverse=True))
_UNIT = (
    r"(?P<points>percentage[ -]points?|percent points?|%[ -]?points?|pp\b|p\.p\.|pps\b|Prozentpunkte|points?\b)|"
    r"(?P<percent>%|percent\b|per cent\b|pct\b|Prozent\b|pour cent\b)|"
    rf"(?P<money>(?:US |U\.S\. |American )?dollars?\b|bucks\b|euros?\b|pounds?\b(?! of)|{_CURRENCY})"
)
_AMOUNT = re.compile(
    rf"(?P<sign>[-+±]?)\s?(?P<cur>{_CURRENCY})?\s?(?P<sign2>-?)(?P<num>{DIGITS})"
    rf"(?:[ -]?(?P<scale>{_SCALE})\b\.?)?(?:[ \u202f-]?(?:{_UNIT}))?",
    re.IGNORECASE,
)
_WORDS = re.compile(rf"\b(?P<num>{NUMBER_WORDS})(?:[ -](?:{_UNIT}))?", re.IGNORECASE)
_TIME_WORD = re.compile(
    r"[ -]?(?P<unit>milliseconds?|ms|seconds?|secs?|minutes?|mins?|min|hours?|hrs?|hr|h|days?|nights?|weeks?|months?|years?|"
    r"Minuten|Stunden|Tagen?|Sekunden|Wochen|Monaten?|Jahren?)(?![\w'])",
    re.IGNORECASE,
)
_GERMAN_UNITS = {"minuten": "minute", "stunden": "hour", "tage": "day", "tagen": "day", "sekunden": "second",
                 "wochen": "week", "monate": "month", "monaten": "month", "jahre": "year", "jahren": "year", "h": "hour"}  # fmt: skip
_ONE_IS_NUMBER = re.compile(r"(?:\b(?:only|just|exactly|single|precisely|by)|^)\s*$", re.IGNORECASE)
_NOUN_STOPS = frozenset(
    [
        "in",
        "for",
        "from",
        "at",
        "by",
        "with",
        "and",
        "or",
        "to",
        "than",
        "on",
        "were",
        "was",
        "is",
        "are",
        "had",
        "have",
        "has",
        "which",
        "that",
        "while",
        "but",
        "as",
        "who",
        "where",
        "when",
        "per",
        "each",
        "during",
        "over",
        "under",
        "across",
        "among",
        "between",
        "earned",
        "came",
        "went",
        "brought",
        "made",
        "account",
        "accounts",
        "accounted",
        "followed",
        "against",
        "versus",
        "vs",
        "und",
        "for",
        "oder",
        "before",
        "after",
        "since",
        "until",
        "ahead",
        "behind",
        "more",
        "less",
        "fewer",
        "higher",
        "lower",
        "not",
        "out",
        "so",
        "if",
        "because",
        "it",
        "they",
        "this",
        "these",
        "those",
        "also",
        "up",
        "down",
        "would",
        "will",
        "can",
        "may",
        "cost",
        "costs",
        "spent",
        "paid",
        "compared",
        "including",
        "includes",
        "about",
        "around",
        "roughly",
        "respectively",
        "only",
        "then",
        "both",
        "all",
    ]
)
_OF_NUMBER = re.compile(
    rf"^ (?:out )?of (?:the |all |our |these |those )*(?:{DIGITS}|{NUMBER_WORDS}) (?=[a-z])",
    re.IGNORECASE,
)
_SKIPPED = frozenset(
    ["of", "the", "all", "our", "its", "their", "his", "her", "different", "distinct", "total"]
)


def find_amounts(text: str, taken: Spans, *, european: bool) -> list[Mention]:
    """Return the numbers of `text` outside the spans that are `taken`, in their order."""
    found: list[Mention] = []
    for match in _AMOUNT.finditer(text):
        if not _overlaps(match.span("num"), taken):
            made = _read_amount(text, match, european)
            if made is not None:
                found.append(made)
    spans = [*taken, *((m.start, m.end) for m in found)]
    for match in _WORDS.finditer(text):
        if not _overlaps(match.span(), spans):
            made = _read_word(text, match)
            if made is not None:
                found.append(made)
    found.sort(key=lambda m: m.start)
    return _joined_times(_shared_units(found, text), text)


def _overlaps(span: tuple[int, int], taken: Spans) -> bool:
    return any(start < span[1] and span[0] < end for start, end in taken)


def _read_amount(text: str, match: re.Match[str], european: bool) -> Mention | None:
    start, end = match.span()
    start += len(match[0]) - len(match[0].lstrip())
    sign = -1 if "-" in (match["sign"], match["sign2"]) else 1 if match["sign"] == "+" else 0
    before = text[:start]
    if match["sign"] and before[-1:].isalnum():
        if before[-1:].isalpha() and not re.search(
            r"\b(?:top|last|first|bottom|mid)$", before, re.I
        ):
            return None  # a name: PG-13
        start, sign = start + 1, 0
        before = text[:start]
    if not match["sign"] and re.search(r"[^\W\d_]$|\d[.,]?$|[#_/]$", before) and not match["cur"]:
        if not before.endswith("#"):
            return None
    if match["cur"] and re.search(r"[^\W_]$", before):
        return None
    tail = text[end:]
    if re.match(r"[^\W\d_]|\d|[_/]\w", tail) and not match["percent"]:
        number_end = match.end("num")
        if re.match(r"(?:st|nd|rd|th|x)\b|×", text[number_end:]) or number_end != end:
            return None
        if _TIME_WORD.match(text, number_end) is None:
            return None  # a name: 3D, 4K
    numerals = read_digits(match["num"], european=european)
    if not numerals:
        return None
    scale = _SCALES[match["scale"].lower().rstrip(".")] if match["scale"] else 1
    scaled = tuple(n.times(Decimal(scale)) for n in numerals)
    digits = len(match["num"].replace(".", "").replace(",", "").strip("0")) or 1
    return _mention(text, match, (start, end), scaled, sign, digits, rounded=scale > 1)


def _read_word(text: str, match: re.Match[str]) -> Mention | None:
    words = match["num"].lower()
    before, after = text[: match.start()], text[match.end() :]
    if words in ("one", "zero"):
        said = _ONE_IS_NUMBER.search(before) and re.match(r" [a-z]", after)
        if not said or re.match(
            r" (?:of|thing|more|way|caveat|note|could|can|that|who|which|should)\b", after
        ):
            return None
    if (
        words in SCALE_ALONE
        or re.search(r"[\w]-$", before)
        or re.match(r"-(?:way|off|sided|digit)", after)
    ):
        return None
    numeral = read_words(words)
    if numeral is None:
        return None
    digits = len(str(numeral.value).strip("0")) or 1
    made = _mention(text, match, match.span(), (numeral,), 0, digits, rounded=numeral.step > 100)
    return replace(made, is_word=True, is_small_word=numeral.value <= 12)


SCALE_ALONE: Final = frozenset(["hundred", "thousand", "million", "billion", "trillion"])


def _mention(
    text: str, match: re.Match[str], span: tuple[int, int], numerals: tuple[Numeral, ...], sign: int,
    digits: int, *, rounded: bool,
) -> Mention:  # fmt: skip
    start, end = span
    groups = match.groupdict()
    form = Form.POINTS if groups["points"] else Form.PERCENT if groups["percent"] else Form.NUMBER
    currency = (groups.get("cur") or groups["money"] or "").strip()
    unit = ""
    if form is Form.NUMBER and not currency:
        time = _TIME_WORD.match(text, end)
        if time is not None and not re.match(r"\s?'", text[time.end() :]):
            unit = _unit(time["unit"])
    hedge, begin = hedge_before(text[:start])
    if hedge is Hedge.PLAIN:
        hedge, more = hedge_after(text[end:])
        end += more if more <= 2 else 0
    value = numerals[0].value * (sign or 1)
    ranges = tuple(r for n in numerals for r in allowed(n, hedge, is_rounded=rounded))
    rough = tuple(_rough(n) for n in numerals if n.round_step > n.step and digits > 1 and not hedge)
    if sign < 0:
        ranges, rough = tuple(r.negative() for r in ranges), tuple(r.negative() for r in rough)
    nouns, prep_nouns = _nouns_after(text[end:])
    return Mention(
        text[start:end].strip(), begin, end, form, value, ranges, rough, hedge, currency, unit, nouns,
        prep_nouns, sign, digits=digits,
        in_brackets=text[start - 1 : start] == "(" and text[end : end + 1] == ")",
        is_adjective=re.match(r"-[a-z]", text[end:]) is not None,
    )  # fmt: skip


def _rough(numeral: Numeral) -> Range:
    half = numeral.round_step / 2
    return Range(numeral.value - half, numeral.value + half)


def _unit(word: str) -> str:
    word = word.lower()
    word = _GERMAN_UNITS.get(word, word)
    word = {
        "hr": "hour",
        "hrs": "hour",
        "sec": "second",
        "secs": "second",
        "min": "minute",
        "mins": "minute",
        "ms": "millisecond",
        "night": "day",
        "nights": "day",
    }.get(word, word)
    return word.removesuffix("s")


def _nouns_after(tail: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the concepts of the words right after a number, and of those behind "in" or "of"."""
    tail = _OF_NUMBER.sub(" of ", tail, count=1)
    first = re.match(r"[ -]((?:[^\W\d_][\w'-]*)(?:[ -][^\W\d_][\w'-]*){0,3})", tail)
    if first is None:
        return (), ()
    words = re.findall(r"[^\W\d_][\w']*", first[1])
    nouns: list[str] = []
    for position, word in enumerate(words):
        lowered = word.lower()
        if (lowered in ("in", "of") and not nouns) or lowered == "of":
            rest = [w for w in words[position + 1 :] if w.lower() not in _SKIPPED]
            stops = [n for n, w in enumerate(rest) if w.lower() in _NOUN_STOPS]
            rest = rest[: stops[0]] if stops else rest
            return tuple(nouns), tuple(concept(w) for w in rest)
        if lowered in _NOUN_STOPS:
            if lowered == "in":
                return tuple(nouns), tuple(concept(w) for w in words[position + 1 : position + 3])
            break
        nouns.append(concept(word))
    return tuple(nouns), ()


def _shared_units(found: list[Mention], text: str) -> list[Mention]:
    """Let both ends of a range have the unit and scale of one: "$10–20k", "6 to 7 percent"."""
    done = list(found)
    for position in range(len(done) - 1):
        first, second = done[position], done[position + 1]
        between = text[first.end : second.start]
        if not re.fullmatch(r"\s*(?:-|–|—|to|and|bis|or)\s*", between):
            continue
        if between.strip() in ("and", "or") and not re.search(
            r"\bbetween\s*$", text[: first.start]
        ):
            continue
        if (
            second.form is not Form.NUMBER
            and first.form is Form.NUMBER
            and not first.currency
            and not first.unit
        ):
            done[position] = first = replace(first, form=second.form)
        if second.unit and not first.unit and first.form is Form.NUMBER and not first.currency:
            done[position] = first = replace(first, unit=second.unit)
        if (
            first.currency
            and not second.currency
            and second.form is Form.NUMBER
            and not second.nouns
        ):
            done[position + 1] = replace(second, currency=first.currency)
        elif (
            second.currency and not first.currency and first.form is Form.NUMBER and not first.nouns
        ):
            done[position] = first = replace(first, currency=second.currency)
        if not first.nouns and second.nouns:
            done[position] = first = replace(
                first, nouns=second.nouns, prep_nouns=second.prep_nouns
            )
        scale = re.search(rf"\d\s?({_SCALE})\b", second.text, re.I)
        if scale and not re.search(rf"({_SCALE})\b", first.text, re.I) and abs(first.value) < 1000:
            factor = Decimal(_SCALES[scale[1].lower()])
            done[position] = replace(
                first,
                value=first.value * factor,
                ranges=tuple(r.scaled(factor) for r in first.ranges),
            )
    return done


def _joined_times(found: list[Mention], text: str) -> list[Mention]:
    """Make one length of time of "2 hours and 5 minutes", counted in the smaller unit."""
    done: list[Mention] = []
    for mention in found:
        last = done[-1] if done else None
        if (
            last is not None
            and last.unit
            and mention.unit
            and TIME_UNITS[last.unit] > TIME_UNITS[mention.unit] > 0
        ):
            gap = text[last.end : mention.start]
            if re.fullmatch(r"\s?(?:\w+|h)?(?:,? and |, | )?", gap) and _unit_only(gap, last.unit):
                factor = Decimal(TIME_UNITS[last.unit]) / TIME_UNITS[mention.unit]
                added = last.value * factor
                ranges = tuple(Range(r.low + added, r.high + added) for r in mention.ranges)
                done[-1] = replace(
                    mention, text=text[last.start : mention.end], start=last.start,
                    value=mention.value + added, ranges=ranges, form=Form.TIME, hedge=last.hedge,
                    digits=last.digits + mention.digits,
                )  # fmt: skip
                continue
        done.append(mention)
    return [replace(m, form=Form.TIME) if m.unit and m.form is Form.NUMBER else m for m in done]


def _unit_only(gap: str, unit: str) -> bool:
    words = re.findall(r"[^\W\d_]+", gap)
    return all(_unit(w) == unit or w.lower() in ("and", "h") for w in words)
