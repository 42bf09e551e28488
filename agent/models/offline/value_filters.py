"""Values that a question names become conditions on the columns that hold them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from agent.models.offline.atlas import Atlas, Step
from agent.models.offline.draft import Draft, Noun, ValueCond
from agent.models.offline.frame import Spot, Test, Unclear
from agent.models.offline.loose_words import is_loose
from agent.models.offline.other_owners import settle_owner
from agent.models.offline.places import Places
from agent.models.offline.probes import quote
from agent.models.offline.reading import name_words, stems
from agent.models.offline.tool_texts import KnownColumn
from agent.models.offline.value_conflicts import latest, refuse_contradiction
from agent.models.offline.value_doubts import (
    are_alternatives,
    ask_either,
    refuse_far,
    subject_words,
    without_first_names,
)
from agent.models.offline.values import Found, Values, hint_tables
from agent.models.offline.ways import plain

_FAR: Final = float("inf")
_MAKERS: Final = stems(
    "artist author actor director writer band singer composer creator maker publisher brand"
)
"""Tables of those whose work things are: tracks *by* Iron Maiden."""
_NO_COLUMN: Final = KnownColumn("")


class ValueFilters:
    """Settles the conditions on values of one draft, seen from one root."""

    def __init__(self, draft: Draft, places: Places, values: Values, subject: str | None) -> None:
        self.draft = draft
        self.places = places
        self.atlas: Atlas = places.atlas
        self.values = values
        self.subject = subject
        self.unread: list[str] = []
        self.earlier: set[tuple[str, str]] = set()
        """Columns that values of earlier messages stand in: and U2?"""

    def near(self, noun: Noun | None) -> str | None:
        """Return the table that a condition was said of."""
        if noun is None:
            return None
        table = self.places.table_of(noun)
        return table if table in self.atlas.tables else None

    def value_tests(self) -> list[tuple[ValueCond, Test]]:
        """Return the conditions on values, each with what it was made from."""
        tests: list[tuple[ValueCond, Test]] = []
        if any(cond.every for cond in self.draft.values):
            raise Unclear("I cannot look for both at once. Please ask for one after the other.")
        for cond in self.draft.values:
            tests += [(cond, test) for test in self._tests_of(cond)]
        tests = latest(tests)
        refuse_contradiction([test for _, test in tests])
        return tests

    def _tests_of(self, cond: ValueCond) -> list[Test]:
        chosen: dict[tuple[str, str], list[str]] = {}
        for phrase in cond.phrases:
            places: list[tuple[str, str]] = []
            for found, text in self.values.split(phrase):
                if not found and text.lower() in ("and", "or", "&"):
                    continue
                found = found or self._chosen_instead(text)
                found = without_first_names(found, text, self.draft, self.atlas)
                best = self._best(found, cond, text) if found else None
                if best is None:
                    self._not_found(text)
                    continue
                loose = is_loose(text, best.table, cond, self.draft, self.atlas)
                if loose and not self._is_meant(best, text):
                    continue
                if not best.exact:
                    what = subject_words(best.table, best.column)
                    self.places.told.append(
                        f"There is no {what} “{text}”, so I took “{best.value}”."
                    )
                places.append((best.table, best.column))
                self.earlier.add(places[-1])
                chosen.setdefault(places[-1], []).append(best.value)
            if len(set(places)) < len(places) and not are_alternatives(phrase, places, self.atlas):
                raise Unclear(
                    f"“{phrase}” reads as two values of one thing. Which one do you mean?"
                )
        return [self._value_test(place, found, cond) for place, found in chosen.items()]

    def _is_meant(self, found: Found, text: str) -> bool:
        """Ask whether an everyday word is a value here."""
        what = f"{subject_words(found.table, found.column)} {found.value}"
        options = (f"only {what}", f"leave out “{text}”")
        reply = self.places.reply(options)
        if reply is None:
            raise Unclear(f"Does “{text}” stand for {what} here?", options)
        return reply == 0

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
        refuse_far(spot, self.places, self.draft)
        ask_either(spot, list(dict.fromkeys(found)), self.places, self.draft)
        if cond.hint is not None and self._is_lost(cond.hint, table):
            self.unread.append(cond.hint.text)
        literals = tuple(quote(value) for value in dict.fromkeys(found))
        if cond.hint is None and not cond.owned:
            spot = settle_owner(self.places, spot, literals)
        said = " or ".join(dict.fromkeys(found))
        if self.atlas.tables[table].columns.get(column, _NO_COLUMN).type.endswith("[]"):
            verb = "does not have" if cond.negated else "has"
            words = f"{subject_words(table, column)} {verb} {said}"
            return Test(spot, "array", literals, cond.negated, words)
        words = f"{subject_words(table, column)} {'is not' if cond.negated else 'is'} {said}"
        return Test(spot, "=", literals, cond.negated, words)

    def _is_lost(self, hint: Noun, table: str) -> bool:
        """Whether a column beside a value neither holds it nor has any other part to play."""
        fits = any(link.kind == "role" or link.table == table for link in hint.links)
        figures = [one.noun for one in self.draft.asked]
        used = hint in self.draft.show or hint in figures or hint in self.draft.mentions
        if hint.kind == "table" and not fits and not used and not hint.verb:
            return not self.places.path_exists(hint.best.table)
        return hint.kind == "column" and not hint.verb and not fits and not used

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
        if len(ties) == 1 and (rival := self._named_rival(ties[0], [s[2] for s in scored], cond)):
            return self._ask_value([rival, ties[0]], text)
        if len(ties) == 1:
            return ties[0]
        if len({(f.table, f.column) for f in ties}) == 1:
            if not best[2].exact or len({f.value for f in ties}) > 1:
                return self._ask_value(ties, text)
            return ties[0]
        return self._ask_value(ties, text)

    def _named_rival(self, best: Found, found: Sequence[Found], cond: ValueCond) -> Found | None:
        """Return a row that is called so, where the best is only a remark on the rows asked for."""
        column = self.atlas.column(best.table, best.column)
        if cond.hint is not None or column.labels or best.column in self.atlas.label(best.table):
            return None
        if "+" in best.column or best.table != self.places.root:
            return None
        named = [f for f in found if f.column == "+".join(self.atlas.label(f.table)) and f.exact]
        return next((f for f in named if f.table != best.table), None)

    def _ask_value(self, ties: Sequence[Found], text: str) -> Found:
        options = tuple(f"{f.value} ({subject_words(f.table, f.column)})" for f in ties[:5])
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
        # Half of a person's name is a poor reading of what names something whole: India.
        half = found.column in self.atlas.label(found.table) and found.column != label
        cost += 2.5 if half and not cond.by else 0.0 if found.column == label else 0.4
        if cond.by and found.column == label and found.table != self.places.root:
            cost -= 2.0
        if cond.turn and (found.table, found.column) in self.earlier:
            cost -= 2.0
        if found.column == label and set(name_words(found.table)) & _MAKERS:
            cost -= 3.2
        if self.atlas.column(found.table, found.column).labels:
            cost -= 0.4
        return cost

    def _is_counted(self, table: str) -> bool:
        """Whether rows of `table` are what is counted or listed, so that no single one is meant."""
        rank = self.draft.rank
        if rank is not None and rank.superlative:
            return True
        counted = [a.noun for a in self.draft.asked if a.agg == "count" and a.noun]
        if self.draft.subject is not None and self.draft.subject.plural:
            counted.append(self.draft.subject)
        return any(noun.best.table == table for noun in counted)

    def _not_found(self, text: str) -> None:
        if text.lower() not in (word.lower() for word in self.unread):
            self.unread.append(text)
