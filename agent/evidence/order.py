"""Claims about order: which is the highest, which is more than which, what rose and what fell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Final

from agent.evidence.binding import Scene, coordinated
from agent.evidence.cells import Table
from agent.evidence.columns import Holds
from agent.evidence.derived import is_series
from agent.evidence.ground import Claim, Ground
from agent.evidence.mentions import Form
from agent.evidence.names import Name
from agent.evidence.nouns import MONEY_NOUNS, concept, is_entity, name_words

_HIGH: Final = (
    r"(?:highest|most(?! of\b|ly\b| recent| other)|largest|biggest|greatest|busiest|strongest|top(?!-| \d| two| three| four| five| six| ten| \w+ (?:are|were))|"
    r"leads|leader|led|leading|number one|best(?!-)|longest|maximum|peak(?:ed|s)?|first place|ranks first|in front|ahead of (?:all|every))"
)
_LOW: Final = r"(?:lowest|least(?! \d)|fewest|smallest|weakest|shortest|quietest|slowest|minimum|bottom(?! \d)|last place|trough|brings? up the rear)"
_EXTREME: Final = re.compile(rf"\b(?:(?P<high>{_HIGH})|(?P<low>{_LOW}))\b", re.IGNORECASE)
_NOT_SO: Final = re.compile(
    r"\b(?:second|third|fourth|fifth|sixth|next|among|one of|not|n't|never|2nd|3rd|4th|at most|at least|almost|other|another|except|after|behind|"
    r"followed|nor|neither|than|runner-up|half of|if|would|does|did|why|two|three|both|each|former|per)\b|\?",
    re.IGNORECASE,
)
_BEHIND: Final = re.compile(
    r"[^,;.()]{0,60}?(?:\b(?:is|was|were|are|went to|goes to|belongs? to|came (?:in|from|on)|comes (?:in|from)|in|by|from|at|on|being|namely|of)\b|[:,(–—-])\s*(?:the |month of |with |in |on |by )*",
    re.IGNORECASE,
)
_MORE: Final = r"more|higher|larger|bigger|greater|longer|better|stronger|ahead of|above|outsold|outearned|beats?|exceed(?:s|ed)|outperform(?:s|ed)|surpass(?:es|ed)|overtook|tops|topped"
_LESS: Final = r"less|fewer|lower|smaller|shorter|weaker|behind|below|trails?|trailed|under"
_COMPARED: Final = re.compile(
    rf"(?P<gap>[^;.]{{0,70}}?)\b(?:(?P<more>{_MORE})|(?P<less>{_LESS}))\b(?P<rest>[^;.,]{{0,40}}?)",
    re.IGNORECASE,
)
_ROSE: Final = r"r[io]se|rises|risen|grew|grows|grown|increased?|increases|climbed|climbs|jumped|up|gained|improved|expanded|surged|soared|went up"
_FELL: Final = r"f[ae]ll|falls|fallen|declined?|declines|decreased?|decreases|dropped|drops|down|shrank|shrinks|slipped|dipped|slid|sank|lost|went down|contracted|plunged|slumped"
_TREND: Final = re.compile(rf"\b(?:(?P<rose>{_ROSE})|(?P<fell>{_FELL}))\b", re.IGNORECASE)


def order_faults(ground: Ground) -> Iterator[str]:
    """Yield what the draft says about order that the rows refute."""
    for number, scene in enumerate(ground.scenes):
        if scene.spans:
            continue
        yield from _extremes(scene, ground)
        yield from _comparisons(scene, ground)
        yield from _trends(number, scene, ground)
        yield from _parts(number, scene, ground)


def _parts(number: int, scene: Scene, ground: Ground) -> Iterator[str]:
    """See to "234 of 16,423": a part is no more than its whole."""
    claims = [c for c in ground.in_scene(number) if c.mention.form is Form.NUMBER]
    for first, second in zip(claims, claims[1:], strict=False):
        between = scene.text[first.mention.end : second.mention.start]
        if (
            re.fullmatch(r"\s*(?:out )?of (?:the |all |our )*", between)
            and first.mention.value > second.mention.value
        ):
            yield f"The answer says {first.mention.text} of {second.mention.text}, which is more than all."


def _single(name: Name, ground: Ground) -> Iterator[tuple[Table, int]]:
    """Yield the one row that a name means in each result of several rows."""
    for table in ground.tables:
        rows = name.rows(table.number)
        if len(rows) == 1 and len(table.rows) > 1:
            yield table, next(iter(rows))


def _extremes(scene: Scene, ground: Ground) -> Iterator[str]:
    names = [n for n in scene.names if n.is_sure and n.rows_anywhere()]
    for match in _EXTREME.finditer(scene.text):
        name = _subject(match, names, scene)
        if name is None:
            continue
        clause = _clause(scene.text, match)
        found = list(_single(name, ground))
        if found and not any(_is_extreme(table, row, match, clause) for table, row in found):
            word = match[0].lower()
            yield f"The answer calls {name.text} “{word}”, but the rows do not."


_STEP: Final = re.compile(
    r"\s+(?:monthly |yearly |year-on-year |relative |absolute |percentage |single |quarterly )*(?:(?P<up>gain|rise|increase|jump|growth|climb|improvement)|(?P<down>drop|fall|decline|decrease|dip|loss|slump))\b",
    re.IGNORECASE,
)


def _subject(match: re.Match[str], names: Sequence[Name], scene: Scene) -> Name | None:
    """Return the one name of which a word such as "highest" speaks; None where that is unclear."""
    text = scene.text
    if re.match(
        r"\s*(?:\d|two\b|three\b|four\b|five\b|six\b|seven\b|eight\b|ten\b)", text[match.end() :]
    ):
        return None
    before = [n for n in names if n.end <= match.start()]
    after = [n for n in names if n.start >= match.end()]
    labels = [n for n in before if n.dimension[0] == "label"]
    near = (labels or before)[-1:] if before else []
    if near and len(coordinated(names, names.index(near[0]), text)) == 1:
        gap = text[near[0].end : match.start()]
        if (
            len(gap) < 60
            and not _NOT_SO.search(gap)
            and not re.search(r"[;:()]|\. |, (?:the|with|while|but|and)\b", gap)
        ):
            return near[0]
    if after:
        gap = text[match.end() : after[0].start]
        lead = text[max(0, match.start() - 25) : match.start()]
        if (
            _BEHIND.fullmatch(gap)
            and not _NOT_SO.search(lead + gap)
            and len(coordinated(names, names.index(after[0]), text)) == 1
        ):
            if not near or re.search(r"[,;:.(]|^\s*$|\bthe\s*$", text[near[0].end : match.start()]):
                return after[0]
    return None


def _clause(text: str, match: re.Match[str]) -> str:
    start = max(text.rfind(mark, 0, match.start()) for mark in (";", ":", "(")) + 1
    end = min(
        (at for mark in (";", ",", "(", ":") if (at := text.find(mark, match.end())) >= 0),
        default=len(text),
    )
    return text[max(0, start) : end]


def _is_extreme(table: Table, row: int, match: re.Match[str], clause: str) -> bool:
    columns = _columns_said(table, clause, match)
    low = match["low"] is not None
    step = _STEP.match(match.string, match.end())
    if step is not None:
        columns = [c for c in columns if table.meanings[c].is_change] or [
            c for c in table.measures if table.meanings[c].is_change
        ]
        low = (step["down"] is not None) != low
    if low and table.is_cut:
        return True
    for column in columns:
        values = [v for v in table.numbers[column] if v is not None]
        own = table.numbers[column][row]
        if own is not None and own == (min(values) if low else max(values)):
            return True
        # Fewer is first for some: the top of a list of late returns may be the lowest.
        if (
            own is not None
            and row == 0
            and not low
            and match[0].lower() in ("best", "top", "leads", "leader")
        ):
            return True
    return not columns


def _columns_said(table: Table, clause: str, match: re.Match[str]) -> list[int]:
    """Return the measures that a superlative ranks by, from the words behind it, then before it."""
    word = match[0].lower()
    kind = Holds.TIME if word in ("longest", "shortest") else None
    before, _, after = clause.partition(match[0])
    named = _columns_of(table, after) if after else []
    if not named or len(named) == len(table.measures):
        named = _columns_of(table, " ".join(w for w in before.split() if not is_entity(concept(w))))
    of_kind = [c for c in named if table.meanings[c].holds is kind]
    return of_kind or (
        [c for c in table.measures if table.meanings[c].holds is kind] or named if kind else named
    )


def _columns_of(table: Table, clause: str) -> list[int]:
    """Return the measures that a clause is about; all of them where it does not say."""
    words = {concept(word) for word in re.findall(r"[^\W\d_]+", clause)}
    money = bool(words & MONEY_NOUNS) or re.search(
        r"\b(?:earn\w*|brought in|gross\w*|revenue)\b", clause, re.I
    )
    named = []
    for column in table.measures:
        meaning = table.meanings[column]
        is_said = bool(words & (meaning.words | meaning.nouns))
        if is_said or (money and meaning.holds is Holds.MONEY):
            named.append(column)
    rates = [c for c in named if table.meanings[c].holds is Holds.PERCENT]
    if rates and re.search(
        r"\b(?:rate|share|percent\w*|proportion|ratio|growth)\b|%", clause, re.IGNORECASE
    ):
        return rates
    return named or list(table.measures)


def _comparisons(scene: Scene, ground: Ground) -> Iterator[str]:
    names = [n for n in scene.names if n.is_sure and n.rows_anywhere()]
    for first, second in zip(names, names[1:], strict=False):
        if first.dimension != second.dimension or first.end > second.start:
            continue
        gap = scene.text[first.end : second.start]
        match = re.fullmatch(
            rf"(?P<gap>[^;.:]{{0,60}}?)\b(?:(?P<more>{_MORE})|(?P<less>{_LESS}))\b(?P<rest>(?:\s+[\w'-]+){{0,3}}?)\s*(?:\b(?:than|of)\b)?\s*(?:the |in |for |at )*",
            gap, re.IGNORECASE,
        )  # fmt: skip
        if (
            match is None
            or _NOT_SO.search(match["gap"])
            or re.search(r"\b(?:than|and)\b|,", match["gap"])
        ):
            continue
        if not re.search(r"\bthan\b", gap) and not re.search(
            r"\b(?:ahead of|behind|above|below|outsold|outearned|beats?|exceed|outperform|surpass|overtook|top|trail)",
            gap,
            re.I,
        ):
            continue
        says_more = match["more"] is not None
        if not any(
            _may_compare(first, second, says_more, table, scene.text) for table in ground.tables
        ) and _both_known(first, second, ground):
            yield f"The answer puts {first.text} {'above' if says_more else 'below'} {second.text}, but the rows say otherwise."


def _both_known(first: Name, second: Name, ground: Ground) -> bool:
    return any(len(first.rows(t.number)) == 1 == len(second.rows(t.number)) for t in ground.tables)


def _may_compare(first: Name, second: Name, says_more: bool, table: Table, text: str) -> bool:
    one, other = first.rows(table.number), second.rows(table.number)
    if len(one) != 1 or len(other) != 1:
        return False
    row, against = next(iter(one)), next(iter(other))
    for column in _columns_of(table, text):
        a, b = table.numbers[column][row], table.numbers[column][against]
        if a is not None and b is not None and (a > b if says_more else a < b):
            return True
    return False


def _trends(number: int, scene: Scene, ground: Ground) -> Iterator[str]:
    yield from _from_to(number, scene, ground)
    for match in _TREND.finditer(scene.text):
        if _NOT_SO.search(scene.text[max(0, match.start() - 20) : match.start()]):
            continue
        said = 1 if match["rose"] else -1
        moved = _movement(match, scene, ground)
        if moved and said not in moved and 0 not in moved:
            word = match[0].lower()
            yield f"The answer says “{word}”, but the rows go the other way."
            return


def _from_to(number: int, scene: Scene, ground: Ground) -> Iterator[str]:
    """See to "rose from 30,167 to 35,796": the figures themselves tell the direction."""
    claims = [
        c
        for c in ground.in_scene(number)
        if c.mention.form in (Form.NUMBER, Form.PERCENT, Form.TIME)
    ]
    for first, second in zip(claims, claims[1:], strict=False):
        between = scene.text[first.mention.end : second.mention.start]
        before = scene.text[max(0, first.mention.start - 60) : first.mention.start]
        if not re.search(r"\bfrom\s*(?:about |roughly )?$", before) or not re.search(
            r"\bto\s*(?:about |roughly |over |nearly )?$", between
        ):
            continue
        words = list(_TREND.finditer(before))
        if (
            not words
            or first.mention.form is not second.mention.form
            or _scale(first) == _scale(second)
        ):
            continue
        rises = _scale(first) < _scale(second)
        if (words[-1]["rose"] is not None) != rises:
            yield f"The answer says “{words[-1][0].lower()}” from {first.mention.text} to {second.mention.text}."


def _scale(claim: Claim) -> Decimal:
    return claim.mention.value


def _movement(match: re.Match[str], scene: Scene, ground: Ground) -> set[int]:
    """Return the directions in which what a verb speaks of may have gone; none where unclear."""
    text = scene.text
    before = [n for n in scene.names if n.end <= match.start() and n.is_sure]
    labels = [
        n for n in scene.names if n.dimension[0] == "label" and n.is_sure and n.rows_anywhere()
    ]
    times = [n for n in scene.names if n.dimension[0] == "time" and n.hits]
    found: set[int] = set()
    if len(labels) == 1 and labels[0] in before and len(text[labels[0].end : match.start()]) < 40:
        for table, row in _single(labels[0], ground):
            if not any(t.rows(table.number) for t in times):
                found |= _changes_in(table, row)
    if len(times) == 2 and not labels and times[0].start >= match.end():
        joined = re.fullmatch(
            r"\s*(?:to|and|through|-|–|until|into)\s*", text[times[0].end : times[1].start]
        )
        if joined and re.fullmatch(
            r"\s*(?:\w+ )?(?:from|between)\s*", text[match.end() : times[0].start]
        ):
            found |= _between_times(times, ground)
    if (
        len(times) == 1
        and not labels
        and re.match(r"\s*(?:in|during)\s*$", text[match.end() : times[0].start] or "x")
    ):
        found |= _against_before(times[0], ground)
    return found


def _changes_in(table: Table, row: int) -> set[int]:
    found = set()
    for column in table.measures:
        value = table.numbers[column][row]
        if table.meanings[column].is_change and value is not None:
            found.add((value > 0) - (value < 0))
    years = {
        c: y
        for c in table.measures
        for y in name_words(table.column_name(c))
        if re.fullmatch(r"(?:19|20)\d\d", y)
    }
    for first, second in combinations(sorted(years, key=lambda c: years[c]), 2):
        a, b = table.numbers[first][row], table.numbers[second][row]
        if (
            a is not None
            and b is not None
            and table.meanings[first].holds is table.meanings[second].holds
        ):
            found.add((b > a) - (b < a))
    return found


def _between_times(times: Sequence[Name], ground: Ground) -> set[int]:
    found = set()
    for table in ground.tables:
        rows = [n.rows(table.number) for n in times]
        if all(len(r) == 1 for r in rows) and is_series(table):
            first, last = sorted(next(iter(r)) for r in rows)
            for column in table.measures:
                a, b = table.numbers[column][first], table.numbers[column][last]
                if a is not None and b is not None:
                    found.add((b > a) - (b < a))
    return found


def _against_before(time: Name, ground: Ground) -> set[int]:
    found = set()
    for table in ground.tables:
        rows = time.rows(table.number)
        if len(rows) == 1 and is_series(table) and 0 not in rows:
            row = next(iter(rows))
            for column in table.measures:
                values = table.numbers[column]
                for earlier in {row - 1, row - 12} if row >= 12 else {row - 1}:
                    a, b = values[earlier], values[row]
                    if a is not None and b is not None:
                        found.add((b > a) - (b < a))
    return found
