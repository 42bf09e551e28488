"""A join that repeats rows, and a sum or count that takes them as if they came once.

The structure of the query says where that may be; whether rows really are repeated, the database
is asked. What remains is a choice: each row of a join may *mean* to take a value once more, as the
price of a film for each of its discs. See `_is_meant`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from agent.audit.grain import Grain, grain_of, grouped_by, refs
from agent.audit.learnt_keys import LearntKeys
from agent.audit.measures import Measure, measures
from agent.audit.probes import Probes
from agent.audit.reading import Query
from agent.audit.repetition import Combination, Count, count_repetitions
from agent.audit.wording import sources_in_words
from agent.messages import AuditNote, NoteKind

_PER_PIECE: Final = frozenset(
    [
        "price", "unitprice", "cost", "rate", "fee", "charge", "tariff", "fare", "wage", "length",
        "duration", "minutes", "hours", "weight", "size", "points",
    ]
)  # fmt: skip
"""Words for figures that hold for each piece, so that more pieces rightly make more of them."""
_TOTAL: Final = frozenset(["total", "sum", "amount", "subtotal", "overall"])
_FEW: Final = 1.1
"""So few repeated rows that the groups are to blame, and not the join."""
_WORD: Final = re.compile(r"[A-Z]?[a-z]+")


@dataclass(frozen=True)
class _Join:
    """One SELECT over several sources."""

    scope: Scope
    query: Query
    grain: Grain
    fixed: list[tuple[str, str]]

    @property
    def grains(self) -> list[str]:
        """The sources of which, by the keys, no row can come twice in a group."""
        return [alias for alias in self.grain.keys if self.grain.once([alias], self.fixed)]

    def others(self, measure: Measure) -> list[str]:
        """The sources that may repeat what the measure takes, those joined to it directly first."""
        followers = self.grain.follow_from(measure.sources, self.fixed)
        near = self.grain.next_to(followers)
        return [*near, *(each for each in self.grain.keys if each not in {*near, *followers})]

    def is_safe(self, measure: Measure) -> bool:
        """Whether, by the keys, nothing that the measure takes can come twice."""
        return (
            self.grain.once(measure.sources, self.fixed) if measure.sources else bool(self.grains)
        )


def find_fan_out(query: Query, probes: Probes, learnt: LearntKeys) -> Iterator[AuditNote]:
    """Yield a note for each SELECT whose sums or counts take rows several times.

    Raises `DatabaseUnavailable`.
    """
    for scope in query.scopes():
        if len(scope.selected_sources) < 2:
            continue
        grain = grain_of(scope, query.tables)
        if grain is None:
            continue
        join = _Join(scope, query, grain, refs(grouped_by(scope.expression)))
        doubtful = [each for each in dict.fromkeys(measures(scope)) if not join.is_safe(each)]
        if doubtful:
            join = _with_learnt_keys(join, doubtful, probes, learnt)
            doubtful = [each for each in doubtful if not join.is_safe(each)]
        if doubtful:
            yield from _verified(join, doubtful, probes)


def _with_learnt_keys(
    join: _Join, doubtful: list[Measure], probes: Probes, learnt: LearntKeys
) -> _Join:
    """Ask whether what the sources are joined by tells their rows apart, though no key says so."""
    starts = {each.sources or frozenset([_finest(join)]) for each in doubtful}
    nodes = {alias: source for alias, (_, source) in join.scope.selected_sources.items()}
    wanted = [
        (alias, table, key)
        for start in starts
        for alias, key in join.grain.tied_columns(start, join.fixed).items()
        if isinstance(node := nodes[alias], exp.Table)
        and (table := join.query.tables.find(node)) is not None
    ]
    found = learnt.learn(((table, key) for _, table, key in wanted), probes)
    keys = dict(join.grain.keys)
    for alias, table, key in wanted:
        if (table.name, key) in found:
            keys[alias] = (*keys[alias], key)
    return replace(join, grain=replace(join.grain, keys=keys))


def _finest(join: _Join) -> str:
    """Return the source from which most others follow."""
    return max(join.grain.keys, key=lambda alias: len(join.grain.follow_from([alias], join.fixed)))


def _verified(join: _Join, doubtful: list[Measure], probes: Probes) -> Iterator[AuditNote]:
    taken = [each for each in doubtful if each.sources]
    wanted: list[Combination] = [(each.sources, each.condition) for each in taken]
    if not join.grains:
        wanted += [(frozenset([alias]), "") for alias in join.grain.keys]
    wanted += [
        (each.sources | {alias}, each.condition) for each in taken for alias in join.others(each)
    ]
    counts = count_repetitions(join.scope, join.query.tables, wanted, probes)
    grains = join.grains or list(_grains(join, counts))
    for measure in doubtful:
        note = _judge(join, measure, counts, grains)
        if note is not None:
            yield note
            return  # one for a SELECT: the others have the same cause


def _grains(join: _Join, counts: Mapping[Combination, Count]) -> Iterator[str]:
    """Yield the sources of which no row does come twice, whatever the keys say."""
    for alias in join.grain.keys:
        count = counts.get((frozenset([alias]), ""))
        if count is not None and not count.is_repeated:
            yield alias


def _judge(
    join: _Join, measure: Measure, counts: Mapping[Combination, Count], grains: list[str]
) -> AuditNote | None:
    count = counts.get((measure.sources, measure.condition))
    if measure.sources and (count is None or not count.is_repeated):
        return None
    if count is not None and count.is_one_per_group:
        # The average of one and the same value is that value; its count is a count of rows.
        if measure.kind == "average":
            return None
        if measure.kind == "count":
            return None if grains else _mixed(join, counts)
    if not measure.sources:
        return None if grains or _pairs_are_meant(join) else _mixed(join, counts)
    return None if _is_meant(join, measure, grains) else _repeated(join, measure, counts, grains)


def _is_meant(join: _Join, measure: Measure, grains: list[str]) -> bool:
    """Whether the query means to take a value again for each row of its grain.

    "FROM inventory JOIN film" begins with what is counted and looks up the film of each disc, so
    an average over discs is one, and so is a sum of what each disc costs. "FROM film JOIN
    inventory" takes films and repeats them; the freight of an order is never that of its lines.
    """
    order = list(join.scope.selected_sources)
    first = min(order.index(alias) for alias in measure.sources)
    return _may_be_meant(join, measure) and any(order.index(alias) < first for alias in grains)


def _may_be_meant(join: _Join, measure: Measure) -> bool:
    if measure.is_distinct or measure.kind == "count":
        return False
    return measure.kind == "average" or (
        all(isinstance(join.scope.selected_sources[each][1], exp.Table) for each in measure.sources)
        and all(_is_per_piece(name) for name in measure.columns)
    )


def _is_per_piece(name: str) -> bool:
    words = {word.lower() for word in _WORD.findall(name)}
    return bool(words & _PER_PIECE) and not words & _TOTAL


def _pairs_are_meant(join: _Join) -> bool:
    """Whether rows are paired on purpose: those of one table, or by a comparison."""
    names = [
        (node.name, node.db) for node, _ in join.scope.selected_sources.values()
        if isinstance(node, exp.Table)
    ]  # fmt: skip
    compared = (exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NEQ, exp.Between)
    return len(set(names)) < len(names) or any(
        len({column.table for column in node.find_all(exp.Column)}) > 1
        for each in join.scope.expression.args.get("joins") or []
        for node in each.find_all(*compared)
    )


def _repeated(
    join: _Join, measure: Measure, counts: Mapping[Combination, Count], grains: list[str]
) -> AuditNote:
    alone = counts[measure.sources, measure.condition]
    others = join.others(measure)
    pairs = {each: counts.get((measure.sources | {each}, measure.condition)) for each in others}
    repeating = [each for each, pair in pairs.items() if pair and pair.once > alone.once]
    taken = sources_in_words(join.scope, measure.sources)
    text = (
        f"The rows of {taken} are counted several times, because each is joined to several rows "
        f"of {sources_in_words(join.scope, (repeating or others)[:1])}."
    )
    return AuditNote(NoteKind.FAN_OUT, text, " ".join(_hints(join, measure, alone, grains)))


def _hints(join: _Join, measure: Measure, count: Count, grains: list[str]) -> Iterator[str]:
    taken = sources_in_words(join.scope, measure.sources)
    if measure.kind == "count":
        yield f"Count DISTINCT keys of {taken}, or leave out the join."
    else:
        yield f"Aggregate {taken} in a subquery before the join, or leave out the join."
    if grains and _may_be_meant(join, measure):
        fine = sources_in_words(join.scope, grains[:1])
        yield f"If each row of {fine} is to count, begin with it: FROM {fine} JOIN {taken}."
    if grouped_by(join.scope.expression) and count.rows < _FEW * count.once:
        yield "Two things may share the name that the query groups by: group by a key as well."


def _mixed(join: _Join, counts: Mapping[Combination, Count]) -> AuditNote | None:
    """Return the note on rows that are counted though they stand for no one thing."""
    if not any(count.is_repeated for count in counts.values()):
        return None
    grain, fixed = join.grain, join.fixed
    closures = {alias: grain.follow_from([alias], fixed) for alias in grain.keys}
    finest = [
        alias
        for alias in closures
        if not any(
            alias in known and other not in closures[alias] for other, known in closures.items()
        )
    ]
    names = sources_in_words(join.scope, finest)
    return AuditNote(
        NoteKind.FAN_OUT,
        f"The rows of {names} are counted several times, because each row of one is joined to "
        "several of the other.",
        f"Count {names} in subqueries of their own, or use count(DISTINCT key).",
    )
