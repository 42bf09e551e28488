"""What stands beside a name and is no figure: another name, a date, "no longer active"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final
from weakref import WeakKeyDictionary

from agent.evidence.ground import Claim, Ground
from agent.evidence.lists import coordinated
from agent.evidence.rows.cells import Table
from agent.evidence.rows.dates import matches
from agent.evidence.rows.names import Name
from agent.evidence.scenes import Scene
from agent.evidence.text.mentions import Form
from agent.evidence.text.nouns import name_concepts, name_words

_BELONGS: Final = re.compile(
    r"(?:'s?)?\s*(?:[(:–—-]|,(?= (?:who|which|a|the)\b))?\s*"
    r"(?:(?:is|was|has|have|had|works?|working|based|lives?|living|located|sits?|comes?|"
    r"belongs?|stays?|resides?|rated|managed|runs?|manages|directed|a|an|the|of|in|at|from|for|to|"
    r"with|by|under|who|which|staff|store|id|no\.?|number|customer|film|member|manager|artist|"
    r"track|album|invoice|city|country|employee|category|rating|language|actor|genre|shop|branch)"
    r"[\s:#]+){0,5}#?",
    re.IGNORECASE,
)
_FIELD: Final = re.compile(r",\s*([a-z][a-z_ ]*[a-z])[\s:]+", re.IGNORECASE)
_ASIDE: Final = re.compile(r"\s*\([^()]*,\s*(?:(?:from|in|the|a|by)\s+)*", re.IGNORECASE)
_LISTED: Final = re.compile(r",\s*(?:(?:from|in|of|at|store|staff|id|rated|a|an|the)[\s:#]+){0,3}")
_NO_NAME: Final = frozenset(("is", "has", "was", "are", "bool", "flag"))
_SAID_OF: Final = re.compile(
    r"(?:\s*\([^()]*\))?(?: (?:is|was|are) (?:not |still )?(?:an? )?[a-z]+,? (?:but|and|yet))?"
    r"\s*(?:,|\(|–|—|-|:)?\s*(?:(?:is|was|who|are|has been|remains?|still|also|"
    r"currently|now|who's|marked|flagged|listed|as|the only|an?|works?)\s+){0,4}",
    re.IGNORECASE,
)
_SAID_BEHIND: Final = re.compile(
    r"\s*(?:\w+\s+){0,3}?(?:(?:is|are|was|were|being|namely)\s+|[:–—(-]\s*)", re.IGNORECASE
)
_SAYS: Final = dict.fromkeys(("yes", "true", "y", "✓", "✔", "✅"), True) | dict.fromkeys(
    ("no", "false", "n", "✗", "✘", "❌"), False
)
_BUT: Final = re.compile(
    r"\b(?:but|except(?: for)?|besides|apart from|other than|unlike|excluding|not)\s*(?:the )?$",
    re.IGNORECASE,
)


def fact_faults(scene: Scene, claims: Sequence[Claim], ground: Ground) -> Iterator[str]:
    """Yield what a passage says of a name and the rows say of another one."""
    runs = _runs(scene)
    yield from _apart(runs, scene, ground)
    yield from _flags(runs, scene, ground)
    yield from (fault for claim in claims if (fault := _date_fault(claim, ground)))


Run = tuple[Name, ...]
"""Names that stand right behind each other: a first and a last name."""


def _runs(scene: Scene) -> list[Run]:
    names = [n for n in scene.pointing if n.dimension[0] == "label" and n.has_rows]
    runs: list[Run] = []
    for name in names:
        is_next = runs and not scene.text[runs[-1][-1].end : name.start].strip()
        if is_next and runs[-1][-1].dimension != name.dimension and not name.moment:
            runs[-1] = (*runs[-1], name)
        else:
            runs.append((name,))
    return runs


def _rows(run: Run, table: Table) -> frozenset[int]:
    """Return the rows of a result that all names of a run mean."""
    known = [rows for name in run if (rows := name.rows(table.number))]
    return frozenset.intersection(*known) if known else frozenset()


def _said(run: Run, scene: Scene) -> str:
    return scene.text[run[0].start : run[-1].end]


def _apart(runs: Sequence[Run], scene: Scene, ground: Ground) -> Iterator[str]:
    """See to "Jonas Petersen (staff 2)": both names must mean the same row."""
    is_joined = False
    for one, other in pairwise(runs):
        gap = scene.text[one[-1].end : other[0].start]
        is_list = re.match(r",? and |, ", scene.text[other[-1].end :]) is not None
        may_list = not is_joined and not is_list and not _said(one, scene).isdigit()
        is_joined = _belongs(gap, other[0], may_list=may_list)
        is_alone = all(_is_alone(run, scene) for run in (one, other))
        if not is_joined or not is_alone or _are_of_a_kind(one, other, scene, ground):
            continue
        shared = [
            _rows(one, table) & _rows(other, table)
            for table in ground.tables
            if _rows(one, table) and _rows(other, table)
        ]
        if shared and not any(shared):
            yield (
                f"“{_said(other, scene)}” stands beside {_said(one, scene)}, but no row has both."
            )


def _are_of_a_kind(one: Run, other: Run, scene: Scene, ground: Ground) -> bool:
    """Whether two names stand in one column, of whatever result: a list, no statement."""
    if {n.dimension for n in one} & {n.dimension for n in other}:
        return True
    return any(
        _stands_in(_said(run, scene).lower(), {n.dimension[1] for n in kin}, table)
        for run, kin in ((one, other), (other, one))
        for table in ground.tables
    )


_TEXTS: Final[WeakKeyDictionary[Table, dict[int, str]]] = WeakKeyDictionary()
"""The texts of columns in lower case, as far as they were asked for."""


def _stands_in(said: str, columns: set[str], table: Table) -> bool:
    if table not in _TEXTS:
        _TEXTS[table] = {}
    known = _TEXTS[table]
    kept = [c for c, one in enumerate(table.result.columns) if one.name.lower() in columns]
    for column in kept:
        if column not in known:
            cells = (row[column] for row in table.rows)
            known[column] = "\n".join(cell.lower() for cell in cells if isinstance(cell, str))
    return any(said in known[column] for column in kept)


def _belongs(gap: str, name: Name, *, may_list: bool) -> bool:
    """Whether the words between two names say the one of the other."""
    match = _FIELD.fullmatch(gap)
    if match is not None and name_concepts(match[1]) == name_concepts(name.dimension[1]):
        return True  # "id 42, name Laura Nguyen"
    listed = may_list and _LISTED.fullmatch(gap)
    return bool(_BELONGS.fullmatch(gap) or _ASIDE.fullmatch(gap) or listed)


def _is_alone(run: Run, scene: Scene) -> bool:
    """Whether a run must mean its rows, and is no part of a list."""
    names = scene.pointing
    same = [len(coordinated(names, names.index(name), scene.text)) == 1 for name in run]
    return all(same) and all(name.is_sure for name in run)


def _flags(runs: Sequence[Run], scene: Scene, ground: Ground) -> Iterator[str]:
    """See to "no longer active: Tiago Simões": the flag of the row must say so."""
    for table in ground.tables if runs else ():
        for column, one in enumerate(table.result.columns):
            words = [w.removesuffix("bool") for w in name_words(one.name) if w not in _NO_NAME]
            is_flag = one.type_name in ("bool", "boolean") and len(table.rows) > 1
            is_flag = is_flag and not _is_filter(words, table)
            for match in _flag(words).finditer(scene.text) if is_flag and all(words) else ():
                says = bool(match["not"]) == bool(match["un"])
                run = _subject(match, runs, scene)
                if run and {table.rows[row][column] for row in _rows(run, table)} == {not says}:
                    yield f"The answer calls {_said(run, scene)} “{match[0]}”; the rows do not."


def row_faults(scene: Scene, ground: Ground) -> Iterator[str]:
    """Yield the flags in a row of a table that its name does not have: "| Antje | no |"."""
    runs = _runs(scene)
    for head, (start, end) in zip(scene.passage.heads, scene.passage.spans, strict=False):
        says = _SAYS.get(scene.text[start:end].strip().lower())
        for table in ground.tables if says is not None else ():
            rows = [rows for run in runs if (rows := _rows(run, table))]
            own = frozenset.intersection(*rows) if rows else frozenset()
            for column, one in enumerate(table.result.columns):
                is_flag = one.type_name in ("bool", "boolean") and _is_head(head, one.name)
                if is_flag and own and {table.rows[row][column] for row in own} == {not says}:
                    yield f"The table says “{scene.text[start:end]}” for {head}; the rows do not."


def _is_head(head: str, name: str) -> bool:
    said, words = name_words(head), [w for w in name_words(name) if w not in _NO_NAME]
    return bool(words) and {w.removesuffix("bool") for w in words} <= set(said) | {""}


def _is_filter(words: Sequence[str], table: Table) -> bool:
    """Whether the query chooses rows by something of that name, which may not be the flag."""
    said = {word for one in table.statement.filters for word in one.column.split()}
    said |= {
        w for c in table.result.columns if c.type_name[:3] == "int" for w in name_words(c.name)
    }
    return not said.isdisjoint(words)


def _flag(words: Sequence[str]) -> re.Pattern[str]:
    said = r"[ -]".join(map(re.escape, words))
    return re.compile(
        r"(?P<not>\b(?:not|no longer|never|isn't|aren't|wasn't)\s+(?:\w+\s+)?)?"
        rf"\b(?P<un>in|un|non-?)?{said}(?:ly|s)?\b",
        re.IGNORECASE,
    )


def _subject(match: re.Match[str], runs: Sequence[Run], scene: Scene) -> Run:
    """Return the name that a flag is said of; none where that is unclear."""
    text = scene.text
    before = [run for run in runs if run[-1].end <= match.start()][-1:]
    for run in before:
        is_said = _SAID_OF.fullmatch(text[run[-1].end : match.start()])
        if is_said and not _BUT.search(text[: run[0].start]):
            return run
    for run in [run for run in runs if run[0].start >= match.end()][:1]:
        if _SAID_BEHIND.fullmatch(text[match.end() : run[0].start]):
            return run
    return ()


def _date_fault(claim: Claim, ground: Ground) -> str:
    """See to a day that other rows have than those of the name beside it."""
    moment = claim.mention.moment
    if claim.mention.form is not Form.MOMENT or moment is None or moment.month is None:
        return ""
    beside = ground.scene_of(claim).pointing  # what "it" stands for may be left behind
    named = [n for group in claim.groups for n in group if n in beside]
    names = [n for n in named if n.dimension[0] == "label" and n.is_sure]
    for table in ground.tables:
        known = [rows for name in names if (rows := name.rows(table.number))]
        own = frozenset.intersection(*known) if known else frozenset()
        if not own or len(own) == len(table.rows):
            continue
        readings = [m.parts() for m in (moment, *moment.either)]
        months = {reading.get("month") for reading in readings}
        having = {
            row
            for moments in table.moments.values()
            for row, cell in enumerate(moments)
            if cell is not None and cell.month in months
            if any(matches(wanted, cell.all_parts()) for wanted in readings)
        }
        is_known = any(
            moments[row] is not None for moments in table.moments.values() for row in own
        )
        if having and is_known and not own & having:
            return f"“{claim.mention.text}” stands beside {names[0].text}, which has another date."
    return ""
