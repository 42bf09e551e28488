"""Which side of the average something lies: "Sports and New are above average"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.lists import coordinated
from agent.evidence.order.ranking import columns_of
from agent.evidence.rows.cells import Table
from agent.evidence.rows.meanings import Holds
from agent.evidence.rows.names import Name
from agent.evidence.scenes import Scene

_SIDE: Final = re.compile(
    r"\b(?:(?P<above>above|over|beat|beats|exceed(?:s|ed)?|top|tops|topped|more than)"
    r"|(?P<below>below|under|beneath|short of|less than)) "
    r"(?:(?:the |their |our |that |its |this )?(?:[a-z]+(?:-[a-z]+)? ){0,2}"
    r"(?P<average>average|mean)\b"
    r"|(?P<that>that|it|this)(?= (?:average|mean|mark|level|figure)\b|\s*[.,;:(]|$))",
    re.IGNORECASE,
)
_AVERAGE: Final = re.compile(r"\b(?:average|mean|per \w+)\b", re.IGNORECASE)
_LED: Final = re.compile(
    r"(?: \w+)?(?: (?:is|are|was|were|lies?|lay|came|comes?|stays?|stayed|ranks?|all|both|each|"
    r"still|well|just|slightly|far|clearly|also|only|comfortably|in))+ |\s+",
    re.IGNORECASE,
)
_PUT_IN: Final = re.compile(
    r" ?\([^()]*\)|, (?:with |at |having )?[^,a-z]*(?: [a-z]+)?,|^ (?:with|at) [$€£]?[\d.,]+(?= )"
)
_LISTED: Final = re.compile(r"(?: average| mean)?(?:,? from|:|,? namely|\s[-–—]|\s\() ?")
_NOT_SO: Final = re.compile(r"\b(?:not|n't|never|no|nor|neither|if|almost|nearly)\b|\?")


def average_faults(scene: Scene, claims: Sequence[Claim], ground: Ground) -> Iterator[str]:
    """Yield the names that a passage puts on the wrong side of the average."""
    names = [n for n in scene.names if n.is_sure and n.has_rows]
    for match in _SIDE.finditer(scene.text):
        if match["that"] and not _AVERAGE.search(_context(scene, ground)):
            continue
        for name in _placed(match, names, scene):
            said = [
                _lies(t, name, _columns(t, name, claims, scene), match["above"] is not None)
                for t in ground.tables
            ]
            if False in said and True not in said:
                side = "above" if match["above"] else "below"
                yield f"The answer puts {name.text} {side} the average; the rows do not."
                return


def _context(scene: Scene, ground: Ground) -> str:
    here = list(ground.scenes).index(scene)
    return " ".join(s.text for s in ground.scenes[max(0, here - 1) : here + 1])


def _placed(match: re.Match[str], names: Sequence[Name], scene: Scene) -> Sequence[Name]:
    """Return the names that are said to lie on a side of the average."""
    before = [n for n in names if n.end <= match.start()][-1:]
    gap = _plain(scene, before[0].end, match.start()) if before else ""
    if before and not _NOT_SO.search(gap) and _LED.fullmatch(gap):
        return coordinated(names, names.index(before[0]), scene.text)
    after = [n for n in names if n.start >= match.end()][:2]
    if after and _LISTED.fullmatch(scene.text[match.end() : after[0].start]):
        return after
    return ()


def _plain(scene: Scene, start: int, end: int) -> str:
    """Return a part of a passage without the figures put in: "Sports, with 9,045, is above"."""
    return _PUT_IN.sub("", scene.text[start:end])


def _columns(table: Table, name: Name, claims: Sequence[Claim], scene: Scene) -> Sequence[int]:
    """Return the columns of the figures that are said of a name, or those that the words name."""
    rows = name.rows(table.number)
    spots = [s for claim in claims for s in claim.spots if s.table == table.number]
    said = [s.column for s in spots if s.row in rows and s.column in table.measures]
    return said or columns_of(table, scene.text)


def _lies(table: Table, name: Name, columns: Sequence[int], above: bool) -> bool | None:
    """Whether a row lies there by any column; None where the rows do not tell."""
    rows = name.rows(table.number)
    if len(rows) != 1 or table.is_cut or len(table.rows) < 3:
        return None
    row, known = min(rows), False
    for column in columns:
        if table.meanings[column].holds not in (Holds.MONEY, Holds.COUNT):
            return None
        values, own = table.values(column), table.numbers[column][row]
        if own is not None and not table.meanings[column].is_average:
            known = True
            mean = sum(values) / len(values)
            if own >= mean if above else own <= mean:
                return True
    return False if known else None
