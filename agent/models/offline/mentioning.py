"""What else a question mentions, and what that asks of the rows."""

from __future__ import annotations

from collections.abc import Sequence

from agent.models.offline.draft import Missing, Noun
from agent.models.offline.frame import Frame, Presence, Test, Unclear
from agent.models.offline.reading import name_words
from agent.models.offline.ways import plain, reaches_down
from agent.models.offline.work import Work


def mentioned_tests(work: Work, tests: Sequence[Test]) -> list[Test]:
    """Return the conditions that columns and roles ask for by being mentioned: … are active."""
    found: list[Test] = []
    said = [noun for noun in work.draft.show if is_said_of_rows(work, noun)]
    for noun in (*work.draft.mentions, *said):
        if noun.best.kind == "column" and not _is_used(work, noun, tests):
            predicate = _predicate(work, noun)
            found += [predicate] if predicate is not None else []
        elif noun.best.kind == "role":
            condition = work.filters.missing(Missing(noun, None, negated=False))
            found += [condition] if isinstance(condition, Test) else []
    return found


def mentioned_presences(
    work: Work, frame: Frame, tests: Sequence[Test], presences: Sequence[Presence]
) -> list[Presence]:
    """What else was mentioned must be there, where a row may well lack it: customers who rented."""
    if any(compare.measure for compare in work.draft.compares):
        return []
    used = _used_tables(work, frame, tests, presences)
    found: list[Presence] = []
    for noun in work.draft.mentions:
        object_of_not = not noun.verb and any(p.negated for p in presences)
        table = noun.best.table
        if noun.best.kind not in ("table", "event") or table in used or object_of_not:
            continue
        path = work.places.path(table)
        vague = not noun.verb and noun.best.score < 0.9
        if (path is None and not noun.verb) or (path and reaches_down(path) and vague):
            work.filters.unread.append(noun.text)
        elif path is not None and reaches_down(path):
            used |= {step.target for step in path}
            found.append(Presence(path, (), False, f"with {plain(table)}"))
    return found


def is_said_of_rows(work: Work, noun: Noun) -> bool:
    """Whether the one column that a list would show is what its rows did: which runs failed."""
    draft = work.draft
    alone = draft.subject is not None and draft.show == (noun,) and not draft.asked
    did = noun.text.lower().endswith("ed")
    return alone and did and work.atlas.is_boolean(noun.best.table, noun.best.column)


def _used_tables(
    work: Work, frame: Frame, tests: Sequence[Test], presences: Sequence[Presence]
) -> set[str]:
    used = {frame.root} | {d.table for d in frame.dimensions} | {f.table for f in frame.figures}
    paths = [t.spot.path for t in tests] + [p.path for p in presences]
    for path in (*paths, *(d.path for d in frame.dimensions)):
        used |= {step.target for step in path}
    measured = [c.measure for c in work.draft.compares if c.measure]
    return used | {measure.noun.best.table for measure in measured if measure.noun}


def _is_used(work: Work, noun: Noun, tests: Sequence[Test]) -> bool:
    """Whether a column that was mentioned already says which date, or which value, is meant."""
    draft = work.draft
    tested = {test.spot.table for test in tests}
    fitting = [v.hint for v in draft.values if v.hint and tested & {k.table for k in v.hint.links}]
    hints = [*fitting, *(c.noun for c in draft.compares), draft.period_near]
    shown = [link.column for figure in draft.asked if figure.noun for link in figure.noun.links]
    shown += [link.column for group in draft.groups if group.noun for link in group.noun.links]
    shown += [test.spot.column for test in tests]
    timed = bool(draft.periods or draft.over_time or any(group.grain for group in draft.groups))
    # Beside a period, "failed" may be a flag of the row: it is no date, so nothing has used it.
    is_flag = work.atlas.is_boolean(noun.best.table, noun.best.column)
    dated = not is_flag and (noun in hints or (timed and noun.verb))
    return dated or noun.best.column in shown


def _predicate(work: Work, noun: Noun) -> Test | None:
    """Read "… are active", "… were returned" as a condition; raises `Unclear` for other columns."""
    condition = work.filters.missing(Missing(noun, None, negated=False))
    if isinstance(condition, Test) and (condition.op in ("flag", "=") or noun.verb):
        return condition if _is_literal(noun, condition) else None
    raise Unclear(
        f"I cannot tell what “{noun.text}” is for in this question. Please put it differently."
    )


def _is_literal(noun: Noun, test: Test) -> bool:
    """Whether a verb is the column's own word, not merely one of like meaning."""
    words = set(name_words(noun.text)) | {w.removesuffix("bool") for w in name_words(noun.text)}
    return any(
        word in column or column.startswith(word)
        for word in words
        for column in name_words(test.spot.column)
    )
