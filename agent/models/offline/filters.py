"""From what a question says of rows to conditions on columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agent.models.offline.atlas import Atlas, Step
from agent.models.offline.draft import Compare, Draft, Like, Missing, Noun, RowNumber, ValueCond
from agent.models.offline.figures import is_money, unit_of
from agent.models.offline.frame import Presence, Spot, Test, Unclear
from agent.models.offline.periods import Period
from agent.models.offline.places import Places, plain
from agent.models.offline.probes import quote
from agent.models.offline.reading import name_words, stem
from agent.models.offline.thesaurus import CONCEPTS, PRICE_WORDS
from agent.models.offline.tool_texts import KnownColumn
from agent.models.offline.values import Found, Values, hint_tables

_FAR: Final = float("inf")
_NO_COLUMN: Final = KnownColumn("")
_SECONDS: Final = {"millisecond": 0.001, "second": 1, "minute": 60, "hour": 3600, "day": 86400}
_OPS: Final = {
    ">": "more than",
    "<": "less than",
    ">=": "at least",
    "<=": "at most",
    "=": "exactly",
    "!=": "not",
    "between": "between",
}


class Filters:
    """Settles the conditions of one draft, seen from one root."""

    def __init__(self, draft: Draft, places: Places, values: Values, subject: str | None) -> None:
        self.draft = draft
        self.places = places
        self.atlas: Atlas = places.atlas
        self.values = values
        self.subject = subject
        self.unread: list[str] = []

    def near(self, noun: Noun | None) -> str | None:
        """Return the table that a condition was said of."""
        if noun is None:
            return None
        table = self.places.table_of(noun)
        return table if table in self.atlas.tables else None

    # --- values --------------------------------------------------------------

    def value_tests(self) -> list[tuple[ValueCond, Test]]:
        """Return the conditions on values, each with what it was made from."""
        tests: list[tuple[ValueCond, Test]] = []
        for cond in self.draft.values:
            tests += [(cond, test) for test in self._tests_of(cond)]
        return tests

    def _tests_of(self, cond: ValueCond) -> list[Test]:
        chosen: dict[tuple[str, str], list[str]] = {}
        for phrase in cond.phrases:
            for found, text in self.values.split(phrase):
                found = found or self._chosen_instead(text)
                best = self._best(found, cond, text) if found else None
                if best is None:
                    self._not_found(text, cond)
                    continue
                if not best.exact:
                    self.places.note(f"read “{text}” as “{best.value}”")
                chosen.setdefault((best.table, best.column), []).append(best.value)
        return [self._value_test(place, found, cond) for place, found in chosen.items()]

    def _chosen_instead(self, text: str) -> tuple[Found, ...]:
        """Return the value that the person chose when this one was not found."""
        options = self.values.closest(text)
        reply = self.places.reply(options) if options else None
        if reply is not None:
            return self.values.find(options[reply])
        said = (self.values.find(text) for text in reversed(self.draft.replies))
        return next((found for found in said if found), ())

    def _value_test(self, place: tuple[str, str], found: list[str], cond: ValueCond) -> Test:
        table, column = place
        spot = self._role_spot(table, column, cond) or self.places.spot(
            table, column, self.near(cond.near)
        )
        if spot is None:
            raise Unclear(f"I see no way from {plain(self.places.root)} to {plain(table)}.")
        literals = tuple(quote(value) for value in dict.fromkeys(found))
        said = " or ".join(dict.fromkeys(found))
        if self.atlas.tables[table].columns.get(column, _NO_COLUMN).type.endswith("[]"):
            return Test(
                spot,
                "array",
                literals,
                cond.negated,
                f"{_subject_words(table, column)} {'does not have' if cond.negated else 'has'} {said}",
            )
        return Test(
            spot,
            "=",
            literals,
            cond.negated,
            f"{_subject_words(table, column)} {'is not' if cond.negated else 'is'} {said}",
        )

    def _role_spot(self, table: str, column: str, cond: ValueCond) -> Spot | None:
        """Return the column at the far end of a key with a part: recommended by *Tim*."""
        link = next(
            (link for link in (cond.hint.links if cond.hint else ()) if link.kind == "role"), None
        )
        if link is None:
            return None
        key = next(
            k for k in self.atlas.keys if k.table == link.table and k.columns == (link.column,)
        )
        path = self.places.path(key.table)
        if key.target != table or path is None:
            return None
        return Spot((*path, Step(key.table, key.target, key, True)), table, column)

    def _best(self, found: Sequence[Found], cond: ValueCond, text: str) -> Found | None:
        scored = sorted(
            ((self._cost(f, cond), n, f) for n, f in enumerate(found)), key=lambda s: s[:2]
        )
        scored = [s for s in scored if s[0] < _FAR]
        if not scored:
            return None
        best = scored[0]
        ties = [f for cost, _, f in scored if cost - best[0] < 0.15]
        if len(ties) == 1:
            return ties[0]
        if len({(f.table, f.column) for f in ties}) == 1:
            if not best[2].exact or len({f.value for f in ties}) > 1:
                return self._ask_value(ties, text)
            return ties[0]
        return self._ask_value(ties, text)

    def _ask_value(self, ties: Sequence[Found], text: str) -> Found:
        options = tuple(f"{f.value} ({_subject_words(f.table, f.column)})" for f in ties[:5])
        reply = self.places.reply(options)
        if reply is not None:
            return ties[reply]
        raise Unclear(f"“{text}” stands in more than one place. Which one do you mean?", options)

    def _cost(self, found: Found, cond: ValueCond) -> float:
        near = self.near(cond.near)
        start = near or self.subject or self.places.root
        distance = self.atlas.distance(start, found.table, self.places.mentioned)
        if self.atlas.distance(self.places.root, found.table, self.places.mentioned) == _FAR:
            return _FAR
        cost = min(distance, 100.0) / 10
        hints = hint_tables(cond.hint)
        cost -= 5 * hints.get(found.table, 0.0)
        if cond.hint is not None and any(
            link.column == found.column and link.table == found.table for link in cond.hint.links
        ):
            cost -= 5
        if found.table in self.places.mentioned:
            cost -= 0.6
        label = "+".join(self.atlas.label(found.table))
        if (
            found.table == self.places.root
            and found.column == label
            and self._is_counted(found.table)
        ):
            cost += 3.0
        cost += 0.0 if found.column == label else 0.4
        if cond.by and found.column == label and found.table != self.places.root:
            cost -= 1.5
        if self.atlas.column(found.table, found.column).labels:
            cost -= 0.4
        return cost

    def _is_counted(self, table: str) -> bool:
        """Whether rows of `table` are what is counted or listed, so that no single one is meant."""
        counted = [a.noun for a in self.draft.asked if a.agg == "count" and a.noun]
        if self.draft.subject is not None and self.draft.subject.plural:
            counted.append(self.draft.subject)
        return any(noun.best.table == table for noun in counted)

    def _not_found(self, text: str, cond: ValueCond) -> None:
        if text.lower() not in (word.lower() for word in self.unread):
            self.unread.append(text)

    # --- numbers -------------------------------------------------------------

    def compare_test(self, compare: Compare) -> Test:
        """Return the condition for a number; raises `Unclear` where its column is not clear."""
        near = self.near(compare.near) or self.subject
        place = self._compared_column(compare, near)
        if place is None:
            raise Unclear(
                f"I cannot tell what {_OPS[compare.op]} {_plain_number(compare.number)} is about."
            )
        spot = self.places.spot(*place, near)
        if spot is None:
            raise Unclear(f"I see no way from {plain(self.places.root)} to {plain(place[0])}.")
        factor = self._factor(compare, *place)
        numbers = [compare.number, *([compare.upper] if compare.upper is not None else [])]
        literals = tuple(self._number_literal(n * factor, *place) for n in numbers)
        said = " and ".join(_plain_number(n * factor) for n in numbers)
        return Test(
            spot, compare.op, literals, words=f"{plain(place[1])} {_OPS[compare.op]} {said}"
        )

    def _number_literal(self, number: float, table: str, column: str) -> str:
        text = _plain_number(number)
        return text if self.atlas.is_numeric(table, column) else quote(text)

    def _compared_column(self, compare: Compare, near: str | None) -> tuple[str, str] | None:
        if compare.noun is not None:
            found = self.places.column(compare.noun, near, numeric=True)
            if found is not None:
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
                    f"I do not know in which unit {plain(table)}.{column} is kept. Please give the number as it stands there."
                )
            return 1.0
        return _SECONDS[compare.unit] / _SECONDS[own]

    # --- other conditions ----------------------------------------------------

    def like_test(self, like: Like) -> Test:
        """Return the condition for a piece of text."""
        near = self.near(like.near) or self.subject
        place = self.places.column(like.noun, near) if like.noun else None
        if place is None:
            table = near or self.places.root
            label = self.atlas.label(table)
            if len(label) != 1:
                raise Unclear(f"In which column shall I look for “{like.text}”?")
            place = (table, label[0])
        spot = self.places.spot(*place, near)
        if spot is None:
            raise Unclear(f"I see no way from {plain(self.places.root)} to {plain(place[0])}.")
        text = like.text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        pattern = {"contains": f"%{text}%", "starts": f"{text}%", "ends": f"%{text}"}[like.how]
        return Test(
            spot,
            "like",
            (quote(pattern),),
            like.negated,
            f"{plain(place[1])} {like.how.rstrip('s')}s {'with ' if like.how != 'contains' else ''}“{like.text}”",
        )

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
        return Test(spot, "=", literals, row.negated, f"{plain(table)} {' or '.join(numbers)}")

    def missing(self, missing: Missing) -> Test | Presence:
        """Return the condition for what must not, or must, be there."""
        near = self.near(missing.near) or self.subject
        if missing.noun.best.kind == "role":
            return self._role(missing)
        flag = self._flag(missing, near)
        if flag is not None:
            return flag
        table = self.places.table_of(missing.noun)
        if table is None:
            raise Unclear(f"I cannot tell what “{missing.noun.text}” is here.")
        if table == self.places.root:
            raise Unclear(f"I cannot read “{missing.noun.text}” here. Please put it differently.")
        path = self.places.path(table, near)
        if path is None:
            raise Unclear(f"I see no way from {plain(self.places.root)} to {plain(table)}.")
        return Presence(
            path, (), missing.negated, f"{'without' if missing.negated else 'with'} {plain(table)}"
        )

    def _role(self, missing: Missing) -> Test:
        link = missing.noun.best
        spot = self.places.spot(link.table, link.column)
        if spot is None:
            raise Unclear(f"I cannot tell what “{missing.noun.text}” is here.")
        said = missing.noun.text.lower()
        return Test(
            spot,
            "null",
            (),
            not missing.negated,
            f"{'without' if missing.negated else 'with'} {said}",
        )

    def _flag(self, missing: Missing, near: str | None) -> Test | None:
        """Read an adjective or participle as a column: active, returned, without an email."""
        links = [link for link in missing.noun.links if link.kind == "column"]
        if (
            not links
            or missing.noun.best.kind == "table"
            and missing.noun.best.score >= 0.9
            and links[0].score < 0.95
        ):
            return None
        noun = replace(missing.noun, links=tuple(links))
        nearest = min(
            links, key=lambda link: self.atlas.distance(near or self.places.root, link.table)
        ).table
        same = [link for link in links if link.table == nearest]
        if same[0].score >= links[0].score - 0.15:
            links = same
            noun = replace(noun, links=tuple(links))
        flags = tuple(link for link in links if self.atlas.is_boolean(link.table, link.column))
        said_first = [
            link
            for link in flags
            if "use this" in self.atlas.column(link.table, link.column).comment.lower()
        ]
        if said_first or (flags and flags[0].score >= links[0].score):
            noun = replace(noun, links=tuple(replace(f, score=1.0) for f in (said_first or flags)))
        elif missing.noun.verb:
            dated = [link for link in links if self.atlas.is_date(link.table, link.column)]
            noun = replace(noun, links=tuple(dated or links))
        place = self.places.column(noun, near)
        if place is None:
            return None
        spot = self.places.spot(*place, near)
        if spot is None:
            return None
        table, column = place
        words = f"{'not ' if missing.negated else ''}{plain(column)}"
        if missing.whole:
            said = f"{'no' if missing.negated else 'a'} {plain(column)}"
            return Test(spot, "null", (), not missing.negated, said)
        if self.atlas.is_boolean(table, column):
            return Test(spot, "flag", ("false" if missing.negated else "true",), words=words)
        if self.atlas.is_numeric(table, column) and _is_flag(column, missing.noun):
            return Test(spot, "=", ("0" if missing.negated else "1",), words=words)
        if self.atlas.column(table, column).nullable:
            return Test(
                spot,
                "null",
                (),
                not missing.negated,
                f"{'no' if missing.negated else 'a'} {plain(column)}",
            )
        return None

    def period_tests(
        self, dates: tuple[str, str], periods: Sequence[Period], path_to: str | None
    ) -> list[Test]:
        """Return the conditions for the periods on one date column; several are alternatives."""
        spot = self.places.spot(*dates, path_to)
        if spot is None:
            raise Unclear(f"I see no date for {plain(self.places.root)}.")
        whole_year = not self.atlas.is_date(*dates)
        tests = [_period_test(spot, period, whole_year) for period in periods]
        ranges = [p for p in periods if p.low or p.high]
        if len(ranges) > 1:
            tests = [
                replace(t, either=1) if p in ranges else t
                for t, p in zip(tests, periods, strict=True)
            ]
        return tests


def _period_test(spot: Spot, period: Period, whole_year: bool) -> Test:
    words = period.label
    if period.months:
        return Test(spot, "months", tuple(str(m) for m in period.months), words=words)
    if period.weekdays:
        return Test(spot, "weekdays", tuple(str(d) for d in period.weekdays), words=words)
    if whole_year:
        low = str(period.low.year) if period.low else ""
        high = str(period.high.year) if period.high else ""
        return Test(spot, "range", (low, high), words=words)
    low = f"DATE '{period.low.isoformat()}'" if period.low else ""
    high = f"DATE '{period.high.isoformat()}'" if period.high else ""
    return Test(spot, "range", (low, high), words=words)


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
            found.append((not (set(words) - set(roots)) & said, place, column))
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


_FLAGS: Final = frozenset(
    stem(w)
    for w in "active enabled deleted cancelled canceled paid approved completed closed open verified discontinued".split()
)


def _is_flag(column: str, noun: Noun) -> bool:
    """Whether a number is used for yes and no, as its name tells."""
    words = name_words(column)
    return words[0] in ("is", "has") or words[-1] == "flag" or bool(set(words) & _FLAGS)


def _subject_words(table: str, column: str) -> str:
    if "+" in column:
        return plain(table)
    name = plain(column)
    return plain(table) if name in ("name", "title", plain(table)) else f"{plain(table)} {name}"


def _plain_number(number: float) -> str:
    return str(int(number)) if number == int(number) else repr(number)
