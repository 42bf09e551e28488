"""Rows that come several times in a list, because of a join to something that the list leaves out.

Two payments of the same amount are two rows that look alike, and rightly so; a film that is there
once for each of its discs is a list that nobody asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from agent.audit.ctes import has_aggregate
from agent.audit.grain import Grain, grain_of
from agent.audit.probes import Probes
from agent.audit.reading import Query
from agent.audit.repetition import count_repetitions
from agent.audit.wording import sources_in_words
from agent.messages import AuditNote, NoteKind, QueryResult


def find_duplicates(result: QueryResult, query: Query, probes: Probes) -> Iterator[AuditNote]:
    """Yield a note where rows come again because of a join. Raises `DatabaseUnavailable`."""
    if len(set(result.rows)) == len(result.rows):
        return
    scope = next((each for each in query.scopes() if each.expression is query.tree), None)
    if scope is None or len(scope.selected_sources) < 2 or not _is_plain_list(query.tree):
        return
    grain = grain_of(scope, query.tables)
    if grain is None:
        return
    shown = _sources(scope, query.tree.expressions)
    followers = grain.follow_from(shown)
    order = query.tree.args.get("order")
    if (
        not shown
        or len(followers) == len(grain.keys)
        or (order and _sources(scope, [order]) - followers)
    ):
        return  # ordered by what is not shown, the list is one of those other things
    wanted = (shown, "")
    count = count_repetitions(scope, query.tables, [wanted], probes).get(wanted)
    if count is not None and count.is_repeated:
        yield _note(scope, grain, shown, grain.next_to(followers))


def _is_plain_list(select: exp.Expr) -> bool:
    if select.args.get("group") or select.args.get("distinct"):
        return False
    return not any(
        has_aggregate(each) or each.find(exp.Window) for each in select.args["expressions"]
    )


def _sources(scope: Scope, expressions: list[exp.Expr]) -> frozenset[str]:
    return frozenset(
        column.table
        for each in expressions
        for column in each.find_all(exp.Column)
        if column.table in scope.selected_sources
    )


def _note(scope: Scope, grain: Grain, shown: frozenset[str], others: list[str]) -> AuditNote:
    main = [alias for alias in shown if shown <= grain.follow_from([alias])] or sorted(shown)
    return AuditNote(
        NoteKind.DUPLICATES,
        f"Some rows are there several times, because each row of "
        f"{sources_in_words(scope, main[:1])} is joined to several rows of "
        f"{sources_in_words(scope, others)}.",
        "Use SELECT DISTINCT, or EXISTS in place of the join, if each is to be there once.",
    )
