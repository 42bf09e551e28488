"""The walk over a question's items: where it stands, and what it has gathered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.models.offline.draft import Draft, Noun
from agent.models.offline.item import Item

CONTENT = frozenset(
    {"noun", "num", "unknown", "quoted", "period", "grain", "count", "agg", "money"}
)


@dataclass
class Walk:
    """A position in the items and the parts found so far; thrown away with the question."""

    items: Sequence[Item]
    at: int = 0
    parts: dict[str, Any] = field(default_factory=dict)
    pending: str = ""
    """An aggregate that waits for its noun."""
    earlier: tuple[str, ...] = ()
    """Aggregates before the pending one: min, max and average length."""
    outer: str = ""
    distinct: bool = False
    negate: bool = False
    """A "not" that waits for the value or comparison it belongs to."""
    last_table: Noun | None = None
    last_noun: Noun | None = None
    last_kind: str = ""
    """The kind of item before, function words of no meaning left out."""

    def peek(self, ahead: int = 0) -> Item | None:
        """Return the item `ahead` of the position, or None past the end."""
        index = self.at + ahead
        return self.items[index] if 0 <= index < len(self.items) else None

    def kind(self, ahead: int = 0) -> str:
        """Return the kind of the item `ahead`, "" past the end."""
        item = self.peek(ahead)
        return item.kind if item is not None else ""

    def skip(self, *kinds: str) -> None:
        """Move past items of these kinds."""
        while self.kind() in kinds:
            self.at += 1

    def find(
        self, kinds: frozenset[str] | set[str], within: int = 4, over: Sequence[str] = ("prep",)
    ) -> int | None:
        """Return how far ahead an item of `kinds` stands, looking past items of kind `over`."""
        for ahead in range(within):
            kind = self.kind(ahead)
            if kind in kinds:
                return ahead
            if kind not in over:
                return None
        return None

    def add(self, name: str, value: Any) -> None:
        """Add to a tuple of the draft."""
        self.parts[name] = (*self.parts.get(name, ()), value)

    def put(self, name: str, value: Any) -> None:
        """Set a field of the draft."""
        self.parts[name] = value

    def get(self, name: str) -> Any:
        """Return a field of the draft as it is so far."""
        return self.parts.get(name, getattr(_EMPTY, name))

    @property
    def has_head(self) -> bool:
        """Whether it is known what is asked for."""
        return bool(self.get("subject") or self.get("asked") or self.get("show"))

    def unread(self, item: Item) -> None:
        """Note a word that could not be placed."""
        self.add("unread", item.text)

    def take_negation(self) -> bool:
        """Return whether a "not" waits, and let it wait no longer."""
        waits, self.negate = self.negate, False
        return waits

    def note_noun(self, noun: Noun) -> None:
        """Remember the noun that later words may lean on."""
        self.last_noun = noun
        if noun.kind in ("table", "event"):
            self.last_table = noun


_EMPTY = Draft()


def noun_of(item: Item) -> Noun:
    """Return the noun of a noun item."""
    return Noun(item.text, item.links, item.plural, item.verb)
