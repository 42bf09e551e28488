"""Superlatives: "Sports earned the most", "the busiest day is Saturday"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from agent.evidence.ground import Claim, Ground
from agent.evidence.lists import coordinated
from agent.evidence.order.listed import listed_above
from agent.evidence.order.ranking import columns_ranked, is_derived
from agent.evidence.order.standing import (
    has_changed_most,
    is_end,
    is_scope,
    is_step_end,
    ratio_end,
    rows_of_year,
)
from agent.evidence.order.superlatives import BY_QUALITY, STEP, SUPERLATIVE, TURNS, is_of_rows
from agent.evidence.rows.cells import Spot, Table
from agent.evidence.rows.grouping import grouping_columns
from agent.evidence.rows.meanings import Holds
from agent.evidence.rows.names import Name
from agent.evidence.scenes import Scene
from agent.evidence.text.mentions import Form

_COUNTED: Final = r"(?:\d|two|three|four|five|six|seven|eight|nine|ten|few)"
_NOT_SO: Final = re.compile(
    r"\b(?:second|third|fourth|fifth|sixth|next|among|one of|not|n't|never|2nd|3rd|4th|at most|"
    r"at least|almost|other|another|except|after|behind|followed|nor|neither|than|runner-up|"
    r"\w+n['’]t|trail\w*|lag\w*|half of|if|would|does|did|why|two|three|both|each|"
    r"former|per|above|below|times|versus|vs|"
    r"compared|against|between|over the|from the|to the|followed|far from|nearly|close to|whose)\b"
    r"|\?|%",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(
    r"[^,;.()]{0,60}?(?:\b(?:is|was|were|are|went to|goes to|belongs? to|came (?:in|from|on)|"
    r"comes (?:in|from)|in|by|from|at|on|for|with|being|namely|of)\b|[:,(–—-])\s*"
    r"(?:the |month of |with |in |on |by )*|\s+",
    re.IGNORECASE,
)
_APPOSED: Final = re.compile(r"(?: [a-z]+){1,2}, $")
_APART: Final = re.compile(
    r"[;:()]|\. |, (?:the|with|while|but|and)\b|\b(?:and|but|while) (?:the|a|an|then|its|it)\b"
)
_TURN_IN: Final = re.compile(
    r"(?:\s+(?:at|with|of|to|just|only|about|around|again|there|out|was|came|is|month)|"
    r"\s+[$€£]?[\d.,]+k?[%]?|\s+[a-z]+s(?=\s))*\s+(?:in|on|during|at|around|was|is)\s+(?:the )?",
    re.IGNORECASE,
)
_RANKED: Final = re.compile(
    r"\b(?:second|third|fourth|fifth|sixth|2nd|3rd|next|morning|afternoon|evening|night|lunch\w*|midday|weekday|weekend|"
    r"spring|summer|autumn|winter|local|previous|\d+th)[- ]$",
    re.IGNORECASE,
)
_BUT: Final = re.compile(r"\b(?:but|while|although|though|yet|and (?:has|is|was|also|had))\b")
_OF_YEAR: Final = re.compile(r"\b(?:of|in|for) (?:the|that|this) year\b", re.IGNORECASE)
_WITH: Final = re.compile(
    r"(?:[ -]\w+){0,3}? (?:with|at|by|of)(?: about| just| only| exactly)? |"
    r"(?:[ -]\w+){0,3}(?:, |: | \()",
    re.IGNORECASE,
)
_ASIDE: Final = re.compile(r" \((?:[A-Za-z][^()\d]{0,20}|\d\d?:\d\d)\)")
"""Words in brackets that only say more of a name: "12:00 (UTC)"."""
_IN_ASIDE: Final = re.compile(r"(?<=[^\W\d_] )\((?:[A-Z][\w ]{0,20}|\d\d?:\d\d)\)")
_CLAUSES: Final = (";", ":", "(", ", and ", ", but ", ", while ")
_FARTHEST: Final = 60
"""Characters between a name and the superlative that is said of it."""
_LEADING: Final = ("leads", "led", "leading", "tops")
_OF_LIST: Final = re.compile(r"last|bottom|first|rear|top|lead|best|dominates", re.IGNORECASE)


def extreme_faults(scene: Scene, claims: Sequence[Claim], ground: Ground) -> Iterator[str]:
    """Yield the superlatives that the rows refute."""
    every = [n for n in scene.names if n.is_sure and n.has_rows]
    names = [n for n in every if not any(is_scope(n, t) for t in ground.tables)]
    for match in SUPERLATIVE.finditer(scene.text):
        is_name = any(n.start <= match.start() and match.end() <= n.end for n in scene.names)
        may_rank = not is_name and is_of_rows(match)
        name = _subject(match, names, scene.text) if may_rank else None
        between = (n for n in every if name and match.end() <= n.start and n.end <= name.start)
        if name is None or next(between, None) is not None:
            continue
        clause = _clause(scene.text, match)
        others = [n for n in every if n is not name]
        others += [n for group in scene.inherited for n in group if n.has_rows]
        others += listed_above(scene, match.end(), ground)
        beside = _beside(match, claims, scene.text)
        said = [_is_said_of(t, name, others, match, clause, beside) for t in ground.tables]
        if False in said and _is_of_ratio(name, match, scene, ground):
            continue
        if False in said and True not in said:
            yield f"The answer calls {name.text} “{match[0].lower()}”, but the rows do not."


def _is_said_of(
    table: Table,
    name: Name,
    others: Sequence[Name],
    match: re.Match[str],
    clause: str,
    beside: Sequence[Spot],
) -> bool | None:
    """Whether a superlative is true of what a name means; None where a result does not tell."""
    rows, scopes = name.rows(table.number), [tuple(range(len(table.rows)))]
    for other in others:
        wider = other.rows(table.number)
        is_wider = other.dimension != name.dimension or (len(rows) > 1 and is_scope(other, table))
        if rows & wider and is_wider:
            rows = rows & wider
            scopes += [tuple(wider)] if len(wider) > 1 else []
        elif rows <= wider and is_scope(other, table):
            scopes.append(tuple(wider))
    if name.moment is not None and name.moment.year is not None and _OF_YEAR.search(clause):
        scopes.append(tuple(rows_of_year(table, name.moment.year)))
    if len(rows) != 1 or len(table.rows) < 2:
        return None
    row = min(rows)
    shown = [s.column for s in beside if (s.table, s.row) == (table.number, row)]
    return any(_is_extreme(table, row, match, clause, scope, shown) for scope in scopes)


def _beside(match: re.Match[str], claims: Sequence[Claim], text: str) -> Sequence[Spot]:
    """Return the cells of the figure that a superlative goes by: "leads with 180 payments"."""
    for claim in claims:
        gap = text[match.end() : max(match.end(), claim.mention.start)]
        if claim.mention.start >= match.end() and claim.mention.form is not Form.MOMENT:
            return claim.spots if _WITH.fullmatch(gap) else ()
    return ()


def _is_of_ratio(name: Name, match: re.Match[str], scene: Scene, ground: Ground) -> bool:
    """Whether a superlative is true of an average or a rate that no column has."""
    here = list(ground.scenes).index(scene)
    words = " ".join(s.text for s in ground.scenes[max(0, here - 1) : here + 1])
    low = match["low"] is not None
    return any(
        len(rows := name.rows(t.number)) == 1 and ratio_end(t, min(rows), low=low)
        for t in ground.tables
        if is_derived(t, words)
    )


def _subject(match: re.Match[str], names: Sequence[Name], text: str) -> Name | None:
    """Return the one name of which a word such as "highest" speaks; None where that is unclear."""
    tail = text[match.end() :]
    if _RANKED.search(text[: match.start()]):
        return None  # "the second-best month"
    if re.match(rf"\s*{_COUNTED}\b|\s+(?:first|time)\b|-\w", tail) and not STEP.match(tail):
        return None
    before = [n for n in names if n.end <= match.start() and not _IN_ASIDE.match(text, n.start - 1)]
    before = ([n for n in before if n.dimension[0] == "label"] or before)[-1:]
    after = [n for n in names if n.start >= match.end()][:1]
    behind = text[match.end() : after[0].start] if after else ""
    if match[0].lower() in TURNS and after and _TURN_IN.fullmatch(behind):
        return after[0] if len(coordinated(names, names.index(after[0]), text)) == 1 else None
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
    gap = _ASIDE.sub("", text[name.end : match.start()])
    is_alone = len(coordinated(names, names.index(name), text)) == 1
    after = [n for n in names if n.start >= match.end()][:1]
    has_own = after and _names_behind(after[0], match, names, text)
    is_apposed = not has_own and re.fullmatch(r", (?:by far )?(?:the|our|its) ", gap)
    is_apart = not is_apposed and (_NOT_SO.search(gap) or _APART.search(gap))
    is_edge = re.search(r"\b(?:from|since|after|until|to)\s*(?:the )?$", text[: name.start])
    if name.dimension[0] == "time" and is_edge and re.search(r"\b(?:are|were|have)\b", gap):
        return False  # "the hours from 6 pm are the strongest"
    is_next = gap.strip() in ("and", ",") and match[0].lower() in TURNS
    return is_alone and len(gap) < _FARTHEST and not is_apart and not is_next


def _names_behind(name: Name, match: re.Match[str], names: Sequence[Name], text: str) -> bool:
    gap = text[match.end() : name.start]
    lead = text[max(0, match.start() - 25) : match.start()]
    is_alone = len(coordinated(names, names.index(name), text)) == 1
    lead = lead.replace(" per ", " ")
    return is_alone and bool(_BEHIND.fullmatch(gap)) and not _NOT_SO.search(lead + gap)


def _clause(text: str, match: re.Match[str]) -> str:
    """Return the words around a superlative, up to the next mark that closes the thought."""
    start = max(text.rfind(mark, 0, match.start()) for mark in _CLAUSES) + 1
    ends = [text.find(mark, match.end()) for mark in (";", ",", "(", ":")]
    clause = text[start : min((end for end in ends if end >= 0), default=len(text))]
    return clause[: match.end() - start] + _BUT.split(clause[match.end() - start :])[0]


def _is_extreme(
    table: Table,
    row: int,
    match: re.Match[str],
    clause: str,
    rows: Sequence[int],
    shown: Sequence[int],
) -> bool:
    low, said = match["low"] is not None, match[0].lower()
    step = STEP.match(match.string, match.end())
    if step is not None:
        return is_step_end(table, row, up=step["up"] is not None, low=low) is not False
    changed = has_changed_most(table, row, match) if said in ("most", "least") else None
    if changed is not None:
        return changed
    columns = columns_ranked(table, clause, match[0])
    grouped = set(grouping_columns(table))
    if len(table.measures) > len(grouped):  # what names the rows does not rank them
        columns = [c for c in columns if c not in grouped] or [
            c for c in table.measures if c not in grouped
        ]
    if shown and len(columns) == len(table.measures):
        columns = list(shown)
    if not columns or is_end(table, row, columns, rows, low=low):
        return True
    if said.split("-")[0] in BY_QUALITY:
        rates = [c for c in columns if _is_rate(table, c)]
        if is_end(table, row, rates, rows, low=not low):
            return True
    is_listed = _OF_LIST.search(said) and not table.is_series
    return bool(is_listed) and row == (len(table.rows) - 1 if low else 0)


def _is_rate(table: Table, column: int) -> bool:
    meaning = table.meanings[column]
    return meaning.is_average or meaning.holds in (Holds.PERCENT, Holds.TIME, Holds.RATIO)
