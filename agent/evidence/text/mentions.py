"""The figures of a passage: where they stand, how they are written, what they allow."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from agent.evidence.text.hedges import Hedge, Range
from agent.evidence.text.moments import Moment


class Form(StrEnum):
    """What a figure is, as it is written."""

    NUMBER = "number"
    PERCENT = "percent"
    POINTS = "percentage points"
    ORDINAL = "ordinal"
    PART = "part"
    """A fraction in words: "a third", "one in five"."""
    TIMES = "times"
    """A multiple: "twice", "three times as many"."""
    MOMENT = "moment"
    TIME = "length of time"


@dataclass(frozen=True)
class Mention:
    """A figure in a passage."""

    text: str
    start: int
    """Where the figure begins, its hedge included."""
    end: int
    form: Form
    value: Decimal = Decimal(0)
    ranges: tuple[Range, ...] = ()
    """The true values that it allows; in percent, not as a fraction, for PERCENT and PART."""
    rough: tuple[Range, ...] = ()
    """The same, where trailing zeros may be rounding: "67,000"."""
    hedge: Hedge = Hedge.PLAIN
    currency: str = ""
    unit: str = ""
    """Of a length of time: "minute"; its `ranges` count in it."""
    nouns: tuple[str, ...] = ()
    """The concepts of the words right after it: "600 registered customers"."""
    prep_nouns: tuple[str, ...] = ()
    """The same behind "in" or "of": "9,000 in revenue", "12 of the rentals"."""
    sign: int = 0
    """-1 or +1 where one is written."""
    is_word: bool = False
    in_brackets: bool = False
    digits: int = 0
    """How many significant digits it has."""
    moment: Moment | None = None
    is_adjective: bool = False
    """Part of a compound: "a 120-minute film"."""

    @property
    def written(self) -> int:
        """How many digits are written from the first that is not a zero: 3 for "9.00"."""
        return len("".join(c for c in self.text if c.isdigit()).lstrip("0"))

    @property
    def noun(self) -> str:
        return self.nouns[0] if self.nouns else ""
