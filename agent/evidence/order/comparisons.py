"""Comparisons of two rows: "Animation earned more than Action", "234 of 16,423"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.order.ranking import columns_of
from agent.evidence.rows.cells import Table
from agent.evidence.rows.meanings import Holds
from agent.evidence.rows.names import Name
from agent.evidence.scenes import Scene
from agent.evidence.text.mentions import Form

_MORE: Final = (
    r"more|higher|larger|bigger|greater|longer|better|stronger|ahead of|above|outsold|outearned|"
    r"beats?|exceed(?:s|ed)|outperform(?:s|ed)|surpass(?:es|ed)|overtook|tops|topped|leads|led"
)
_LESS: Final = r"less|fewer|lower|smaller|shorter|weaker|behind|below|trails?|trailed|under"
_COMPARED: Final = re.compile(
    rf"(?P<gap>[^;.:]{{0,60}}?)\b(?:(?P<more>{_MORE})|(?P<less>{_LESS}))\b"
    r"(?:\s+[\w'-]+){0,3}?\s*(?:\b(?:than|of)\b)?\s*(?:the |in |for |at )*",
    re.IGNORECASE,
)
_COMPLETE: Final = re.compile(
    r"\b(?:than\b|ahead of|behind|above|below|outsold|outearned|beats?|exceed|outperform|surpass|"
    r"overtook|top|trail|leads|led)",
    re.IGNORECASE,
)
_NOT_SO: Final = re.compile(
    r"\b(?:not|n't|never|nor|neither|than|and|almost|nearly|if|would|does|did|why)\b|[,?]",
    re.IGNORECASE,
)
_BY_QUALITY: Final = re.compile(
    r"\b(?:ahead of|behind|better|worse|beats?|outperform\w*|tops|leads|trails?)\b", re.IGNORECASE
)
"""Of lengths of time and rates, less may be better."""
_OF: Final = re.compile(r"\s*(?:out )?of (?:the |all |our )*", re.IGNORECASE)
_OUT_OF: Final = re.compile(
    r"(?: [\w'-]+){1,6},? out of (?:the |all |our |a total of |about )*", re.IGNORECASE
)
_OF_WHICH: Final = re.compile(
    r"(?: [\w'-]+){0,6},? of (?:which|whom) (?:only |just |about |some |roughly )?", re.IGNORECASE
)
_OF_ALL: Final = re.compile(
    r"(?:^|[.;:] )(?:out )?of (?:the |our |all )*(?:about )?$", re.IGNORECASE
)
_ARE: Final = re.compile(r"(?: [a-z'-]+){1,4}, (?:only |just |about )?", re.IGNORECASE)
_PER: Final = re.compile(r"\b(?:per[- ](?!cent)\w+|on average per)\b", re.IGNORECASE)


def comparison_faults(scene: Scene, ground: Ground) -> Iterator[str]:
    """Yield the comparisons of two names that the rows refute."""
    names = [n for n in scene.names if n.is_sure and n.has_rows]
    if _PER.search(scene.text) and not any(
        "per" in m.words for t in ground.tables for m in t.meanings
    ):
        return  # a rate that no column has
    for first, second in pairwise(names):
        gap = _without_figures(scene, first.end, second.start)
        match = _COMPARED.fullmatch(gap) if first.dimension == second.dimension else None
        if match is None or _NOT_SO.search(match["gap"]) or not _COMPLETE.search(gap):
            continue
        says_more = match["more"] is not None
        known = [t for t in ground.tables if _rows_of(first, second, t)]
        if known and not any(
            _may_be(first, second, match, t, _clause(scene.text, first, second, gap)) for t in known
        ):
            said = "above" if says_more else "below"
            yield f"The answer puts {first.text} {said} {second.text}; the rows say otherwise."


def _clause(text: str, first: Name, second: Name, gap: str) -> str:
    """Return the words around two names, between the marks that close a thought.

    The figures between the names say how far the two are apart, so their "%" names no column.
    """
    start = max(text.rfind(mark, 0, first.start) for mark in ";:") + 1
    ends = [text.find(mark, second.end) for mark in ";:"]
    end = min((end for end in ends if end >= 0), default=len(text))
    return text[start : first.end] + gap + text[second.start : end]


def _without_figures(scene: Scene, start: int, end: int) -> str:
    text = scene.text[:end]
    for figure in reversed(scene.amounts):
        if start <= figure.start and figure.end <= end:
            text = text[: figure.start] + "#" + text[figure.end :]
    return re.sub(r"\(\W*\)", "", text[start:])


def _rows_of(first: Name, second: Name, table: Table) -> tuple[int, int] | None:
    one, other = first.rows(table.number), second.rows(table.number)
    return (min(one), min(other)) if len(one) == 1 == len(other) and one != other else None


def _may_be(first: Name, second: Name, said: re.Match[str], table: Table, text: str) -> bool:
    rows, says_more = _rows_of(first, second, table), said["more"] is not None
    if rows is None:
        return False
    for column in _compared_by(table, said, text):
        a, b = (table.numbers[column][row] for row in rows)
        if a is None or b is None:
            continue
        is_time = table.meanings[column].holds in (Holds.TIME, Holds.PERCENT)
        if (a > b if says_more else a < b) or (is_time and a != b and _BY_QUALITY.search(text)):
            return True
    return False


def _compared_by(table: Table, said: re.Match[str], text: str) -> list[int]:
    """Return the columns that a comparison goes by: lengths of time where it says "longer"."""
    times = [c for c in table.measures if table.meanings[c].holds is Holds.TIME]
    word = (said["more"] or said["less"]).lower()
    return times if times and word in ("longer", "shorter") else columns_of(table, text)


def part_faults(scene: Scene, claims: list[Claim]) -> Iterator[str]:
    """Yield "16,423 of 234" and "92, of which 234": a part is no more than its whole."""
    numbers = [claim.mention for claim in claims if claim.mention.form is Form.NUMBER]
    for first, second in pairwise(numbers):
        between = scene.text[first.end : second.start]
        part, whole = (second, first) if _OF_WHICH.fullmatch(between) else (first, second)
        if _OF_ALL.search(scene.text[: first.start]) and _ARE.fullmatch(between):
            part, whole = second, first
        is_of = part is second or _OF.fullmatch(between) or _OUT_OF.fullmatch(between)
        is_alike = bool(part.currency) == bool(whole.currency)
        if is_of and is_alike and part.value > whole.value:
            yield f"The answer says {part.text} of {whole.text}, which is more than all."
