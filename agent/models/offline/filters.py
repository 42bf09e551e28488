"""From what a question says of rows to conditions on columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agent.models.offline.draft import Like, Missing, Noun
from agent.models.offline.frame import Presence, Spot, Test, Unclear
from agent.models.offline.link import Link
from agent.models.offline.number_filters import NumberFilters
from agent.models.offline.periods import Period
from agent.models.offline.probes import quote
from agent.models.offline.reading import name_words, stems
from agent.models.offline.saying import plural
from agent.models.offline.ways import plain

_FAR: Final = float("inf")


class Filters(NumberFilters):
    """Settles the conditions of one draft, seen from one root."""

    # --- values --------------------------------------------------------------

    # --- numbers -------------------------------------------------------------

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
            f"{plain(place[1])} {like.how.rstrip('s')}s "
            f"{'with ' if like.how != 'contains' else ''}“{like.text}”",
        )

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
        said = f"{'without' if missing.negated else 'with'} {plural(plain(table))}"
        return Presence(path, (), missing.negated, said)

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
        best = missing.noun.best
        if not links or (best.kind == "table" and best.score >= 0.9 and links[0].score < 0.95):
            return None
        noun = replace(missing.noun, links=self._flag_links(links, near, missing.noun.verb))
        place = self.places.column(noun, near)
        spot = self.places.spot(*place, near) if place is not None else None
        return None if spot is None else self._flag_test(missing, spot)

    def _flag_links(self, links: list[Link], near: str | None, verb: bool) -> tuple[Link, ...]:
        """Prefer the nearest table, what its comment recommends, booleans, and dates for verbs."""
        start = near or self.places.root
        nearest = min(links, key=lambda link: self.atlas.distance(start, link.table)).table
        same = [link for link in links if link.table == nearest]
        if same[0].score >= links[0].score - 0.15:
            links = same
        flags = [link for link in links if self.atlas.is_boolean(link.table, link.column)]
        recommended = [link for link in flags if self._is_recommended(link)]
        if recommended or (flags and flags[0].score >= links[0].score):
            return tuple(replace(link, score=1.0) for link in (recommended or flags))
        dated = [link for link in links if self.atlas.is_date(link.table, link.column)]
        return tuple((dated if verb else []) or links)

    def preferred_flag(self, noun: Noun, table: str) -> str:
        """Return the yes-or-no column of `table` that a comment says to use for a noun, or ""."""
        links = (link for link in noun.links if link.kind == "column" and link.table == table)
        flags = (link for link in links if self.atlas.is_boolean(link.table, link.column))
        return next((link.column for link in flags if self._is_recommended(link)), "")

    def _is_recommended(self, link: Link) -> bool:
        return "use this" in self.atlas.column(link.table, link.column).comment.lower()

    def _flag_test(self, missing: Missing, spot: Spot) -> Test | None:
        table, column = spot.table, spot.column
        absent = f"{'no' if missing.negated else 'a'} {plain(column)}"
        said = missing.noun.text.lower()
        opposite = missing.negated and not said.startswith(("in", "un", "non"))
        words = f"not {said}" if opposite else said
        if not missing.whole and self.atlas.is_boolean(table, column):
            return Test(spot, "flag", ("false" if missing.negated else "true",), words=words)
        numeric = self.atlas.is_numeric(table, column)
        if not missing.whole and numeric and _is_flag(column):
            return Test(spot, "=", ("0" if missing.negated else "1",), words=words)
        if missing.whole or self.atlas.column(table, column).nullable:
            return Test(spot, "null", (), not missing.negated, absent)
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


_FLAGS: Final = stems(
    "active enabled deleted cancelled canceled paid approved completed closed open "
    "verified discontinued"
)


def _is_flag(column: str) -> bool:
    """Whether a number is used for yes and no, as its name tells."""
    words = name_words(column)
    return words[0] in ("is", "has") or words[-1] == "flag" or bool(set(words) & _FLAGS)
