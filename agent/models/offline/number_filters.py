"""Numbers that a question names become conditions on the columns that hold them."""

from __future__ import annotations

from typing import Final

from agent.models.offline.atlas import Atlas
from agent.models.offline.draft import Compare, RowNumber
from agent.models.offline.figures import is_money, unit_of
from agent.models.offline.frame import Test, Unclear
from agent.models.offline.probes import quote
from agent.models.offline.reading import name_words
from agent.models.offline.thesaurus import CONCEPTS, PRICE_WORDS
from agent.models.offline.value_filters import ValueFilters
from agent.models.offline.ways import plain

_SECONDS: Final = {"millisecond": 0.001, "second": 1, "minute": 60, "hour": 3600, "day": 86400}

OPS: Final = {
    ">": "more than",
    "<": "less than",
    ">=": "at least",
    "<=": "at most",
    "=": "exactly",
    "!=": "not",
    "between": "between",
}


class NumberFilters(ValueFilters):
    """Settles the conditions on numbers of one draft."""

    def compare_test(self, compare: Compare) -> Test:
        """Return the condition for a number; raises `Unclear` where its column is not clear."""
        near = self.near(compare.near) or self.subject
        place = self._compared_column(compare, near)
        if place is None:
            raise Unclear(
                f"I cannot tell what {OPS[compare.op]} {_plain_number(compare.number)} is about."
            )
        spot = self.places.spot(*place, near)
        if spot is None:
            raise Unclear(f"I see no way from {plain(self.places.root)} to {plain(place[0])}.")
        factor = self._factor(compare, *place)
        numbers = [compare.number, *([compare.upper] if compare.upper is not None else [])]
        literals = tuple(self._number_literal(n * factor, *place) for n in numbers)
        said = " and ".join(_plain_number(n * factor) for n in numbers)
        return Test(spot, compare.op, literals, words=f"{plain(place[1])} {OPS[compare.op]} {said}")

    def _number_literal(self, number: float, table: str, column: str) -> str:
        text = _plain_number(number)
        return text if self.atlas.is_numeric(table, column) else quote(text)

    def _compared_column(self, compare: Compare, near: str | None) -> tuple[str, str] | None:
        if compare.noun is not None:
            found = self.places.column(compare.noun, near, numeric=True)
            if found is not None:
                self._note_price(compare, *found)
                return found
            table = self.places.table_of(compare.noun)
            near = table or near
        tables = list(
            dict.fromkeys(
                t for t in (near, self.subject, self.places.root, *self.places.mentioned) if t
            )
        )
        for concept in _concepts(compare):
            for table in tables:
                if column := concept_column(self.atlas, table, concept, self.places.said):
                    self.places.note(
                        f"{'price' if concept == 'price' else concept} = {plain(table)}.{column}"
                    )
                    return table, column
        if not compare.unit or compare.unit == "money":
            for table in tables[:1]:
                if amount := self._only_number(table):
                    return table, amount
        return None

    def _note_price(self, compare: Compare, table: str, column: str) -> None:
        """Tell which of a row's prices was taken where "cost" alone does not say."""
        word = compare.noun.text.lower() if compare.noun is not None else ""
        if set(name_words(word)) & PRICE_WORDS and name_words(word) != name_words(column):
            self.places.note(f"{word} = {plain(table)}.{column}")

    def _only_number(self, table: str) -> str | None:
        columns = [
            name
            for name in self.atlas.tables[table].columns
            if self.atlas.is_numeric(table, name)
            and not self.atlas.is_key(table, name)
            and is_money(self.atlas, table, name)
        ]
        return columns[0] if len(columns) == 1 else None

    def _factor(self, compare: Compare, table: str, column: str) -> float:
        """Turn the person's unit into the column's: two hours are 120 minutes."""
        if compare.unit not in _SECONDS:
            return 1.0
        own = unit_of(self.atlas, table, column)
        if not own:
            if compare.unit != "minute":
                raise Unclear(
                    f"I do not know in which unit {plain(table)}.{column} is kept. Please "
                    "give the number as it stands there."
                )
            return 1.0
        return _SECONDS[compare.unit] / _SECONDS[own]

    def number_test(self, row: RowNumber) -> Test:
        """Return the condition for a row named by its number."""
        table = self.places.table_of(row.noun)
        if table is None:
            raise Unclear(
                f"I cannot tell which row “{row.noun.text} {_plain_number(row.numbers[0])}” is."
            )
        identity = self.atlas.identity(table)
        if len(identity) != 1:
            raise Unclear(f"The rows of {plain(table)} have no single number to find them by.")
        spot = self.places.spot(table, identity[0])
        if spot is None:
            raise Unclear(f"I see no way from {plain(self.places.root)} to {plain(table)}.")
        numbers = [_plain_number(n) for n in row.numbers]
        literals = tuple(
            n
            if self.atlas.is_numeric(table, identity[0]) or not self.atlas.tables[table].complete
            else quote(n)
            for n in numbers
        )
        words = f"{plain(table)} {'is not' if row.negated else 'is'} {' or '.join(numbers)}"
        return Test(spot, "=", literals, row.negated, words)


def concept_column(
    atlas: Atlas, table: str, concept: str, said: frozenset[str] = frozenset()
) -> str | None:
    """Return the column of `table` that an adjective such as "longest" is about.

    Where several are, one whose other words were `said` goes first: most expensive to *replace*.
    """
    wanted = CONCEPTS.get(concept, (concept,))
    roots = [name_words(word)[0] for word in wanted]
    found: list[tuple[bool, int, str]] = []
    for column in atlas.tables[table].columns:
        words = name_words(column)
        if atlas.is_key(table, column) or not (
            atlas.is_numeric(table, column) or not atlas.tables[table].complete
        ):
            continue
        place = next((n for n, root in enumerate(roots) if root in words), None)
        if place is not None:
            exact = len(words) == 1 and place == 0
            found.append((not exact and not (set(words) - set(roots)) & said, place, column))
    if found:
        return min(found, key=lambda f: f[:2])[2]
    for column in atlas.tables[table].columns:
        first = name_words(atlas.column(table, column).comment.split(" ")[0] or "x")
        if first[:1] == name_words(concept) and atlas.is_numeric(table, column):
            return column
    return None


def _concepts(compare: Compare) -> tuple[str, ...]:
    if compare.concept:
        return (compare.concept,)
    if compare.unit in _SECONDS:
        return ("length",)
    if compare.unit == "money" or (
        compare.noun and set(name_words(compare.noun.text)) & PRICE_WORDS
    ):
        return ("price",)
    return ()


def _plain_number(number: float) -> str:
    return str(int(number)) if number == int(number) else repr(number)
