"""Columns of one row that stand against each other: active and inactive, lowest and average."""

from __future__ import annotations

import re
from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.rows.cells import Spot, Table
from agent.evidence.rows.meanings import NAMING, Holds
from agent.evidence.text.nouns import is_noun, name_words, words

State = frozenset[tuple[str, bool]]
"""The stems of what a name or a clause says, each with whether it is said not to be so."""

_EMPTY: Final = words(
    "all any both whole overall every other "
    "count n num number cnt total sum pct percent percentage share rate is are was has have the of "
    "in at on by per with to and for orders avg average min max mean median lowest highest"
)
_NOT: Final = re.compile(r"not|non|no|never|without|neither|nor|none|\w+n't")
_PREFIXES: Final = ("un", "in", "non", "dis", "not")
_REACH: Final = 3
"""Words that a negation reaches over: "no longer active", "not yet been shipped"."""
_CUT: Final = re.compile(r"[;:,.()\n|–—](?!\d)|\b(?:and|but|while|whereas|with|or|of which)\b")
_COMPARED: Final = re.compile(
    r"\b(?:than|above|below|over|under|versus|vs|times|compared|against|between|besides|beyond|"
    r"except|excluding|including|plus|minus|leav\w+|left|rest|other|others|remaining|"
    r"difference|gap|if|either|both|per|almost as|as (?:many|much))\b|[-+=/×]",
    re.IGNORECASE,
)
_PART_OF: Final = re.compile(
    r"\s*(?:out )?of (?:(?:the|our|all|its|their|these|those|a total of) )*$", re.IGNORECASE
)
_ROLES: Final = {
    "least": words("min minimum lowest smallest least cheapest shortest"),
    "greatest": words("max maximum highest largest greatest biggest longest"),
    "average": words("avg average mean averages averaged averaging"),
}
_FROM: Final = re.compile(r"\b(?:from|between)\s*(?:about |around |just )?$", re.IGNORECASE)
_TO: Final = re.compile(r"\s*(?:(?:all the way )?(?:up )?to|and|through|–|-)\s*", re.IGNORECASE)


def opposite_fault(claim: Claim, ground: Ground, spot: Spot) -> str:
    """Return that the words around a figure are those of another column of its row, or ""."""
    table = ground.tables[spot.table]
    own = table.meanings[spot.column]
    if own.holds in NAMING or own.is_change:
        return ""
    beside = [
        column
        for column in table.measures
        if column != spot.column
        and table.meanings[column].holds is own.holds
        and table.numbers[column][spot.row] not in (None, spot.value)
    ]
    return _role_fault(claim, ground, spot, beside) or _state_fault(claim, ground, spot, beside)


def complements_of(table: Table, column: int) -> list[int]:
    """Return the columns that hold what one leaves of all: inactive beside active."""
    own = _state_of(table, column)
    turned = {(stem, not is_not) for stem, is_not in own}
    holds = table.meanings[column].holds
    if not own or holds not in (Holds.COUNT, Holds.MONEY, Holds.NUMBER):
        return []
    return [
        other
        for other in table.measures
        if table.meanings[other].holds is holds and _state_of(table, other) == turned
    ]


def says_state(claim: Claim, ground: Ground, table: Table, column: int) -> bool:
    """Whether the words at a figure speak of what a column or its opposite counts."""
    if _PART_OF.search(ground.before(claim)):
        return False
    stems = _known(table)
    said = {stem for stem, _ in _read(_clause(claim, ground), stems)}
    return any(stem in said for stem, _ in _state_of(table, column))


def _state_fault(claim: Claim, ground: Ground, spot: Spot, beside: list[int]) -> str:
    table = ground.tables[spot.table]
    own = _state_of(table, spot.column)
    clause = _clause(claim, ground)
    is_whole = _PART_OF.search(ground.before(claim))
    if not own or not beside or is_whole or _COMPARED.search(clause):
        return ""
    said = _read(clause, _known(table))
    if own & said:
        return ""
    named = [c for c in beside if (told := _state_of(table, c) - own) and told <= said]
    if len(named) != 1:
        return ""
    return f"is not {' '.join(name_words(table.column_name(named[0])))}"


