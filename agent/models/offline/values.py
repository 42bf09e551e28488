"""Values that a question names: which columns may hold them, and which turned out to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from agent.models.offline.atlas import Atlas
from agent.models.offline.draft import Draft, Noun, ValueCond
from agent.models.offline.known import Known
from agent.models.offline.lexicon import STOP
from agent.models.offline.misspelt import likeness_of_values
from agent.models.offline.probes import NEAR, spellings

_LIKENESS: Final = 84
_NEAR_MISS: Final = 66
"""Below this likeness a suggestion is worse than none."""


@dataclass(frozen=True)
class Found:
    """A value of a column that a phrase stands for."""

    table: str
    column: str
    value: str
    exact: bool = True


class Values:
    """What the probes of a run, and the labels of enums, say about phrases."""

    def __init__(self, known: Known, atlas: Atlas) -> None:
        self._rows = [
            (str(row[0]), str(row[1]))
            for ran in known.ran
            if ran.columns == ("place", "value") and not ran.error
            for row in ran.rows
        ]
        worked = [ran.sql for ran in known.ran if not ran.error]
        self.probes = sum(sql.startswith("(SELECT DISTINCT '") for sql in worked)
        self.near_probes = sum(ran.sql.startswith(NEAR) for ran in known.ran)
        self._atlas = atlas
        self._labels = [
            (table, column.name, label)
            for table, known_table in atlas.tables.items()
            for column in known_table.columns.values()
            for label in column.labels
        ]

    def find(self, phrase: str) -> tuple[Found, ...]:
        """Return the values that `phrase` stands for, exact ones before near ones."""
        low = phrase.lower().strip()
        forms = spellings(low)
        for form in forms:
            exact = self._exact(form)
            if exact:
                return exact
        return self._near(low)

    def _exact(self, low: str) -> tuple[Found, ...]:
        found = [Found(t, c, label) for t, c, label in self._labels if label.lower() == low]
        for place, value in self._rows:
            table, _, column = place.rpartition(".")
            if value.lower() == low:
                found.append(Found(table, column, value))
            elif "+" in column:
                first, last = column.split("+")
                parts = value.lower().split(" ")
                if parts[-1] == low:
                    found.append(Found(table, last, value.split(" ")[-1]))
                elif parts[0] == low:
                    found.append(Found(table, first, value.split(" ")[0]))
        return tuple(dict.fromkeys(found))

    def _near(self, low: str) -> tuple[Found, ...]:
        """Return the values that are spelt nearly so; one without the hyphen is the same one."""
        places = [(*place.rpartition(".")[::2], value) for place, value in self._rows]
        scored = [
            (likeness_of_values(low, value.lower()), Found(table, column, value, exact=False))
            for table, column, value in dict.fromkeys([*self._labels, *places])
        ]
        scored = sorted((s for s in scored if s[0] >= _LIKENESS), key=lambda pair: -pair[0])
        best = [found for score, found in scored if score >= scored[0][0] - 3]
        return tuple(dict.fromkeys(best))

    def closest(self, phrase: str) -> tuple[str, ...]:
        """Return the values nearest in spelling, for a question back."""
        from rapidfuzz import fuzz, process

        values = list(dict.fromkeys(value for _, value in self._rows))
        values += [label for _, _, label in self._labels if len(label) > 2]
        best = process.extract(
            phrase.lower(),
            values,
            scorer=fuzz.ratio,
            limit=4,
            score_cutoff=_NEAR_MISS,
            processor=str.lower,
        )
        return tuple(value for value, _, _ in best)

    def split(self, phrase: str) -> tuple[tuple[tuple[Found, ...], str], ...]:
        """Take a phrase apart into runs that are values; what is no value has no `Found`."""
        whole = self.find(phrase)
        words = phrase.split()
        if whole or len(words) == 1:
            return ((whole, phrase),)
        parts: list[tuple[tuple[Found, ...], str]] = []
        start = 0
        while start < len(words):
            for width in range(len(words) - start, 0, -1):
                run = " ".join(words[start : start + width])
                found = self._exact_forms(run) if width < len(words) else ()
                if not found and 1 < width < len(words) and self.near_probes:
                    found = self._near(run.lower())
                if not found and width == 1 and run.lower() in STOP and len(words) > 1:
                    start += 1
                    break
                if found or width == 1:
                    parts.append((found or (self._near(run.lower()) if width == 1 else ()), run))
                    start += width
                    break
        return tuple(parts)

    def _exact_forms(self, run: str) -> tuple[Found, ...]:
        for form in spellings(run.lower().strip()):
            found = self._exact(form)
            if found:
                return found
        return ()


def wanted_values(draft: Draft) -> tuple[ValueCond, ...]:
    """Return the values of a draft that are not settled by their wording alone."""
    return draft.values


def hint_tables(noun: Noun | None) -> dict[str, float]:
    """Return the tables that a hint speaks of, and how surely."""
    if noun is None:
        return {}
    return {
        link.table: link.score for link in noun.links if link.kind in ("table", "column", "event")
    }
