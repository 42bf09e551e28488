"""A question with every name settled: what SQL is written from, and what the answer says."""

from __future__ import annotations

from dataclasses import dataclass, field

from agent.models.offline.atlas import Step

Path = tuple[Step, ...]


class Unclear(Exception):
    """The question cannot be read without a guess: ask this back, with these options."""

    def __init__(self, question: str, options: tuple[str, ...] = ()) -> None:
        super().__init__(question)
        self.question = question
        self.options = options


class SchemaNeeded(Exception):
    """A reading depends on tables of which only the name is known: read their schemas first."""

    def __init__(self, tables: tuple[str, ...]) -> None:
        super().__init__(", ".join(tables))
        self.tables = tables


class CheckNeeded(Exception):
    """The data must be asked which of several readings hold: run `sql` first."""

    def __init__(self, sql: str, begin: str, vias: frozenset[str]) -> None:
        super().__init__(sql)
        self.sql = sql
        self.begin = begin
        self.vias = vias


@dataclass(frozen=True)
class Spot:
    """A column of a table that `path` leads to from the root."""

    path: Path
    table: str
    column: str
    label: str = ""
    """What the answer calls it, where that is not the column's own name."""


@dataclass(frozen=True)
class Figure:
    """A number to work out. No `spot` means rows; `factors` are columns to multiply."""

    agg: str
    table: str
    spot: Spot | None = None
    distinct: bool = False
    factors: tuple[Spot, ...] = ()
    discount: Spot | None = None
    label: str = ""
    words: str = ""
    money: bool = False
    unit: str = ""
    currency: str = ""
    """The sign of the currency, where a comment tells it."""
    outer: str = ""


@dataclass(frozen=True)
class Dimension:
    """What the answer is split by: an entity, a column's values, or a unit of time."""

    path: Path
    table: str
    columns: tuple[str, ...]
    identity: tuple[str, ...] = ()
    grain: str = ""
    label: str = ""
    words: str = ""


@dataclass(frozen=True)
class Test:
    """A condition on one column. `values` are SQL literals; `words` say it to a person."""

    spot: Spot
    op: str
    values: tuple[str, ...] = ()
    negated: bool = False
    words: str = ""
    either: int = 0
    """Tests of one non-zero number are alternatives: any of them will do."""


@dataclass(frozen=True)
class Presence:
    """Rows along `path` that must exist, or, `negated`, must not; `tests` say which rows."""

    path: Path
    tests: tuple[Test, ...] = ()
    negated: bool = True
    words: str = ""


@dataclass(frozen=True)
class GroupTest:
    """A figure per row of the entity at `path` (from the root) that is compared with a number."""

    path: Path
    table: str
    figure: Figure
    back: Path
    """From the figure's table to the entity."""
    op: str
    number: float
    upper: float | None = None
    tests: tuple[Test, ...] = ()
    words: str = ""


@dataclass(frozen=True)
class Order:
    """What rows are ordered by: figure or dimension number `index`, or a column."""

    kind: str
    index: int = 0
    spot: Spot | None = None
    desc: bool = True
    unit: str = ""
    currency: str = ""


@dataclass(frozen=True)
class Frame:
    """A question that can be written as SQL."""

    root: str
    figures: tuple[Figure, ...] = ()
    dimensions: tuple[Dimension, ...] = ()
    shown: tuple[Spot, ...] = ()
    tests: tuple[Test, ...] = ()
    presences: tuple[Presence, ...] = ()
    group_tests: tuple[GroupTest, ...] = ()
    having: tuple[tuple[int, str, float, float | None], ...] = ()
    """Figure number, operator, number, upper number: compared after grouping."""
    order: tuple[Order, ...] = ()
    resort: Order | None = None
    """The order of the rows that the limit leaves, where it is another one."""
    limit: int | None = None
    exact: bool = False
    """The limit was said as a number: no more rows than that, even at a tie."""
    latest: str = ""
    """A query for the newest date there is, where the period is one that moves with today."""
    partition: int = 0
    """The limit holds within each value of this many leading dimensions."""
    share: str = ""
    part: tuple[Test, ...] = ()
    part_presences: tuple[Presence, ...] = ()
    distinct: bool = False
    exists: bool = False
    period: str = ""
    notes: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    """Sentences of the answer that tell how a misspelt value was read."""
    superlative: bool = False
    plural: bool = False
    chart: str = ""
    no_chart: bool = False
    """Said to be shown without one."""
    subject_words: str = ""
    tables: tuple[str, ...] = field(default=())
