"""Which names a figure of a passage belongs to: "Sports earned 9,045.91 in 2025"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent.evidence.mentions import Mention
from agent.evidence.names import Dimension, Name

Group = tuple[Name, ...]
"""Names of one kind that stand together: "Bremen and Porto". A figure belongs to any of them."""

_JOINER: Final = re.compile(
    r"\s*(?:\w+-)?(?:[,/&|]|,? ?and|,? ?or|,? ?und|vs\.?|versus|to|-|–|through|until|than|both|,? ?then|plus)?\s*(?:the |in |for |von )?\s*",
    re.IGNORECASE,
)
_FOLLOWS: Final = re.compile(
    r"[\s,]*(?P<words>(?:[\w$€£%'.-]+\s+){0,4}?)(?P<prep>for|from|in|by|at|on|during|of|through|within|(?:went|goes|go|came|belongs?) (?:to|from)|für|im|in den|cost|costs|are(?: rated)?|is rated|rated|were(?: from)?|are from|come from|carry)\s+"
    r"(?:the |all |its |store |month of |category |year |films of |both )*|\s+|\s*\((?:in |for |at |the )*|\s*(?:-|–|—|→)\s*",
    re.IGNORECASE,
)
_NO_PREP: Final = re.compile(
    r"\b(?:compared|ahead|instead|because|relative|similar|close|next|due|according|addition|contrast|"
    r"more|less|fewer|higher|lower|above|below|behind|than|versus|vs|against|out|up|down|"
    r"which|who|while|but|and|followed|apart|aside|away|lead|leads|margin|difference|gap)\b",
    re.IGNORECASE,
)
_NAME_BREAK: Final = re.compile(
    r"\b(?:next|second|third|followed|follow|runner-up|others?|rest|remaining|average|averages|median|mean|"
    r"versus|vs|compared|than|ahead|behind|beats?|beating|against|combined|together|altogether|each|between|"
    r"overall|across|total of all|all (?:categories|stores|films|customers|months|countries|staff|of)|"
    r"grand total|in total|everyone|everything|every|company|chain|whole|entire|respectively)\b",
    re.IGNORECASE,
)
_TIME_BREAK: Final = re.compile(
    r"\b(?:from|previous|prior|before|earlier|ago|versus|vs|compared|than|preceding|last year|last month|"
    r"average|median|mean|combined|together|altogether|overall|total|in all|next|following|after|against|"
    r"respectively|each|between|since|until|by contrast)\b",
    re.IGNORECASE,
)
_CLAUSE: Final = re.compile(r";|,? (?:while|whereas|but|although|though)\b|\. ")
_LEADS: Final = re.compile(
    r"^(?:at|with|earning|having|totall?ing|bringing in|making)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Scene:
    """The figures and names of a passage, in their order."""

    text: str
    figures: tuple[Mention, ...]
    names: tuple[Name, ...]
    inherited: tuple[Group, ...] = ()
    """Names above it: a heading, a list's first line, what "it" stands for."""
    spans: tuple[tuple[int, int], ...] = ()
    """The cells of a row of a table."""
    head_names: tuple[tuple[Name, ...], ...] = ()
    """In a row of a table: the names that stand over each cell."""


def groups_for(figure: Mention, scene: Scene) -> tuple[Group, ...]:
    """Return the names that `figure` belongs to, one group for each kind of name."""
    if scene.spans:
        return _in_row(figure, scene)
    names = [n for n in scene.names if n.hits]
    after = _following(figure, scene, names)
    found = list(after)
    taken = {group[0].dimension for group in found}
    found += _preceding(figure, scene, names, taken)
    if not found:
        found = _leading(figure, scene, names)
    taken = {group[0].dimension for group in found}
    found += [g for g in scene.inherited if g[0].dimension not in taken and not _named(g, names)]
    return tuple(found)


def _named(group: Group, names: Sequence[Name]) -> bool:
    return any(name.dimension == group[0].dimension for name in names)


def _in_row(figure: Mention, scene: Scene) -> tuple[Group, ...]:
    by_kind: dict[Dimension, list[Name]] = {}
    for name in scene.names:
        if name.hits and not (name.start <= figure.start < name.end):
            by_kind.setdefault(name.dimension, []).append(name)
    for (start, end), names in zip(scene.spans, scene.head_names, strict=False):
        if start <= figure.start < end:
            for name in names:
                by_kind.setdefault(name.dimension, []).append(name)
    taken = set(by_kind)
    above = [g for g in scene.inherited if g[0].dimension not in taken]
    return (*(tuple(names) for names in by_kind.values()), *above)


def coordinated(names: Sequence[Name], position: int, text: str) -> Group:
    """Return the names that stand together with the one at `position`."""
    group = [names[position]]
    for step in (1, -1):
        here = position
        while 0 <= here + step < len(names):
            left, right = sorted((names[here], names[here + step]), key=lambda n: n.start)
            joined = _JOINER.fullmatch(text[left.end : right.start])
            if not joined or names[here].dimension != names[here + step].dimension:
                break
            group.append(names[here + step])
            here += step
    return tuple(sorted(group, key=lambda n: n.start))


