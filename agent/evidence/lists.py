"""Names and figures that stand together: "Bremen and Porto", "6,725 and 7,720"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from agent.evidence.rows.names import Name
from agent.evidence.scenes import Group, Scene
from agent.evidence.text.mentions import Form, Mention
from agent.evidence.text.nouns import is_noun

_NAMES_JOINED: Final = re.compile(
    r"\s*(?:\w+-)?"
    r"(?:[,/&|]|,? ?and|,? ?or|,? ?und|vs\.?|versus|to|-|–|through|until|than|both|,? ?then|plus)?"
    r"\s*(?:the |in |for |von )?\s*",
    re.IGNORECASE,
)
_THINGS_JOINED: Final = re.compile(
    r"(?:-rated)?\s+(?P<thing>[a-z]+)\s*(?:,|,? ?and|,? ?or|&|vs\.?|versus)\s*(?:the )?",
    re.IGNORECASE,
)
_FIGURES_JOINED: Final = re.compile(
    r"\s*(?:[a-z]+\s*)?(?:,|,? ?and|/|vs\.?|versus|to|-|–|,? ?against|"
    r",? ?after|,? ?compared (?:to|with))\s*(?:about |roughly |a total of )*",
    re.IGNORECASE,
)
_COMPARED: Final = re.compile(
    r"\s*(?:[a-z]+\s*)?,?\s*(?:vs\.?|versus|against|after|to|compared (?:to|with)|over|than)\s*"
    r"(?:about |roughly |only |just |a total of )*",
    re.IGNORECASE,
)
"""What stands between two figures of two rows."""
_SETS_AGAINST: Final = re.compile(
    r"\b(?:leads?|led|beats?|beat|edges?|edged|trails?|trailed|ahead|behind|over|than|versus|vs|"
    r"double|triple|twice|times|half|exceeds?|surpass\w*|overtook|lags?|lagged|outsold|"
    r"outsells?|outearn\w*|tops?|above|below|short|against|to|before|after|and)\b",
    re.IGNORECASE,
)
_RESPECTIVELY: Final = re.compile(r"[^.;]*\brespectively\b", re.IGNORECASE)
_OPENS: Final = re.compile(r"[:(–—]\s*|,\s*$|[,.]? (?:at|with|by|taking|having|earning)\s+$")
_ITEM: Final = re.compile(r"[()]|\d(?![\d.,]*\s?(?:%|pp|percent|x\b|times\b))")
"""What says that a name between has a figure of its own."""
_MEASURED: Final = re.compile(
    r"\b(?:than|behind|ahead of|against|above|below|over|on)\s+(?:in |the |for )*$", re.IGNORECASE
)
_VERSUS: Final = re.compile(r"\b(?:versus|vs|against|than|compared)\b", re.IGNORECASE)
_RANGES: Final = ("to", "-", "–", "through", "until", "till", "bis")


def coordinated(names: Sequence[Name], position: int, text: str) -> Group:
    """Return the names that stand together with the one at `position`."""
    group = [names[position]]
    for step in (1, -1):
        here = position
        while 0 <= here + step < len(names):
            left, right = sorted((names[here], names[here + step]), key=lambda n: n.start)
            if (
                not _are_joined(text[left.end : right.start])
                or names[here].dimension != names[here + step].dimension
            ):
                break
            group.append(names[here + step])
            here += step
    return tuple(sorted(group, key=lambda n: n.start))


def _are_joined(gap: str) -> bool:
    """Whether the words between two names join them: "R-rated films and PG-13 films"."""
    if _NAMES_JOINED.fullmatch(gap):
        return True
    match = _THINGS_JOINED.fullmatch(gap)
    return match is not None and is_noun(match["thing"])


def listed_figures(figure: Mention, scene: Scene) -> tuple[Mention, ...]:
    """Return the figures that stand in a list together with `figure`, itself among them."""
    figures = scene.amounts
    if figure not in figures:
        return (figure,)
    first = last = figures.index(figure)
    while last + 1 < len(figures) and _stand_together(figures[last], figures[last + 1], scene):
        last += 1
    while first > 0 and _stand_together(figures[first - 1], figures[first], scene):
        first -= 1
    return figures[first : last + 1]


def _stand_together(left: Mention, right: Mention, scene: Scene) -> bool:
    is_unit_last = left.form is Form.NUMBER and right.form in (Form.TIME, Form.PERCENT)
    is_unit_last = is_unit_last and not (left.nouns or left.currency)
    if (left.form is not right.form and not is_unit_last) or bool(left.currency) != bool(
        right.currency
    ):
        return False
    if left.nouns and right.nouns and left.nouns[0] != right.nouns[0]:
        return False
    if any(left.end <= n.start < right.start for n in scene.pointing):
        return False
    return _FIGURES_JOINED.fullmatch(scene.text[left.end : right.start]) is not None


def respective(figure: Mention, scene: Scene, group: Group, *, behind: bool) -> Group:
    """Let the n-th figure of a list belong to the n-th name of as many.

    `behind`: the names stand behind the figures.
    """
    listed = listed_figures(figure, scene)
    if not behind and len(group) == 1 < len(listed):
        kind = group[0].dimension
        before = [n for n in scene.pointing if n.dimension == kind and n.end <= listed[0].start]
        is_second = _MEASURED.search(scene.text[: group[0].start]) is not None
        is_other = len(before) == 1 and len(listed) == 2 and figure is not listed[is_second]
        if is_other and _VERSUS.search(scene.text[listed[0].end : listed[1].start]):
            return ()  # "Engineering is paid 35 % more ($82.5k against $61.2k)"
        is_told = _RESPECTIVELY.match(scene.text, listed[-1].end) is not None
        is_told = is_told or _in_brackets(listed, before, scene)
        if (is_told and len(before) >= len(listed)) or _are_compared(listed, before, scene):
            group = tuple(before[-len(listed) :])
    is_range = scene.text[: listed[0].start].lower().endswith("between ")
    is_range |= len(listed) == 2 and scene.text[listed[0].end : listed[1].start].strip() in "-–"
    if len(listed) != len(group) or len(group) < 2 or is_range:
        return group
    return (group[listed.index(figure)],)


def _in_brackets(listed: Sequence[Mention], names: Sequence[Name], scene: Scene) -> bool:
    """Whether a list of figures is all that brackets hold: "December beat November (5 vs. 3)"."""
    name, among = names[-1], scene.text[names[-len(listed) :][0].end : names[-1].start]
    has_digits = any(c.isdigit() for c in among)
    between = " ".join(scene.text[a.end : b.start] for a, b in pairwise(listed))
    if re.search(r"[()]", among) or (has_digits and not _VERSUS.search(among + between)):
        return False
    opened = re.fullmatch(r"'?s?\s*(?:[a-z]+ ){0,2}\(", scene.text[name.end : listed[0].start])
    return bool(opened) and re.match(r"[^(),;]{0,30}\)", scene.text[listed[-1].end :]) is not None


def _are_compared(listed: Sequence[Mention], names: Sequence[Name], scene: Scene) -> bool:
    """Whether two figures are those of two names that a comparison sets against each other.

    "Sports leads Action by 1,942.87: 9,045.91 versus 7,103.04": the first name has the first.
    """
    if len(listed) != 2 or len(names) < 2:
        return False
    one, other = names[-2:]
    said = scene.text[one.end : other.start]
    against = _COMPARED.fullmatch(scene.text[listed[0].end : listed[1].start])
    opened = _OPENS.search(scene.text[other.end : listed[0].start])
    is_item = _ITEM.search(said) is not None
    return bool(against and opened and not is_item and _SETS_AGAINST.search(said))


def is_compared_away(figure: Mention, scene: Scene, name: Name) -> bool:
    """Whether the name behind two figures that are compared belongs to the other one.

    In "leads by a nose: $33.9k vs $33.5k for Warner" the first figure is not Warner's.
    """
    listed = listed_figures(figure, scene)
    if figure is listed[-1] or len(listed) != 2:
        return False
    if not _COMPARED.fullmatch(scene.text[listed[0].end : listed[1].start]):
        return False
    names = [n for n in scene.pointing if n.start >= name.start]
    return len(coordinated(names, 0, scene.text)) == 1


def spanned(group: Group, text: str) -> Group:
    """Let "from March to June" name the rows between, too."""
    if len(group) != 2 or group[0].dimension[0] != "time":
        return group
    first_end = group[0].start + len(group[0].text)  # of "2019–2021" the dash is taken along
    between = text[first_end : group[1].start].lower().removesuffix("the ").strip()
    is_between = between == "and" and text[: group[0].start].lower().endswith("between ")
    if between not in _RANGES and not is_between:
        return group
    hits = []
    for hit in group[0].hits:
        other = next((h for h in group[1].hits if h.table == hit.table), None)
        if other is not None and hit.rows and other.rows:
            both = hit.rows | other.rows
            hits.append(replace(hit, rows=frozenset(range(min(both), max(both) + 1))))
    return (*group, replace(group[0], hits=tuple(hits)))
