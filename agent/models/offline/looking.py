"""What is still to be looked up before an answer: schemas, searches, probes."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import Final

from agent.models.offline.accounting import with_lost_words
from agent.models.offline.atlas import Atlas
from agent.models.offline.carrying import without_step
from agent.models.offline.draft import Draft, Noun
from agent.models.offline.followup import fold
from agent.models.offline.interpret import interpret
from agent.models.offline.items import read_items
from agent.models.offline.known import Known
from agent.models.offline.lexicon import STOP
from agent.models.offline.link import Linker
from agent.models.offline.money import money_sources
from agent.models.offline.near_probe import near_sql
from agent.models.offline.next_turn import Call, NextTurn, call
from agent.models.offline.probes import Place, candidates, is_probe, places, probe_sql
from agent.models.offline.reading import name_words
from agent.models.offline.rewording import reword
from agent.models.offline.search_words import PEOPLE, PLACES_AND_KINDS, cut
from agent.models.offline.values import Found, Values
from agent.state import MAX_HOPS

MAX_SCHEMAS: Final = 4

SPARE_HOPS: Final = 2

_JOINED: Final = re.compile(r"\s*,\s*(?:and|or)?\s*|\s+(?:and|or|&)\s+", re.IGNORECASE)


_LEAD_IN: Final = re.compile(
    r"^\W*(?:(?:sorry|well|oh|ok(?:ay)?|yes|no)\W+)*i (?:mean|meant|would say)\b[\s,:]*",
    re.IGNORECASE,
)
"""How a reply begins that puts something right: I mean by revenue."""


class Looking:
    """The part of a plan that gathers what is not known yet."""

    def __init__(self, known: Known, today: date, allowed: frozenset[str]) -> None:
        self.known = known
        self.allowed = allowed
        self.atlas = Atlas(known)
        self.values = Values(known, self.atlas)
        self.linker = Linker(self.atlas)
        self.today = today
        texts = tuple(reword(text) for text in (*known.earlier, known.question))
        drafts = [self._draft(text, number > 0) for number, text in enumerate(texts)]
        self.draft = fold(drafts, known.endings)

    def _draft(self, text: str, follows: bool) -> Draft:
        plain = _LEAD_IN.sub("", without_step(text)) if follows else text
        items = read_items(plain, self.linker, self.today)
        return replace(with_lost_words(interpret(plain, items), items), text=text)

    def _look(self) -> NextTurn | None:
        """Return the schemas, searches and probes that are still due."""
        if any(not is_probe(ran) and not ran.error for ran in self.known.ran):
            return None
        wanted = self._schemas_due()
        calls = [Call("get_schema", {"table_name": t}) for t in wanted]
        if calls:
            return NextTurn(tuple(calls))
        if self._search_due() and (words := self._next_words()):
            return self._near_probe() or call("find_tables", words=words)
        return self._probe() or self._near_probe()

    def _next_words(self) -> str:
        """Return the words of the next search, "" where none is left to try.

        The second search is for the values' likeliest columns; a third one for the other kind, and
        only when a probe has shown that the values are not there.
        """
        names = any(
            len(p.split()) > 1 and p.istitle() and not self._stands_in(p)
            for p in self._unsettled_values()
        )
        kinds = [PLACES_AND_KINDS, PEOPLE] if not names else [PEOPLE, PLACES_AND_KINDS]
        tried = len(self.known.searches) - 1
        room = 5 if self.values.near_probes else 4
        again = self.values.probes and self.known.hops <= room and self._missing_values()
        if tried >= len(kinds) or (tried == 1 and not again):
            return ""
        return cut([*self._around(), *kinds[tried].split()])

    def _stands_in(self, phrase: str) -> bool:
        """Whether a value is said of a place: customers in the United Kingdom."""
        place = rf"\b(?:in|from|at|of)(?: the)? {re.escape(phrase)}"
        return re.search(place, self.draft.text, re.IGNORECASE) is not None

    def _around(self) -> list[str]:
        """Return the tables in question, and the nearest of which only the name is known.

        A search tells the ways between what it finds, so both ends must be in it.
        """
        start = next(iter(t for t in self._telling_tables() if t in self.atlas.tables), None)
        unseen = [t for t, known in self.atlas.tables.items() if not known.columns]
        if start is not None:
            unseen.sort(key=lambda table: self.atlas.distance(start, table))
        near = [start] if start is not None else []
        links = [key.table for key in self.atlas.all_keys if key.target == start]
        return list(dict.fromkeys([*near, *links[:1], *unseen[:2]]))

    def _search_due(self) -> bool:
        """Whether tables that the words do not name may be needed: for values, or for a way."""
        if self.known.total_tables <= sum(bool(t.columns) for t in self.known.tables.values()):
            return False
        return bool(self._unsettled_values()) or bool(self.draft.unread) or self.draft.is_empty

    def _schemas_due(self) -> list[str]:
        room = min(
            MAX_SCHEMAS - self.known.reads,
            MAX_HOPS - self.known.hops - SPARE_HOPS - bool(self.draft.values),
        )
        due = [
            t
            for t in self._telling_tables()
            if t in self.known.tables
            and not self.known.tables[t].complete
            and t not in self.known.unreadable
        ]
        return due[: max(room, 0)]

    def _telling_tables(self) -> list[str]:
        """Return the tables whose columns matter, the most telling first."""
        draft = self.draft
        nouns: list[Noun] = [a.noun for a in draft.asked if a.noun]
        nouns += (
            [draft.rank.asked.noun]
            if draft.rank and draft.rank.asked and draft.rank.asked.noun
            else []
        )
        nouns += [draft.subject] if draft.subject else []
        nouns += [*draft.show, *(g.noun for g in draft.groups if g.noun)]
        nouns += [m.noun for m in draft.missing] + [v.hint for v in draft.values if v.hint]
        nouns += [c.noun or c.near for c in draft.compares if c.noun or c.near]  # type: ignore[misc]
        nouns += [c.measure.noun for c in draft.compares if c.measure and c.measure.noun]
        nouns += list(draft.mentions)
        tables: list[str] = []
        for noun in nouns:
            if noun.kind == "money":
                tables += [
                    source.table for source in money_sources(self.atlas)[:2] if source.score > 0.5
                ]
                continue
            top = noun.links[0]
            near = [
                link
                for link in noun.links
                if link.score >= top.score - 0.05
                and link.table in self.atlas.tables
                # A view is meant only where it is the very thing that is said.
                and (not self.atlas.is_view(link.table) or link == top)
            ]
            tables += [
                link.table for link in (near or [top])[:3] if not self.atlas.is_link(link.table)
            ]
        if not tables and self.atlas.tables:
            tables = [next(iter(self.atlas.tables))]
        return list(dict.fromkeys(tables))

    def _missing_values(self) -> bool:
        """Whether a value was found nowhere, not even one spelt nearly so."""
        conds = [(cond, phrase) for cond in self.draft.values for phrase in cond.phrases]
        return any(
            not found or (cond.hint is None and not any(map(self._is_name, found)))
            for cond, phrase in conds
            for found, _ in self.values.split(phrase)
        )

    def _is_name(self, found: Found) -> bool:
        """Whether a value names its row, or is one of few: no mere remark that happens to fit."""
        if self.atlas.column(found.table, found.column).labels:
            return True
        return (
            found.column == "+".join(self.atlas.label(found.table))
            or set(name_words(found.column))
            & {"citi", "countri", "state", "region", "status", "type", "categori"}
            != set()
        )

    def _unsettled_values(self) -> list[str]:
        phrases = [phrase for cond in self.draft.values for phrase in cond.phrases]
        phrases += [reply for reply in self.draft.replies if phrases and len(reply.split()) <= 4]
        if self.values.probes and self._missing_values():
            return phrases
        return [
            p
            for p in phrases
            if not all(found and found[0].exact for found, _ in self.values.split(p))
        ]

    def _probe(self) -> NextTurn | None:
        phrases = self._unsettled_values()
        done = self.values.probes and (len(self.known.searches) < 3 or not self._missing_values())
        # A hop is kept for what may have to be checked, unless a probe failed and took it.
        room = MAX_HOPS - (2 if self.known.errors else 3)
        if not phrases or done or self.values.probes > 1 or self.known.hops > room:
            return None
        if "execute_read_only_sql" not in self.allowed:
            return None
        where, wanted = self._places(), candidates(phrases)
        sent = {ran.sql: bool(ran.error) for ran in self.known.ran}
        # Where the whole of it failed, fewer columns may still tell.
        for size in (len(where), 8, 3) if where and wanted else ():
            sql = self.atlas.as_now(probe_sql(wanted, where[:size]))
            if sql not in sent:
                return call("execute_read_only_sql", query=sql)
            if not sent[sql]:
                return None
        return None

    def _places(self) -> tuple[Place, ...]:
        near = [t for t in self._telling_tables() if t in self.atlas.tables]
        return places(self.draft, self.atlas, near[:2])

    def _near_probe(self) -> NextTurn | None:
        """Look for values that are nearly spelt so, once nothing is spelt so."""
        done = self.values.near_probes or not self.values.probes
        if done or self.known.hops > MAX_HOPS - 2 or "execute_read_only_sql" not in self.allowed:
            return None
        sql = near_sql(self._lost_texts(), self._places(), self.atlas)
        return call("execute_read_only_sql", query=self.atlas.as_now(sql)) if sql else None

    def _lost_texts(self) -> list[str]:
        """Return what was said of values and is none, whole phrases before their words."""
        phrases = [phrase for cond in self.draft.values for phrase in cond.phrases]
        parts = [part for phrase in phrases for part in _JOINED.split(phrase)]
        lost = {p: [text for found, text in self.values.split(p) if not found] for p in parts}
        wholes = [part for part, words in lost.items() if len(words) == len(part.split())]
        words = [word for words in lost.values() for word in words]
        return [text for text in dict.fromkeys([*wholes, *words]) if text.lower() not in STOP]
