"""The figures in a card's words, in the notation of the one who reads it; pure.

A model writes in the notation that the gate reads, and the gate has found what each figure rests
on. Here only its marks change, never its digits: what the reader reads is what was checked. A
figure whose marks can be read in two ways, 5.314, is the one of the two that stands in the rows;
where that does not tell, the words stay as they are, and a note says how to read them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from agent.evidence.text.numerals import DIGITS, Numeral, is_european, read_digits
from agent.evidence.text.plain import plain_text
from agent.evidence.text.units import SCALE
from agent.messages import AgentResult, QueryResult
from agent.notation import ENGLISH_NOTATION
from bot.render.reader import Reader

AS_WRITTEN: Final = "Figures in the words above have a point before their decimals: 5,314.21."

_NUMBER: Final = re.compile(DIGITS)
_AMOUNT: Final = re.compile(
    rf"(?P<before>(?<![\w.,])(?<!\d )[$€£¥₹] ?)?(?P<number>{DIGITS})"
    rf"(?P<scale>[ -]?(?:{SCALE})\b|[^\W\d_])?"
    r"(?P<percent>[ \u00a0\u202f]?%)?(?P<after>[ \u00a0\u202f]?[$€£¥₹](?![\d\w]))?"
    r"(?P<range>(?= ?[-–—/] ?[$€£¥₹]?\d| (?:to|and|or|bis|und) \d))?",
    re.IGNORECASE,
)
"""A figure in digits, and what tells whether the sign of its currency may move: never from between
two figures, "store 3 $488"."""
_UNTOUCHED: Final = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`|\]\([^)\s]*\)|<?https?://[^\s>]+>?", re.DOTALL
)
_QUOTED: Final = re.compile(r"“[^”\n]*”|'[^'\n]*'|\"[^\"\n]*\"")
_HAS_MARKS: Final = re.compile(r"\d[.,'’ ]\d")
_MAX_NAMES: Final = 500


@dataclass(frozen=True)
class _Words:
    """What is needed to read the figures of an answer as the gate did."""

    figures: frozenset[str]
    """The digits of its figures."""
    values: frozenset[Decimal]
    """The numbers in the rows and calculations."""
    european: bool
    reader: Reader


def in_notation(result: AgentResult, reader: Reader) -> tuple[AgentResult, str]:
    """Return the run with its words in the notation of `reader`, and a note where that cannot be.

    The words are the answer's, and those of our own about it: warnings, caveats, notes.
    """
    european = is_european(plain_text(result.answer))
    if reader.notation == ENGLISH_NOTATION and not european:
        return result, ""
    words = _Words(
        frozenset(_tokens(figure.text for figure in result.evidence.figures)),
        frozenset(_values(result)),
        european,
        reader,
    )
    ours = replace(
        result,
        warnings=tuple(_in_warning(text, words) for text in result.warnings),
        caveats=tuple(reader.notation.rewritten(text) for text in result.caveats),
        results=tuple(_with_notes(each, reader) for each in result.results),
    )
    if any(len(_readings(token, words)) > 1 for token in words.figures):
        return replace(ours, warnings=result.warnings), AS_WRITTEN
    answer = _outside(result.answer, _kept(result), lambda text: _rewritten(text, words))
    return replace(ours, answer=answer), ""


def _tokens(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        yield from (_plain(found[0]) for found in _NUMBER.finditer(text))


def _plain(token: str) -> str:
    """Return digits with one kind of blank and of apostrophe, as the gate reads them."""
    return re.sub(r"[\u00a0\u2009\u2007\u202f]", " ", token).replace("’", "'")


def _readings(token: str, words: _Words) -> tuple[Numeral, ...]:
    """Return the numbers that a token of a figure may be: those in the rows, where there are any.

    None at all where its marks are none of a number: 31.12.2026.
    """
    read = read_digits(token, european=words.european)
    if len(read) < 2:
        return read
    return tuple(each for each in read if _stands_in(each, words.values)) or read


def _stands_in(numeral: Numeral, values: Iterable[Decimal]) -> bool:
    half = numeral.step / 2
    return any(abs(abs(value) - numeral.value) <= half for value in values)


def _values(result: AgentResult) -> Iterator[Decimal]:
    cells = [cell for each in result.results for row in each.rows for cell in row]
    for cell in (*cells, *(each.value for each in result.calculations)):
        if isinstance(cell, int | float | Decimal) and not isinstance(cell, bool):
            value = Decimal(str(cell))
            if value.is_finite():
                yield value


def _rewritten(text: str, words: _Words) -> str:
    return _AMOUNT.sub(lambda found: _in_marks(found, words), text)


def _in_marks(found: re.Match[str], words: _Words) -> str:
    token, reader = _plain(found["number"]), words.reader
    read = _readings(token, words) if token in words.figures else ()
    if not read:
        return found[0]
    decimals = max(-int(read[0].step.adjusted()), 0)
    marks = sum(not sign.isdigit() for sign in token)
    figure = reader.figure(read[0].value, decimals, grouped=marks > (decimals > 0))
    if re.sub(r"\D", "", figure) != re.sub(r"\D", "", token):
        return found[0]  # no number as it is written elsewhere: the 00 of 18:00
    before, after = found["before"] or "", found["after"] or ""
    scale, percent, is_range = found["scale"] or "", found["percent"] or "", found["range"]
    if scale or is_range is not None or bool(before) + bool(percent) + bool(after) != 1:
        return f"{before}{figure}{scale}{percent}{after}"
    if percent:
        return reader.percentage(figure)
    return reader.amount(figure, (before or after).strip("\u00a0\u202f "))


def _in_warning(text: str, words: _Words) -> str:
    """Return a warning whose quoted figures are written as those of the answer are."""
    return _QUOTED.sub(lambda quoted: _rewritten(quoted[0], words), text)


def _with_notes(result: QueryResult, reader: Reader) -> QueryResult:
    return replace(result, notes=tuple(reader.notation.rewritten(note) for note in result.notes))


def _outside(text: str, kept: re.Pattern[str], change: Callable[[str], str]) -> str:
    """Return the text changed, but for what matches `kept`."""
    parts, end = [], 0
    for found in kept.finditer(text):
        parts += [change(text[end : found.start()]), found[0]]
        end = found.end()
    return "".join([*parts, change(text[end:])])


def _kept(result: AgentResult) -> re.Pattern[str]:
    """Return what is never rewritten: code, addresses, and names in the rows such as "8,000 m"."""
    cells = (cell for each in result.results for row in each.rows for cell in row)
    names = {cell for cell in cells if isinstance(cell, str) and _HAS_MARKS.search(cell)}
    listed = sorted(map(re.escape, names), key=len, reverse=True)[:_MAX_NAMES]
    return re.compile("|".join([_UNTOUCHED.pattern, *listed]), re.DOTALL)
