"""Text to tokens: words with their stems, numbers, and quoted phrases."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final


def listed(text: str) -> tuple[str, ...]:
    """Return the words of a list that is written as one text."""
    return tuple(text.split())


@dataclass(frozen=True)
class Token:
    """A word, a number or a quoted phrase of the question, and where it stands in the text."""

    text: str
    low: str
    stem: str
    start: int
    end: int
    quoted: bool = False
    number: float | None = None


_TOKEN = re.compile(
    r"""
    "(?P<dq>[^"]+)" | “(?P<cq>[^”]+)” | (?<![\w])['‘](?P<sq>[^'‘’]+(?:['’](?=\w)[^'‘’]+)*)['’](?!\w)
    | (?P<iso>\d{4}-\d{2}(?:-\d{2})?(?!\d)|\d{1,2}/\d{1,2}/\d{4})
    | (?P<ord>\d+(?:st|nd|rd|th)\b)
    | (?P<num>[$€£]?-?\d[\d,]*(?:\.\d+)?(?:\s?%|[kKmM]\b)?)(?![\w-]*[A-Za-z])
    | (?P<op>>=|<=|<>|!=|=|>|<|%|\#)
    | (?P<word>[^\W_][\w&]*(?:['’][^\W\d_]+)*(?:-(?=\d)\w+|(?<=\d)-\w+)*)
    | (?P<punct>[,;:.?!()/–—-])
    """,
    re.VERBOSE,
)
_SCALE: Final = {"k": 1_000, "m": 1_000_000}
_NUMBER_WORDS: Final = frozenset(
    listed(
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen "
        "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred "
        "thousand million dozen"
    )
)


@lru_cache(maxsize=1)
def _stemmer():  # type: ignore[no-untyped-def]
    import snowballstemmer

    return snowballstemmer.stemmer("english")


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return the stem of one lower-case word."""
    if word in _OWN_STEM:
        return _OWN_STEM[word]
    return str(_stemmer().stemWord(_IRREGULAR.get(word, word)))


# A rating is no rate, though both have one stem.
_OWN_STEM: Final = {"rating": "rating", "ratings": "rating", "rated": "rating"}
_IRREGULAR: Final = {
    "countries": "country",
    "people": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "bought": "buy",
    "sold": "sell",
    "paid": "pay",
    "spent": "spend",
    "made": "make",
    "rentals": "rental",
    "hired": "hire",
    "born": "birth",
    "written": "write",
    "given": "give",
    "taken": "take",
    "movies": "movie",
    "series": "series",
}


def tokenize(text: str) -> tuple[Token, ...]:
    """Return the tokens of `text`; a possessive 's is no token of its own."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        token = _token(match)
        if token is not None:
            tokens.append(token)
    return _join_number_words(tokens)


def _token(match: re.Match[str]) -> Token | None:
    kind = match.lastgroup or ""
    raw = match.group(kind)
    start, end = match.span(kind)
    if kind in ("dq", "cq", "sq"):
        return Token(raw.strip(), raw.strip().lower(), raw.strip().lower(), start, end, quoted=True)
    if kind == "num":
        return Token(raw, raw.lower(), raw.lower(), start, end, number=_number(raw))
    low = raw.lower().replace("’", "'")
    if kind == "ord":
        return Token(raw, low, low, start, end)
    if kind == "word":
        low = re.sub(r"'s$|'$", "", low)
        raw = raw[: len(low)] if not low.endswith("n't") else raw
        return Token(raw, low, stem(low), start, start + len(raw))
    return Token(raw, low, low, start, end)


def _number(raw: str) -> float:
    digits = raw.strip("$€£% ").replace(",", "")
    scale = _SCALE.get(digits[-1].lower(), 1)
    return float(digits.rstrip("kKmM")) * scale


def _join_number_words(tokens: list[Token]) -> tuple[Token, ...]:
    """Read "five", "twenty five" and "two hundred" as numbers."""
    joined: list[Token] = []
    position = 0
    while position < len(tokens):
        stop = position
        while stop < len(tokens) and tokens[stop].low in _NUMBER_WORDS:
            stop += 1
        if stop == position:
            joined.append(tokens[position])
            position += 1
            continue
        run = tokens[position:stop]
        text = " ".join(token.text for token in run)
        number = _spelled(" ".join(token.low for token in run))
        joined.append(Token(text, text.lower(), text, run[0].start, run[-1].end, number=number))
        position = stop
    return tuple(joined)


def _spelled(words: str) -> float | None:
    from number_parser import parse_number

    value = parse_number(words.replace("dozen", "twelve"), language="en")
    return None if value is None else float(value)


@lru_cache(maxsize=16384)
def name_words(name: str) -> tuple[str, ...]:
    """Return the stems of the words in a table's or column's name: `OrderDetails`, `film_id`."""
    bare = name.rsplit('."', 1)[-1] if '"' in name else name.rsplit(".", 1)[-1]
    bare = bare.strip('"')
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", bare)
    return tuple(stem(word) for word in re.split(r"[\W_]+", spaced.lower()) if word)


def stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a list that is written as one text."""
    return frozenset(stem(word) for word in text.split())
