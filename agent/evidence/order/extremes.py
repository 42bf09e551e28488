"""Superlatives: "Sports earned the most", "the busiest day is Saturday"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from agent.evidence.ground import Ground
from agent.evidence.lists import coordinated
from agent.evidence.order.ranking import columns_ranked
from agent.evidence.rows.cells import Table
from agent.evidence.rows.names import Name
from agent.evidence.scenes import Scene

_COUNTED: Final = r"(?:\d|two|three|four|five|six|seven|eight|ten)"
_HIGH: Final = (
    r"(?:highest|most(?! of\b|ly\b| recent| other)|largest|biggest|greatest|busiest|strongest|"
    rf"top(?!-| {_COUNTED}| \w+ (?:are|were))|leads|leader|led|leading|number one|best(?!-)|"
    r"longest|maximum|peak(?:ed|s)?|first place|ranks first|in front|ahead of (?:all|every))"
)
_LOW: Final = (
    r"(?:lowest|least(?! \d)|fewest|smallest|weakest|shortest|quietest|slowest|minimum|"
    r"bottom(?! \d)|last place|trough|brings? up the rear)"
)
_EXTREME: Final = re.compile(rf"\b(?:(?P<high>{_HIGH})|(?P<low>{_LOW}))\b", re.IGNORECASE)
_NOT_SO: Final = re.compile(
    r"\b(?:second|third|fourth|fifth|sixth|next|among|one of|not|n't|never|2nd|3rd|4th|at most|"
    r"at least|almost|other|another|except|after|behind|followed|nor|neither|than|runner-up|"
    r"half of|if|would|does|did|why|two|three|both|each|former|per)\b|\?",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(
    r"[^,;.()]{0,60}?(?:\b(?:is|was|were|are|went to|goes to|belongs? to|came (?:in|from|on)|"
    r"comes (?:in|from)|in|by|from|at|on|being|namely|of)\b|[:,(–—-])\s*"
    r"(?:the |month of |with |in |on |by )*",
    re.IGNORECASE,
)
_APPOSED: Final = re.compile(r"(?: [a-z]+){1,2}, $")
_APART: Final = re.compile(r"[;:()]|\. |, (?:the|with|while|but|and)\b")
_STEP: Final = re.compile(
    r"\s+(?:monthly |yearly |year-on-year |relative |absolute |percentage |single |quarterly )*"
    r"(?:(?P<up>gain|rise|increase|jump|growth|climb|improvement)|"
    r"(?P<down>drop|fall|decline|decrease|dip|loss|slump))\b",
    re.IGNORECASE,
)
_FARTHEST: Final = 60
"""Characters between a name and the superlative that is said of it."""
_LEADING: Final = ("leads", "led", "leading")
_LISTED_FIRST: Final = ("best", "top", "leads", "leader")
"""Words that may mean the first row, whichever way its column is ordered."""


def extreme_faults(scene: Scene, ground: Ground) -> Iterator[str]:
    """Yield the superlatives that the rows refute."""
    names = [n for n in scene.names if n.is_sure and n.has_rows]
    for match in _EXTREME.finditer(scene.text):
        name = _subject(match, names, scene.text)
        if name is None:
            continue
        clause = _clause(scene.text, match)
        found = [(t, rows) for t in ground.tables if (rows := _row_of(name, t))]
        if found and not any(_is_extreme(t, min(rows), match, clause) for t, rows in found):
            yield f"The answer calls {name.text} “{match[0].lower()}”, but the rows do not."


def _row_of(name: Name, table: Table) -> frozenset[int]:
    """Return the one row that a name means in a result of several rows; none for all else."""
    rows = name.rows(table.number)
    return rows if len(rows) == 1 and len(table.rows) > 1 else frozenset()


def _subject(match: re.Match[str], names: Sequence[Name], text: str) -> Name | None:
    """Return the one name of which a word such as "highest" speaks; None where that is unclear."""
    if re.match(rf"\s*{_COUNTED}\b", text[match.end() :]):
        return None
    before = [n for n in names if n.end <= match.start()]
    before = ([n for n in before if n.dimension[0] == "label"] or before)[-1:]
    after = [n for n in names if n.start >= match.end()][:1]
    behind = text[match.end() : after[0].start] if after else ""
    if (
        after
        and match[0].lower() in _LEADING
        and re.fullmatch(r"\s*(?:the |over |store )*", behind)
    ):
        return None  # "Sports leads New": a comparison of two
    if after and _APPOSED.fullmatch(text[match.end() : after[0].start]):
        return after[0] if text[after[0].end :].startswith(",") else None
    if before and _speaks_of(before[0], match, names, text):
        return before[0]
    if after and _names_behind(after[0], match, names, text):
        gap = text[before[0].end : match.start()] if before else ""
        if not before or re.search(r"[,;:.(]|^\s*$|\bthe\s*$", gap):
            return after[0]
    return None


def _speaks_of(name: Name, match: re.Match[str], names: Sequence[Name], text: str) -> bool:
    gap = text[name.end : match.start()]
    is_alone = len(coordinated(names, names.index(name), text)) == 1
    is_apart = _NOT_SO.search(gap) or _APART.search(gap)
    return is_alone and len(gap) < _FARTHEST and not is_apart


def _names_behind(name: Name, match: re.Match[str], names: Sequence[Name], text: str) -> bool:
    gap = text[match.end() : name.start]
    lead = text[max(0, match.start() - 25) : match.start()]
    is_alone = len(coordinated(names, names.index(name), text)) == 1
    return is_alone and bool(_BEHIND.fullmatch(gap)) and not _NOT_SO.search(lead + gap)


def _clause(text: str, match: re.Match[str]) -> str:
    """Return the words around a superlative, up to the next mark that closes the thought."""
    start = max(text.rfind(mark, 0, match.start()) for mark in (";", ":", "(")) + 1
    ends = [text.find(mark, match.end()) for mark in (";", ",", "(", ":")]
    return text[start : min((end for end in ends if end >= 0), default=len(text))]


def _is_extreme(table: Table, row: int, match: re.Match[str], clause: str) -> bool:
    is_low = match["low"] is not None
    step = _STEP.match(match.string, match.end())
    if step is not None:
        columns = [c for c in table.measures if table.meanings[c].is_change]
        is_low = (step["down"] is not None) != is_low
    else:
        columns = columns_ranked(table, clause, match[0])
        if is_low and table.is_cut:
            return True  # a list of the highest does not show the lowest
    for column in columns:
        ordered, own = table.values(column), table.numbers[column][row]
        if own == (ordered[0] if is_low else ordered[-1]):
            return True
    is_listed = row == 0 and not is_low and not table.is_series
    is_first = is_listed and match[0].lower() in _LISTED_FIRST
    return is_first or not columns
