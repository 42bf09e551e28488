"""What a question says, before its names are settled: the parts that follow-ups may change."""

from __future__ import annotations

from dataclasses import dataclass

from agent.models.offline.link import Link
from agent.models.offline.periods import Period


@dataclass(frozen=True)
class Noun:
    """A phrase that names a table, a column or money; `links` are its readings, the best first."""

    text: str
    links: tuple[Link, ...]
    plural: bool = False
    verb: bool = False

    @property
    def best(self) -> Link:
        return self.links[0]

    def has(self, kind: str, at_least: float = 0.0) -> bool:
        """Whether one of its readings is of `kind`."""
        return any(link.kind == kind and link.score >= at_least for link in self.links)

    @property
    def kind(self) -> str:
        """The kind of its best reading."""
        return self.best.kind


@dataclass(frozen=True)
class Asked:
    """A figure that is asked for. `agg` is "count", "sum", …, or "" where the noun decides."""

    agg: str
    noun: Noun | None = None
    distinct: bool = False
    concept: str = ""
    """What an adjective is about, where `noun` names only whose: the longest films on average."""
    outer: str = ""
    """An aggregate over the groups' figures: the average number of rentals per customer."""


@dataclass(frozen=True)
class GroupBy:
    """What to group by: a noun, or a unit of time."""

    noun: Noun | None = None
    grain: str = ""
    plural: bool = False
    each: bool = False
    """Said with "per" or "each", not "by"."""


@dataclass(frozen=True)
class ValueCond:
    """A value that is looked for; any of `phrases`, which are as the person wrote them."""

    phrases: tuple[str, ...]
    hint: Noun | None = None
    near: Noun | None = None
    negated: bool = False
    every: bool = False
    """All of the phrases, not any of them."""
    inside: bool = False
    """Said of what must not be there: who never rented a *Horror* film."""
    by: bool = False
    """Said with "by": whose deed or work it is."""
    owned: bool = False
    """A follow-up named with it, as `near`, what it is said of: at the Porto *store*."""
    turn: int = 0
    """In which of a thread's messages it was said."""
    swaps: bool = False
    """Said with "what about" or "instead": it takes the place of an earlier value."""


@dataclass(frozen=True)
class Compare:
    """A number that a column is compared with; `concept` where only an adjective says which."""

    op: str
    number: float
    upper: float | None = None
    noun: Noun | None = None
    concept: str = ""
    unit: str = ""
    near: Noun | None = None
    behind: bool = False
    """The noun stands behind the number: more than 1000 *slots*."""
    measure: Asked | None = None
    """Set where a figure per group is compared, not a column: more than 30 rentals."""


@dataclass(frozen=True)
class Like:
    """A piece of text that a column contains, starts or ends with."""

    how: str
    text: str
    noun: Noun | None = None
    near: Noun | None = None
    negated: bool = False


@dataclass(frozen=True)
class Missing:
    """Rows or values that are not there ("never rented"), or, not `negated`, that must be."""

    noun: Noun
    near: Noun | None = None
    negated: bool = True
    whole: bool = False
    """The column as such is empty or not ("length is unknown"), no adjective is meant."""


@dataclass(frozen=True)
class RowNumber:
    """A row named by its number: store 1, customer 148."""

    noun: Noun
    numbers: tuple[float, ...]
    negated: bool = False


@dataclass(frozen=True)
class Rank:
    """The order of an answer: by a figure, a column, or what an adjective is about."""

    desc: bool = True
    asked: Asked | None = None
    noun: Noun | None = None
    concept: str = ""
    limit: int | None = None
    resort: Noun | None = None
    """What the rows that the limit leaves are put in order by."""
    superlative: bool = True
    """Whether only the top is asked for, not merely an order."""
    plural: bool = False


@dataclass(frozen=True)
class Draft:
    """A question in parts."""

    text: str = ""
    asked: tuple[Asked, ...] = ()
    subject: Noun | None = None
    which: bool = False
    when: bool = False
    person: bool = False
    """The question is "who"."""
    show: tuple[Noun, ...] = ()
    groups: tuple[GroupBy, ...] = ()
    values: tuple[ValueCond, ...] = ()
    compares: tuple[Compare, ...] = ()
    likes: tuple[Like, ...] = ()
    missing: tuple[Missing, ...] = ()
    row_numbers: tuple[RowNumber, ...] = ()
    mentions: tuple[Noun, ...] = ()
    periods: tuple[Period, ...] = ()
    period_near: Noun | None = None
    period_inside: bool = False
    rank: Rank | None = None
    order_by_label: bool = False
    share: bool = False
    base_periods: int = 0
    base_values: int = 0
    """How many of `values` stand before the verb, and so belong to the whole of a share."""
    chart: str = ""
    no_chart: bool = False
    exists: bool = False
    distinct: bool = False
    compare: bool = False
    unread: tuple[str, ...] = ()
    """Words that were not understood."""
    replies: tuple[str, ...] = ()
    """Answers to questions that were asked back."""
    named: Rank | None = None
    """What a reply counts to rank by; its table is not looked up before it is needed."""
    over_time: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing to ask for was said at all."""
        return not (self.asked or self.subject or self.show or self.person)
