"""Which names a figure of a passage belongs to: "Sports earned 9,045.91 in 2025"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from agent.evidence.apart import NAME_BREAK, agrees, is_measured_by, is_set_apart
from agent.evidence.lists import coordinated, is_compared_away, listed_figures, respective, spanned
from agent.evidence.rows.names import Dimension, Name
from agent.evidence.scenes import Group, Scene
from agent.evidence.text.mentions import Form, Mention
from agent.evidence.text.nouns import concept, name_concepts

_FOLLOWS: Final = re.compile(
    r"\)?[\s,]*(?:[\w$€£%'.-]+\s+){0,4}?(?:\w+,\s+)?"
    r"(?P<prep>for|from|in|by|at|on|during|of|through|within|für|im|in den|cost|costs|carry|"
    r"have|has|had|rated|lasts?|runs?(?: for)?|lie|fall (?:in|into|under)|"
    r"(?:went|goes|go|came|belongs?) (?:to|from)|are(?: rated)?|is rated|were(?: from)?|are from|"
    r"come from)\s+(?:the |all |its |store |month of |category |year |films of |both |"
    r"between |aged |ages )*"
    r"|\s+|\s*\((?:in |for |at |the )*|\s*(?:-|–|—|→)\s*",
    re.IGNORECASE,
)
_KIND: Final = re.compile(r"\s*(?:[a-z'-]+\s+){1,3}(?P<kind>[a-z]+)\s+")
_FOLLOWS_NOT: Final = re.compile(
    r"\b(?:compared|ahead|instead|because|relative|similar|close|next|due|according|addition|"
    r"contrast|more|less|fewer|higher|lower|above|below|behind|than|versus|vs|against|out|up|down|"
    r"which|who|while|but|and|followed|short|shy|apart|aside|except|excluding|besides|unlike|away|lead|leads|margin|difference|gap)\b",
    re.IGNORECASE,
)
_OWN_FIGURE: Final = re.compile(r"\s*[:=,]?\s*[$€£]?-?\d")
_COUNTED: Final = re.compile(
    r"^\s*(?:in \w+ )?(?:from|across|over|on|with|for|by)(?: each of| all| about)?(?: the)?"
    r" \d(?:[\d.,]*\d)?",
    re.IGNORECASE,
)
_NEXT_ITEM: Final = re.compile(r"\s*(?:[,;·•|]|and\b)")
_FROM: Final = re.compile(
    r"\bfrom\s*(?:about |roughly |around |just |only |nearly |some |over )*$", re.IGNORECASE
)
_ONWARDS: Final = re.compile(r"\s*(?:→|->|–>|=>|to)\s*[$€£]?\d")
_CLOSES: Final = re.compile(r"\s*(?:[.,;)]|$)")
_COMMA_IN: Final = re.compile(r"\s*,\s*(?:in|for|at|from|of|by|on)\s")
_ITEM_ENDS: Final = re.compile(r"[),;]|\band\b")
_STRANGER: Final = re.compile(
    r"(?:\d\S*|\))\s*(?:[,;·]|,? and\b|,? while\b|,? then\b)\s*(?:and |the |then )*"
    r"(?:[A-Z][\w'-]+ (?:\w+ ){0,2}(?=\(?$|for $|with $|at $|has $|had $)|[^,;()]*\($|"
    r"[^,;:()]*\b(?:\d+|[A-Z]\w*):\s*$)"
)
"""A name behind an item that is closed, right before the figure."""
_IN_BRACKETS: Final = re.compile(r"\s*\([^()]*\d[^()]*\)")
_LEADS: Final = re.compile(
    r"^(?:at|with|earning|having|totall?ing|bringing in|making)\b", re.IGNORECASE
)
_IS: Final = re.compile(r"\s*(?:was|is|were|are|went to|goes to|-|–|:)\s*(?:the )?", re.IGNORECASE)


def groups_for(figure: Mention, scene: Scene) -> tuple[Group, ...]:
    """Return the names that `figure` belongs to, one group for each kind of name."""
    if scene.is_row:
        return _in_row(figure, scene)
    owner = _bracketed_behind(figure, scene)
    if owner is not None:
        return groups_for(owner, scene)
    names = scene.pointing
    found = _following(figure, scene, names)
    found += _preceding(figure, scene, names, {group[0].dimension for group in found})
    found = found or _leading(figure, scene, names)
    taken = {group[0].dimension for group in found} | {name.dimension for name in names}
    if _is_start(figure, scene):
        taken.add(("time", ""))  # "grew in 2025: from 1,815 to 5,858"
    found += [group for group in scene.inherited if group[0].dimension not in taken]
    return tuple(spanned(group, scene.text) for group in found)


def _is_start(figure: Mention, scene: Scene) -> bool:
    """Whether a figure is what something went up or down from."""
    text = scene.text
    return bool(_FROM.search(text[: figure.start]) or _ONWARDS.match(text[figure.end :]))


def _bracketed_behind(figure: Mention, scene: Scene) -> Mention | None:
    """Return the figure that another one in brackets adds to: "169 films (16.9 %)"."""
    opened = scene.text.rfind("(", 0, figure.start)
    if opened < 0 or ")" in scene.text[opened : figure.start]:
        return None
    before = [f for f in scene.amounts if f.end <= opened]
    named = max((n.end for n in scene.pointing if n.end <= opened), default=-1)
    closed = scene.text.find(")", figure.end)
    inside = any(opened < n.start < closed for n in scene.pointing)
    if inside or not before or before[-1].end <= named:
        return None
    is_apart = _ITEM_ENDS.search(scene.text[before[-1].end : opened])
    return None if is_apart else before[-1]


def _in_row(figure: Mention, scene: Scene) -> tuple[Group, ...]:
    by_kind: dict[Dimension, list[Name]] = {}
    names = [n for n in scene.pointing if not n.start <= figure.start < n.end]
    for (start, end), over in zip(scene.passage.spans, scene.head_names, strict=False):
        if start <= figure.start < end:
            names += over
    for name in names:
        by_kind.setdefault(name.dimension, []).append(name)
    above = [group for group in scene.inherited if group[0].dimension not in by_kind]
    return (*(tuple(group) for group in by_kind.values()), *above)


def _following(figure: Mention, scene: Scene, names: Sequence[Name]) -> list[Group]:
    """Return the names behind a figure: "9,045.91 for Sports in 2025", "9,045.91 (Sports)"."""
    found: list[Group] = []
    end = listed_figures(figure, scene)[-1].end
    for position, name in enumerate(names):
        if name.start < end:
            continue
        if is_compared_away(figure, scene, name) or _has_figure(scene, end, name.start):
            break
        gap = _IN_BRACKETS.sub("", _without_dates(scene, end, name.start))
        gap = _COUNTED.sub("", gap, count=1)
        is_led = _leads_to(gap, scene.text[name.end :], is_first=not found)
        if not is_led and not _is_called(name, gap):
            break
        is_apart = gap.strip() in ("-", "–", "—", "→") or "," in gap
        is_closed = _CLOSES.match(scene.text, name.end) and _COMMA_IN.search(gap)
        if is_apart and not is_closed and not _opens(name, figure, scene):
            break
        group = coordinated(names, position, scene.text)
        end = group[-1].end
        group = respective(figure, scene, group, behind=True)
        if all(group[0].dimension != other[0].dimension for other in found):
            found.append(group)
    return found


def _without_dates(scene: Scene, start: int, end: int) -> str:
    """Return a part of a passage with "#" for each date in it, since a date is no other figure."""
    text = scene.text[:end]
    for figure in reversed(scene.figures):
        if figure.moment is not None and start <= figure.start and figure.end <= end:
            text = f"{text[: figure.start]}then{text[figure.end :]}"
    return text[start:]


def _leads_to(gap: str, tail: str, *, is_first: bool) -> bool:
    match = _FOLLOWS.fullmatch(gap)
    if match is None or _FOLLOWS_NOT.search(gap) or any(c.isdigit() for c in gap):
        return False
    if not match["prep"] and not is_first:
        return False
    # In "101.74 (September: 87.81)" the name behind has its own figure.
    has_own = gap.endswith("(") or (not gap.strip() and tail.lstrip()[:1] in (":", "="))
    return not (has_own and _OWN_FIGURE.match(tail))


def _is_called(name: Name, gap: str) -> bool:
    """Whether a name stands behind its kind: "10,240 users saw variant A"."""
    match = _KIND.fullmatch(gap)
    is_kind = match is not None and concept(match["kind"]) in name_concepts(name.dimension[1])
    return is_kind and name.dimension[0] == "label" and not _FOLLOWS_NOT.search(gap)


def _opens(name: Name, figure: Mention, scene: Scene) -> bool:
    """Whether no such name stands before a figure, so that "5 – Sports" is meant."""
    return not any(
        other.dimension == name.dimension and other.end <= figure.start for other in scene.pointing
    )


def _preceding(
    figure: Mention, scene: Scene, names: Sequence[Name], taken: set[Dimension]
) -> list[Group]:
    """Return the names before a figure that nothing sets apart from it."""
    found: list[Group] = []
    first = listed_figures(figure, scene)[0].start
    seen = set(taken)
    position = len(names) - 1
    while position >= 0:
        name = names[position]
        if name.end > figure.start or name.start >= first:
            position -= 1
            continue
        group = coordinated(names, position, scene.text)
        if name.dimension not in seen and not _is_aside(name, figure, scene):
            seen.add(name.dimension)
            gap = scene.text[name.end : figure.start]
            own = respective(figure, scene, group, behind=False)
            is_apart = is_set_apart(name, gap) or _is_of_another(name, gap, scene, names)
            is_apart = is_apart or is_measured_by(name, gap, scene.text)
            is_apart = is_apart or _has_stranger(name, figure, scene)
            if own and (own is not group or not is_apart) and agrees(name, found):
                found.append(own)
        position -= len([n for n in group if n.start <= name.start])
    return found


def _has_figure(scene: Scene, start: int, end: int) -> bool:
    """Whether a figure in words stands between two places: "$7,673.70, a quarter of Porto's"."""
    return any(
        start <= f.start and f.end <= end and (f.is_word or f.form is Form.PART)
        for f in scene.amounts
        if not _COUNTED.match(f" {scene.text[start:end].lstrip()}")
    )


def _is_aside(name: Name, figure: Mention, scene: Scene) -> bool:
    """Whether a name stands with a figure of its own in brackets: "5 (May: 4) and 12 in all"."""
    opened, closed = scene.text.rfind("(", 0, name.start), scene.text.find(")", name.end)
    if opened < 0 or ")" in scene.text[opened : name.start] or not 0 <= closed < figure.start:
        return False
    return any(name.end <= f.start < closed for f in scene.amounts)


def _has_stranger(name: Name, figure: Mention, scene: Scene) -> bool:
    """Whether the next item of a list has a name that the rows do not know: "…, Canadians 56"."""
    gap = scene.text[name.end : figure.start]
    for other in reversed(scene.names):
        if name.end <= other.start and other.end <= figure.start:
            start, end = other.start - name.end, other.end - name.end
            gap = f"{gap[:start]}{'x' * (end - start)}{gap[end:]}"
    gap = re.sub(r"\([^()]*$", "(", gap)
    return name.dimension[0] == "label" and _STRANGER.search(gap) is not None


def _is_of_another(name: Name, gap: str, scene: Scene, names: Sequence[Name]) -> bool:
    """Whether a name closes another figure: Sports in "9,045.91 for Sports, 12 for …"."""
    if not _NEXT_ITEM.match(gap):
        return False
    earlier = [f for f in scene.amounts if f.end <= name.start][-1:]
    owners = [_bracketed_behind(f, scene) or f for f in earlier]
    return any(name in group for f in owners for group in _following(f, scene, names))


def _leading(figure: Mention, scene: Scene, names: Sequence[Name]) -> list[Group]:
    """Return the name that a figure at the front belongs to: "At 9,045.91, Sports leads"."""
    if not names or any(n.start < figure.end for n in names):
        return []
    gap = scene.text[figure.end : names[0].start]
    if NAME_BREAK.search(gap) or any(figure.end <= f.start < names[0].start for f in scene.amounts):
        return []
    if _LEADS.match(scene.text) or _IS.fullmatch(gap):
        return [coordinated(names, 0, scene.text)]
    return []
