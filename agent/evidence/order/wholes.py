"""Parts and wholes of a row of counts: "600 are active, out of 580", "798 have no address"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.rows.cells import Spot
from agent.evidence.rows.meanings import Holds
from agent.evidence.scenes import Scene
from agent.evidence.text.mentions import Form
from agent.evidence.text.nouns import concept

_OUT_OF: Final = re.compile(r"[^.;:\d]*\bout of (?:the |all |our |a total of )*", re.IGNORECASE)
_OF_WHICH: Final = re.compile(
    r"[^.;:\d]*,? (?:of (?:which|whom|them)|thereof|including)\s+(?:only |just )?", re.IGNORECASE
)
_OF_THEM: Final = re.compile(r" of (?:them|those|these|whom|which)\b", re.IGNORECASE)
_CLAUSE: Final = re.compile(r"[,;.:](?!\d)|[(–—]| (?:and|but|while|whereas)\b")
_NO: Final = re.compile(r"\b(?:no|not|without|never|lack\w*)\b|n't\b", re.IGNORECASE)
_NO_IN_NAME: Final = frozenset(("no", "not", "without", "never", "missing", "un", "non", "lacking"))
_DONE: Final = {"pay": "paid", "buy": "bought", "sell": "sold", "leave": "left", "send": "sent"}
_WORDS_BETWEEN: Final = 3


def whole_faults(scene: Scene, claims: Sequence[Claim], ground: Ground) -> Iterator[str]:
    """Yield parts that are more than their whole, and counts of what they are said not to be."""
    counts = [c for c in claims if c.mention.form is Form.NUMBER and not c.mention.hedge]
    for first, second in pairwise(c.mention for c in counts):
        between = scene.text[first.end : second.start]
        is_told = _OF_WHICH.fullmatch(between) or _OF_THEM.match(scene.text, second.end)
        part, whole = (second, first) if is_told else (first, second)
        is_part = part is second or _OUT_OF.fullmatch(between)
        if is_part and part.value > whole.value and part.currency == whole.currency:
            yield f"The answer says {part.text} out of {whole.text}, which is more than all."
    for claim in counts:
        yield from (f for spot in claim.spots[:1] if (f := _denied(claim, spot, ground)))


def _denied(claim: Claim, spot: Spot, ground: Ground) -> str:
    """See to "798 of the 840 have no address", where 798 is the column with_address."""
    table = ground.tables[spot.table]
    if len(table.rows) != 1 or table.meanings[spot.column].holds is not Holds.COUNT:
        return ""
    others = [table.meanings[c].words for c in table.measures if c != spot.column]
    named = table.meanings[spot.column].words
    own = named.difference(*others)
    if not others or named & _NO_IN_NAME:
        return ""
    tail = [t for t in _CLAUSE.split(ground.rest(claim)) if t.strip()]
    match = _NO.search(tail[0]) if tail else None
    if match is None:
        return ""
    behind = re.findall(r"[^\W\d_]+", tail[0][match.end() :].replace("e-mail", "email"))
    near = {concept(word) for word in behind[:_WORDS_BETWEEN]}
    if not (near | {_DONE.get(word, word) for word in near}) & own:
        return ""
    return f"“{claim.mention.text}” is {table.column_name(spot.column)} ({table.place(spot)})."
