"""Comparisons that their own figures refute: "the first half was stronger: 16,828 vs 18,967"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from agent.evidence.ground import Claim
from agent.evidence.scenes import Scene
from agent.evidence.text.mentions import Form
from agent.evidence.text.moments import find_moments

_MORE: Final = (
    r"stronger|higher|larger|bigger|greater|busier|better|more|ahead(?: of)?|beats?|outsold|"
    r"outperform(?:s|ed)|exceed(?:s|ed)|surpass(?:es|ed)|longer"
)
_LESS: Final = r"weaker|lower|smaller|fewer|less|quieter|behind|trails?|trailed|shorter|worse"
_SAID: Final = re.compile(
    rf"\b(?:(?P<more>{_MORE})|(?P<less>{_LESS}))\b(?:[^:;.\d]|[HQ]\d|(?:19|20)\d\d){{0,40}}?"
    r"(?:[:(–—]|, (?:at|with))\s*(?:about |roughly |at |with )?$",
    re.IGNORECASE,
)
_AGAINST: Final = re.compile(r"\b(?:compared (?:with|to)|versus|vs|against)\b", re.IGNORECASE)
_NOT_SO: Final = re.compile(
    r"\b(?:not|n't|never|no|nor|neither|if|would|almost|nearly|than (?:expected|usual))\b",
    re.IGNORECASE,
)
_BY_QUALITY: Final = re.compile(r"better|worse|beat|outperform|ahead|behind|trail", re.IGNORECASE)
"""Of lengths of time and rates, less may be better."""
_CHANGED: Final = re.compile(r"\b(?:one|two|three|four|five|\d+)\b|%", re.IGNORECASE)
_DATE: Final = re.compile(r"\b(?:[HQ]\d|(?:19|20)\d\d)\b")
_LEAD: Final = 110


def stated_faults(scene: Scene, claims: Sequence[Claim]) -> Iterator[str]:
    """Yield the comparisons of which the first figure, the subject's, lies on the wrong side."""
    figures = [c.mention for c in claims if c.mention.moment is None]
    for one, other in pairwise(figures):
        lead = scene.text[max(0, one.start - _LEAD) : one.start]
        said = _SAID.search(lead)
        between = scene.text[one.end : other.start]
        is_alike = one.form is other.form and bool(one.currency) == bool(other.currency)
        if said is None or not is_alike or not _AGAINST.search(between) or one.is_word:
            continue
        clause = re.split(r"[;.] ", lead[: said.end()])[-1]
        is_rate = one.form is not Form.NUMBER and _BY_QUALITY.search(said[0])
        measured = _DATE.sub("", said[0])
        if is_rate or _NOT_SO.search(clause) or _CHANGED.search(measured):
            continue
        if re.search(r"[;.)]", between.rstrip(" (")[:-1]) or _names_other(clause, between, scene):
            continue
        more = said["more"] is not None
        if one.value != other.value and more != (one.value > other.value):
            word = (said["more"] or said["less"]).lower()
            yield f"The answer says “{word}” of {one.text} against {other.text}."


def _names_other(clause: str, between: str, scene: Scene) -> bool:
    """Whether the first figure may belong to another than the clause's subject."""
    first = re.split(_AGAINST, between)[0]
    own = [m.all_parts() for m in find_moments(clause)[:1]]
    for moment in find_moments(first):
        if own and any(own[0].get(k, v) != v for k, v in moment.all_parts().items()):
            return True
    names = [n.text for n in scene.pointing if n.dimension[0] == "label"]
    said = [name for name in names if name in first]
    subject = next((name for name in names if name in clause), "")
    return any(name != subject for name in said)