def _role_fault(claim: Claim, ground: Ground, spot: Spot, beside: list[int]) -> str:
    """See to "range from 4.08" and "an average of 0.99", where 4.08 is the average of the row."""
    table = ground.tables[spot.table]
    own = _role_of(table, spot.column)
    if not own or len(table.rows) != 1:
        return ""
    roles = {_role_of(table, column) for column in beside} - {""}
    clause = _clause(claim, ground)
    said = (
        set() if _COMPARED.search(clause) else _roles_in(re.findall(r"[a-z]{4,}", clause.lower()))
    )
    end = _end_of_range(claim, ground)
    if end and own == "average":
        said = {end}
    if len(said) == 1 and own not in said and said <= roles:
        return f"is not the {said.pop()}"
    return ""


def _end_of_range(claim: Claim, ground: Ground) -> str:
    """Return which end of a range a figure is: "from 0.99 to 50.00"."""
    before, after = ground.before(claim), ground.after(claim)
    if _FROM.search(before) and _TO.fullmatch(after):
        return "least"
    text, start = ground.text(claim), claim.mention.start - len(before)
    first = [f for f in ground.scene_of(claim).amounts if f.end == start]
    if first and _TO.fullmatch(before) and _FROM.search(text[: first[-1].start]):
        return "greatest"
    return ""


def _role_of(table: Table, column: int) -> str:
    found = _roles_in(list(name_words(table.column_name(column))))
    return found.pop() if len(found) == 1 else ""


def _roles_in(said: list[str]) -> set[str]:
    return {role for role, known in _ROLES.items() if known & set(said)}


def _clause(claim: Claim, ground: Ground) -> str:
    """Return the words around a figure, over the whole that it is a part of: "37 of 830 …"."""
    before, after = ground.before(claim), ground.after(claim)
    if _PART_OF.fullmatch(after):
        text = ground.text(claim)
        nexts = [f for f in ground.scene_of(claim).amounts if f.start >= claim.mention.end]
        ends = [*(f.start for f in nexts[1:2]), len(text)]
        after = text[nexts[0].end : ends[0]] if nexts else after
    return f"{_CUT.split(before)[-1]} {_CUT.split(after)[0]}"


def _known(table: Table) -> frozenset[str]:
    """Return the stems of all columns, as they are without a negation."""
    names = [name_words(table.column_name(column)) for column in table.measures]
    stems = {_stem(word) for name in names for word in name}
    return frozenset(stems | {bare for stem in stems if (bare := _bare(stem, stems))})


def _state_of(table: Table, column: int) -> State:
    """Return what a column's name says of the things that it counts."""
    said = name_words(table.column_name(column))
    kept = [w for w in said if _NOT.fullmatch(w) or _is_state(w)]
    if any(word.isdigit() for word in kept) or _roles_in(list(said)):
        return frozenset()
    return _read(" ".join(kept), _known(table))


def _is_state(word: str) -> bool:
    """Whether a word of a name says how things are, and not what is counted: "paid", "late"."""
    return word not in _EMPTY and (word == "paid" or word.endswith("ed") or not is_noun(word))


def _read(text: str, known: frozenset[str]) -> State:
    """Return the known stems of a text."""
    found: set[tuple[str, bool]] = set()
    reach = 0
    for word in re.findall(r"[a-z]+(?:'t)?", text.lower().replace("’", "'")):
        if _NOT.fullmatch(word):
            reach = _REACH
            continue
        stem = _stem(word)
        bare = _bare(stem, known)
        if bare or stem in known:
            found.add((bare or stem, bool(bare) != (reach > 0)))
        reach -= reach > 0
    return frozenset(found)


def _bare(stem: str, known: frozenset[str] | set[str]) -> str:
    """Return a stem without the negation that it begins with, where that is known too."""
    bare = next((stem.removeprefix(p) for p in _PREFIXES if stem.startswith(p)), "")
    return bare if bare in known else ""


def _stem(word: str) -> str:
    short = re.sub(r"(?:ed|ing|es|s|e)$", "", word) if len(word) > 3 else word
    return re.sub(r"([^aeiousl])\1$", r"\1", short)
