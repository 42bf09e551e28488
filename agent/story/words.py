"""Counts, lists, money, time and the words of others, as they read well in a sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from math import isfinite
from typing import Final

_ORDINALS: Final = (
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_CENT: Final = Decimal("0.01")
_CENTS_MATTER: Final = Decimal(1_000_000)
"""Dollars below which they are told to the cent."""

# What only those who know databases say, in the words of everybody.
_PLAIN: Final = (
    (re.compile(r"\bNULLs?\b"), "empty"),
    (re.compile(r"\bCTEs?\b"), "part of the query"),
    (re.compile(r"\bschemas?\b", re.IGNORECASE), "layout"),
    (re.compile(r"\btool calls?\b"), "steps"),
    (re.compile(r"\bhops?\b"), "steps"),
    (re.compile(r"\b(?:result )?r(\d{1,2})\b"), r"result \1"),
)
# Words that begin a sentence with a capital for no other reason.
_STARTERS: Final = re.compile(
    r"(?:An?|All|Any|At|Each|Every|For|From|In|Its?|Many|Most|Not?|None|Of|On|One|Only|Some"
    r"|The|Their|There|They|These|This|Those|That|To|Too|Two|What|When|Where|Which|Who|With"
    r"|Add|Average|Chart|Check|Compare|Count|Draw|Filter|Find|First|Get|Group|Join|Let|Look|Next"
    r"|Plot|Query|Rank|Read|Run|Search|See|Show|Sort|Start|Sum|Take|Use|Work)\b"
)


def ordinal(number: int) -> str:
    """Return "first", "second", …, "13th"; counted from 1."""
    if 1 <= number <= len(_ORDINALS):
        return _ORDINALS[number - 1]
    teen = 10 <= number % 100 <= 20
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def count(number: int, noun: str) -> str:
    """Return "no rows", "1 row" or "1,200 rows"."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun}s" if number else f"no {noun}s"


def number_word(number: int) -> str:
    """Return "one" to "ten" as words, larger numbers as figures."""
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else f"{number:,}"


def times(number: int) -> str:
    """Return "once", "twice" or "3 times"."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def listed(parts: Sequence[str], word: str = "and") -> str:
    """Return "a", "a and b" or "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {word} {parts[-1]}"


def took(milliseconds: float) -> str:
    """Return a length of time: "31 ms", "1.2 s", "12 s", "2 min 5 s"."""
    if milliseconds < 1:
        return "less than 1 ms"
    if not isfinite(milliseconds):
        return "a time that was not measured"
    if milliseconds < 999.5:
        return f"{milliseconds:.0f} ms"
    seconds = milliseconds / 1000
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"


def money(dollars: Decimal) -> str:
    """Return "$0.02", "less than one cent" or "at no cost"."""
    if dollars <= 0:
        return "at no cost"
    if dollars < _CENT:
        return "less than one cent"
    if dollars >= _CENTS_MATTER:
        return f"${dollars:,.0f}"
    return f"${dollars.quantize(_CENT, ROUND_HALF_UP):,}"


def name(text: str) -> str:
    """Return the name of a column or a table between backticks."""
    return f"`{shortened(text.strip(chr(34)).replace('`', ''), 60)}`"


def shortened(text: str, limit: int) -> str:
    """Return `text` on one line and at most `limit` characters of it."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= limit else f"{line[: limit - 1].rstrip()}…"


def plain(text: str, limit: int) -> str:
    """Return the words of somebody else on one line, without jargon and without the last stop."""
    for jargon, word in _PLAIN:
        text = jargon.sub(word, text)
    return shortened(text, limit).rstrip(" .!;:,")


def continued(clause: str) -> str:
    """Return a sentence as it goes on behind a comma: a small word at its start is made small."""
    return clause[:1].lower() + clause[1:] if _STARTERS.match(clause) else clause