def _following(figure: Mention, scene: Scene, names: Sequence[Name]) -> list[Group]:
    """Return the names behind a figure: "9,045.91 for Sports in 2025", "9,045.91 (Sports)"."""
    found: list[Group] = []
    end = _past_listed(figure, scene)
    for position, name in enumerate(names):
        if name.start < end:
            continue
        gap = scene.text[end : name.start]
        match = _FOLLOWS.fullmatch(gap)
        if (
            match is None
            or _NO_PREP.search(gap)
            or any(end <= f.start < name.start for f in scene.figures if f.moment is None)
        ):
            break
        if not match["prep"] and found:
            break
        if gap.strip() in ("-", "–", "—") and not _opens(figure, scene):
            break
        group = coordinated(names, position, scene.text)
        group = _respective(figure, scene, group, behind=True)
        if all(group[0].dimension != g[0].dimension for g in found):
            found.append(group)
        end = group[-1].end if len(group) == 1 else names[position].end
        if len(group) > 1:
            end = max(n.end for n in group)
    return found


def _opens(figure: Mention, scene: Scene) -> bool:
    """Whether a figure opens its passage or its part of a list, so that "5 – Sports" is meant."""
    before = scene.text[: figure.start]
    return not any(
        n.end <= figure.start and ";" not in scene.text[n.end : figure.start] for n in scene.names
    ) and not before.strip(" *(")


def _past_listed(figure: Mention, scene: Scene) -> int:
    """Return the end of the list of figures in which `figure` stands: "5, 7 and 9 for …"."""
    return listed_figures(figure, scene)[-1].end


def listed_figures(figure: Mention, scene: Scene) -> tuple[Mention, ...]:
    """Return the figures that stand in a list together with `figure`, itself among them."""
    figures = [f for f in scene.figures if f.moment is None]
    if figure not in figures:
        return (figure,)

    def together(left: Mention, right: Mention) -> bool:
        if left.form is not right.form:
            return False
        is_apart = any(left.end <= n.start < right.start for n in scene.names if n.hits)
        return not is_apart and bool(_LISTED.fullmatch(scene.text[left.end : right.start]))

    first = last = figures.index(figure)
    while last + 1 < len(figures) and together(figures[last], figures[last + 1]):
        last += 1
    while first > 0 and together(figures[first - 1], figures[first]):
        first -= 1
    return tuple(figures[first : last + 1])


_LISTED: Final = re.compile(
    r"\s*(?:[a-z]+\s*)?(?:,|,? ?and|/|vs\.?|versus|to|-|–)\s*(?:about |roughly )?", re.IGNORECASE
)


def _respective(figure: Mention, scene: Scene, group: Group, *, behind: bool) -> Group:
    """Let the n-th figure of a list belong to the n-th name of as many."""
    listed = listed_figures(figure, scene)
    if not behind and len(group) == 1 < len(listed) and _in_brackets(listed, group[-1], scene):
        before = [
            n
            for n in scene.names
            if n.hits and n.dimension == group[0].dimension and n.end <= listed[0].start
        ]
        group = tuple(before[-len(listed) :])
    if len(listed) != len(group) or len(group) < 2:
        return group
    return (group[listed.index(figure)],)


def _in_brackets(listed: Sequence[Mention], name: Name, scene: Scene) -> bool:
    """Whether a list of figures is all that brackets hold: "December beat November (5 vs. 3)"."""
    return scene.text[name.end : listed[0].start].strip(" '") in ("(", "s (") and scene.text[
        listed[-1].end :
    ].lstrip(" USD€$").startswith(")")


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
        gap = scene.text[name.end : figure.start]
        if name.dimension not in seen:
            seen.add(name.dimension)
            if not _is_set_apart(name, gap, scene, figure):
                found.append(_respective(figure, scene, group, behind=False))
        position -= len([n for n in group if n.start <= name.start])
    return found


def _is_set_apart(name: Name, gap: str, scene: Scene, figure: Mention) -> bool:
    breaks = _TIME_BREAK if name.dimension[0] == "time" else _NAME_BREAK
    if breaks.search(gap):
        return True
    clause = _CLAUSE.search(gap)
    if clause is None:
        return False
    # "Sports leads, but at 9,045.91 it is …" keeps its subject; a new name would have replaced it.
    return ";" in clause[0]


def _leading(figure: Mention, scene: Scene, names: Sequence[Name]) -> list[Group]:
    """Return the name that a figure at the front belongs to: "At 9,045.91, Sports leads"."""
    if any(n.end <= figure.start for n in names) or not names:
        return []
    behind = [n for n in names if n.start >= figure.end]
    if len(behind) != len(names):
        return []
    gap = scene.text[figure.end : behind[0].start]
    if _NAME_BREAK.search(gap) or any(
        figure.end <= f.start < behind[0].start for f in scene.figures if f.moment is None
    ):
        return []
    if _LEADS.match(scene.text) or re.fullmatch(
        r"\s*(?:was|is|were|are|went to|goes to|-|–|:)\s*(?:the )?", gap
    ):
        return [coordinated(names, names.index(behind[0]), scene.text)]
    return []
