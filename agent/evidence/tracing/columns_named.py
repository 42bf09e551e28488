"""Whether the words before a figure name another column of its row: "Replacement cost: $4.99"."""

from __future__ import annotations

import re
from typing import Final

from agent.evidence.rows.cells import Spot, Table
from agent.evidence.rows.meanings import Holds
from agent.evidence.text.nouns import name_words, words

_HEADS: Final = words("rate cost pric amou tota valu fee numb coun leve sum")
"""The stems of words that say little in a column's name: the word before them tells."""
_LETTERS: Final = 4
"""Of a word that tell what it is about: rent-s, rent-al; repla-cing, repla-cement."""
_LEADS: Final = re.compile(
    r"[\w']*\s*(?:(?:it|its|them|one|rate|price|cost|fee|amount|level|value|total|is|was|are|were|"
    r"of|at|for|stands|comes|came|to|about|roughly|only|just|exactly|costs?|currently|set)\s+|"
    r"(?:rates?|prices?|costs?|fees?|amounts?|levels?|values?)\b|[:=|(–-]\s*)*",
    re.IGNORECASE,
)
_BEST: Final = re.compile(r"est(?:_|$)", re.IGNORECASE)
"""Superlatives are said of much: "the cheapest at $663.64"."""
_CLAUSE: Final = re.compile(r"[;,.(]\s|\b(?:and|but|while|with)\b")
_LEAST: Final = 6
"""Letters of a name that is no chance."""
_AT: Final = words("on in at under per out of to off")
_LINKS: Final = re.compile(r"(?: (?:of|is|at|was|stands at))? *$")
_SPOKEN: Final = {"aver": "avg", "mean": "avg"}


def column_fault(before: str, after: str, table: Table, spot: Spot) -> str:
    """Return that another column of the row is named right before a figure; "" if none is.

    `before` and `after` are the texts between the figure and those around it.
    """
    own = table.meanings[spot.column]
    clause = _CLAUSE.split(before)[-1]
    near = _stems(before) | _stems(_CLAUSE.split(after)[0])
    for other in table.measures:
        if other == spot.column or table.numbers[other][spot.row] is None:
            continue
        telling = _words_of(table, spot.column) - _words_of(table, other)
        name, meaning = table.column_name(other), table.meanings[other]
        if telling and _is_spelt_out(name, clause, after, telling):
            return f"is not {' '.join(name_words(name))}"
        if not telling or telling & near:
            continue
        is_kin = (meaning.holds, meaning.is_change) == (own.holds, own.is_change)
        is_plain = meaning.holds is not Holds.COUNT and not _BEST.search(name)
        is_labelled = clause.rstrip().endswith((":", "="))
        said = _words_of(table, other) - _words_of(table, spot.column)
        if is_kin and (is_plain or is_labelled) and _is_named(said, clause):
            return f"is not {' '.join(name_words(name))}"
    return ""


def _is_spelt_out(name: str, clause: str, after: str, telling: set[str]) -> bool:
    """Whether a column's name of two words or more stands right before or behind: "20 on order".

    `telling`: the words that the figure's own column has, and this one does not.
    """
    parts = re.findall(r"[a-z]+", name.lower())
    if len(parts) < 2 or len("".join(parts[-2:])) < _LEAST:
        return False
    behind = " ".join(parts[-2:])
    is_behind = parts[-2] in _AT and re.match(rf"\s*(?:[a-z]+ )?{behind}\b", after.lower())
    if is_behind:
        return not telling & _stems(clause)
    lead = _LINKS.sub("", clause.lower()).rstrip(" :=")
    is_before = lead.endswith(" ".join(parts))
    return is_before and not telling & _stems(clause + _CLAUSE.split(after)[0])


def _is_named(said: set[str], clause: str) -> bool:
    """Whether a clause ends with the name of a column, as far as it tells something."""
    wanted = {word for word in said if word not in _HEADS} or said
    if not wanted or not wanted <= _stems(clause):
        return False
    found = [m for m in re.finditer(r"[^\W\d_]{3,}", clause) if _stem(m[0]) in wanted]
    return _LEADS.fullmatch(clause[found[-1].end() :]) is not None


def _stem(word: str) -> str:
    short = word.lower()[:_LETTERS]
    return _SPOKEN.get(short, short)


def _stems(text: str) -> set[str]:
    return {_stem(word) for word in re.findall(r"[^\W\d_]{3,}", text)}


def _words_of(table: Table, column: int) -> set[str]:
    """Return the stems of a column's name, dates left out."""
    return {_stem(word) for word in name_words(table.column_name(column)) if not word.isdigit()}
