"""What one row of a join stands for: which of its tables each row belongs to exactly once.

A source (a table, or a subquery) *follows from* others where these leave at most one of its rows:
some key of it is tied to their columns, to constants, or to what the query groups by. A source
from which all others follow is a grain of the join: no row of it comes twice in a group.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from agent.audit.ctes import has_aggregate
from agent.audit.reading import Tables, stored

ColumnRef = tuple[str, str]
"""The alias of a source, and the name of a column of it."""
Key = frozenset[str]
"""Columns of which no two rows of a source agree; empty for a source of one row."""


@dataclass(frozen=True)
class Grain:
    """The sources of one SELECT, and what its conditions say of them."""

    keys: Mapping[str, tuple[Key, ...]]
    """Alias -> the keys of that source; () where none is known."""
    ties: tuple[tuple[ColumnRef, frozenset[ColumnRef]], ...]
    """A column, and the columns that it can be told from; none where it is a constant."""

    def follow_from(
        self, aliases: Iterable[str], fixed: Iterable[ColumnRef] = ()
    ) -> frozenset[str]:
        """Return the sources that have at most one row for each row of the sources `aliases`
        (themselves too), where the columns `fixed` have one value."""
        return self._known(aliases, fixed)[0]

    def next_to(self, aliases: frozenset[str]) -> list[str]:
        """Return the other sources that a condition ties to the sources `aliases`; all others where
        none is."""
        others = [alias for alias in self.keys if alias not in aliases]
        tied = {
            end
            for column, needs in self.ties
            for need in needs
            for end, far in ((column[0], need[0]), (need[0], column[0]))
            if far in aliases
        }
        return [alias for alias in others if alias in tied] or others

    def tied_columns(
        self, aliases: Iterable[str], fixed: Iterable[ColumnRef] = ()
    ) -> dict[str, Key]:
        """Return the columns of the other sources that have one value for each row of `aliases`."""
        sources, columns = self._known(aliases, fixed)
        return {
            alias: frozenset(name for owner, name in columns if owner == alias)
            for alias in self.keys
            if alias not in sources
        }

    def is_told_by(self, column: ColumnRef, fixed: Iterable[ColumnRef]) -> bool:
        """Whether `column` has one value where the columns `fixed` have one."""
        sources, columns = self._known((), fixed)
        return column in columns or column[0] in sources

    def once(self, aliases: Iterable[str], fixed: Iterable[ColumnRef] = ()) -> bool:
        """Whether no combination of rows of `aliases` comes twice."""
        return len(self.follow_from(aliases, fixed)) == len(self.keys)

    def _known(
        self, aliases: Iterable[str], fixed: Iterable[ColumnRef]
    ) -> tuple[frozenset[str], set[ColumnRef]]:
        sources, columns = set(aliases), set(fixed)
        before = -1
        while before != len(sources) + len(columns):
            before = len(sources) + len(columns)
            columns.update(
                column
                for column, needs in self.ties
                if all(need in columns or need[0] in sources for need in needs)
            )
            sources.update(
                alias
                for alias, keys in self.keys.items()
                if any(all((alias, name) in columns for name in key) for key in keys)
            )
        return frozenset(sources), columns


def grain_of(scope: Scope, tables: Tables) -> Grain | None:
    """Return the grain of a SELECT; None where its joins say too little (NATURAL)."""
    joins = scope.expression.args.get("joins") or []
    if any(join.args.get("method") for join in joins):
        return None
    sources = {alias: source for alias, (_, source) in scope.selected_sources.items()}
    keys = {alias: keys_of(source, tables) for alias, source in sources.items()}
    return Grain(keys, tuple(_ties(scope.expression, frozenset(keys))))


def grouped_by(select: exp.Expr) -> tuple[exp.Expr, ...]:
    """Return what a SELECT groups by; () too where some of its rows stand for several groups."""
    group = select.args.get("group")
    if group is None or group.find(exp.Rollup, exp.Cube, exp.GroupingSets):
        return ()
    return tuple(group.expressions)


def refs(expressions: Iterable[exp.Expr]) -> list[ColumnRef]:
    """Return those of the expressions that are plain columns."""
    return [(each.table, each.name) for each in expressions if isinstance(each, exp.Column)]


def keys_of(source: exp.Expr | Scope, tables: Tables) -> tuple[Key, ...]:
    """Return the known keys of a table or a subquery."""
    if not isinstance(source, Scope):
        table = tables.find(source) if isinstance(source, exp.Table) else None
        if table is None:
            return ()
        known = [table.primary_key, *(key.target_columns for key in table.referenced_by)]
        return tuple(dict.fromkeys(frozenset(map(stored, key)) for key in known if key))
    if isinstance(source.expression, exp.Select):
        return tuple(_keys_of_select(source, source.expression, tables))
    lateral = source.expression.find(exp.Select)
    return (frozenset(),) if lateral is not None and _has_one_row(lateral) else ()


def _keys_of_select(scope: Scope, select: exp.Select, tables: Tables) -> Iterator[Key]:
    names = {each.unalias(): each.alias_or_name for each in select.selects}
    if _has_one_row(select):
        yield frozenset()
    distinct = select.args.get("distinct")
    if distinct is not None:
        on = distinct.args.get("on")
        yield from _named(on.expressions if on else names, names)
    grain = grain_of(scope, tables)
    if select.args.get("group") is not None:
        yield from _named(_fewest(grouped_by(select), grain), names)
    elif grain is not None:
        for alias, keys in grain.keys.items():
            if grain.once([alias]):
                for key in keys:
                    yield from _named([exp.column(name, alias, quoted=True) for name in key], names)


def _fewest(groups: tuple[exp.Expr, ...], grain: Grain | None) -> list[exp.Expr]:
    """Return enough of `groups` to tell the others: the key of a film, without its title."""
    kept = list(groups)
    if grain is None:
        return kept
    for group in reversed(groups):
        rest = [each for each in kept if each is not group]
        if isinstance(group, exp.Column) and grain.is_told_by(refs([group])[0], refs(rest)):
            kept = rest
    return kept


def _named(wanted: Iterable[exp.Expr], names: Mapping[exp.Expr, str]) -> Iterator[Key]:
    """Yield the key of the expressions, by the names that they have outside; all must have one."""
    found = [names.get(each) for each in wanted]
    if found and all(found):
        yield frozenset(name for name in found if name)


def _has_one_row(select: exp.Select) -> bool:
    limit = select.args.get("limit")
    count = limit and (limit.args.get("expression") or limit.args.get("count"))
    if isinstance(count, exp.Literal) and count.this == "1":
        return True
    return select.args.get("group") is None and any(map(has_aggregate, select.selects))


def _ties(
    select: exp.Expr, aliases: frozenset[str]
) -> Iterator[tuple[ColumnRef, frozenset[ColumnRef]]]:
    for condition in _conditions(select):
        if not isinstance(condition, exp.EQ):
            continue
        for side, other in ((condition.left, condition.right), (condition.right, condition.left)):
            side = side.unnest()
            if isinstance(side, exp.Column) and side.table in aliases:
                needs = refs(
                    column for column in other.find_all(exp.Column) if column.table in aliases
                )
                yield (side.table, side.name), frozenset(needs)


def _conditions(select: exp.Expr) -> Iterator[exp.Expr]:
    """Yield what holds in every row of a SELECT, as far as WHERE and ON say it."""
    where = select.args.get("where")
    if where is not None:
        yield from _and(where.this)
    for join in select.args.get("joins") or []:
        for condition in _and(join.args.get("on")):
            # The ON of an outer join says nothing of rows that it keeps either way.
            joined = {column.table for column in condition.find_all(exp.Column)}
            if not join.side or join.alias_or_name in joined:
                yield condition


def _and(condition: exp.Expr | None) -> Iterator[exp.Expr]:
    if condition is None:
        return
    condition = condition.unnest()
    if isinstance(condition, exp.And):
        yield from _and(condition.left)
        yield from _and(condition.right)
    else:
        yield condition
