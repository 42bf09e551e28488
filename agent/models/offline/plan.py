"""What to do next, from all that the messages say: look, probe, query, draw, answer or ask."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final

from agent.models.offline import aside
from agent.models.offline.chart import chart_spec, drawn_instead
from agent.models.offline.closing import as_question
from agent.models.offline.course import Attempt, follow
from agent.models.offline.frame import CheckNeeded, Frame, SchemaNeeded, Unclear
from agent.models.offline.known import Known, Refusal
from agent.models.offline.looking import Looking
from agent.models.offline.next_turn import Call, NextTurn, call
from agent.models.offline.outline import write_plan
from agent.models.offline.periods import Period
from agent.models.offline.plainly import write_plainly
from agent.models.offline.probes import LATEST, is_probe
from agent.models.offline.repair import is_too_slow, may_pass
from agent.models.offline.resolve import resolve
from agent.models.offline.search_words import search_words
from agent.models.offline.tool_texts import Ran
from agent.models.offline.words import write_answer
from agent.state import MAX_HOPS

NOTHING_GRANTED: Final = (
    "No table may be read here: the role that I use has no SELECT right on any. Could the owner of "
    "the tables run GRANT SELECT ON ALL TABLES IN SCHEMA … TO that role?"
)

_CODE: Final = re.compile(r"^(?:PostgreSQL error \w+|Refused \(\w+\)): ")
TOO_MANY_STEPS: Final = "This takes more steps than I have for one question."


def next_step(known: Known, today: date, allowed: frozenset[str]) -> NextTurn:
    """Return the next turn. `allowed` are the tools that may be used now."""
    early = aside.refusal(known.question, is_reply=bool(known.earlier))
    if early:
        return ask(early, (), allowed)
    if not known.searches:
        look = Call("find_tables", {"words": search_words(known)})
        is_first = not known.hops and not known.refusals
        return NextTurn((look,), write_plan(known, today) if is_first else "")
    if known.nothing_granted:
        return ask(NOTHING_GRANTED, (), allowed)
    if aside.is_about_tables(known.question):
        return ask(aside.describe_tables(known), (), allowed)
    return _Plan(known, today, allowed).step()


def ask(question: str, options: Sequence[str], allowed: frozenset[str]) -> NextTurn:
    """End the run with a question back: what is not read is never guessed."""
    question = as_question(question)
    if allowed and "ask_user" not in allowed:
        return NextTurn(text=question)
    return call("ask_user", question=question[:1000], options=[o[:200] for o in options[:5]])


class _Plan(Looking):
    """One decision; everything is worked out anew from what is known."""

    def step(self) -> NextTurn:
        """Return the next turn."""
        look = self._look()
        if look is not None:
            return look
        try:
            frame = resolve(self.draft, self.atlas, self.values)
            return self._answer(frame)
        except SchemaNeeded as needed:
            return self._read_more(needed)
        except CheckNeeded as check:
            if self.known.hops > MAX_HOPS - 2:
                return self._ask(Unclear(TOO_MANY_STEPS))
            return self._before_check(check) or self._query(check.sql)
        except Unclear as unclear:
            return self._ask(unclear)

    def _read_more(self, needed: SchemaNeeded) -> NextTurn:
        """Read schemas that turned out to matter, while there is room for them."""
        unread = [t for t in needed.tables if t not in self.known.unreadable]
        if not unread or self.known.hops > MAX_HOPS - 3:
            return self._ask(
                Unclear("I found no date for this, so I cannot tell when things happened.")
            )
        return NextTurn(tuple(Call("get_schema", {"table_name": t}) for t in unread[:2]))

    def _before_check(self, check: CheckNeeded) -> NextTurn | None:
        """Read the parents of the root that no way leads through yet: one may confirm another."""
        if self.known.hops > MAX_HOPS - 4:
            return None
        parents = [key.target for key in self.atlas.keys if key.table == check.begin]
        unread = [
            table
            for table in dict.fromkeys(parents)
            if table not in check.vias
            and not self.known.tables[table].complete
            and table not in self.known.unreadable
        ]
        return (
            NextTurn(tuple(Call("get_schema", {"table_name": t}) for t in unread[:1]))
            if unread
            else None
        )

    # --- looking ----------------------------------------------------------------

    # --- answering --------------------------------------------------------------

    def _answer(self, frame: Frame) -> NextTurn:
        ran = [r for r in self.known.ran if not is_probe(r)]
        if not ran and (refused := [each for each in self.known.refusals if each.of_rows]):
            return self._ask(_refused_rows(refused[-1]))
        course = follow(frame, self.atlas, ran, self._narrower)
        if course.next is not None:
            first = None if ran else self._latest_first(frame)
            return first or self._query(course.next.sql)
        if course.ran is None or course.done is None:
            return self._ask(_failed(course.error))
        spec = chart_spec(course.done.frame, course.ran)
        if self._is_drawn(spec):
            return call("generate_chart", **(spec or {}))
        return NextTurn(text=self._words(course.done, course.ran, undrawn=spec is not None))

    def _is_drawn(self, spec: dict[str, Any] | None) -> bool:
        """Whether a chart is to be drawn now: it is tried again where another one failed."""
        if spec is None or self.known.charts or "generate_chart" not in self.allowed:
            return False
        return spec not in self.known.charts_in_vain and len(self.known.charts_in_vain) <= 1

    def _words(self, done: Attempt, ran: Ran, *, undrawn: bool) -> str:
        """Return the answer; in other words where these were refused before."""
        drawn = "" if self.known.charts or not undrawn else " The chart could not be drawn."
        changed = "".join(f" {said}." for said in (*done.said, *self.known.changes))
        refused = sum(each.turns for each in self.known.refusals if not each.of_rows)
        if refused:
            return write_plainly(done.frame, ran, refused) + changed + drawn
        words = write_answer(done.frame, ran, self._latest())
        return words + changed + (drawn or drawn_instead(done.frame))

    def _narrower(self) -> Frame | None:
        """Return the frame of the same question for the last full year, where it names no time."""
        if self.draft.periods:
            return None
        year = self.today.year - 1
        period = Period(str(year), date(year, 1, 1), date(year + 1, 1, 1), unit="year")
        try:
            return resolve(replace(self.draft, periods=(period,)), self.atlas, self.values)
        except (SchemaNeeded, CheckNeeded, Unclear):
            return None

    def _latest_first(self, frame: Frame) -> NextTurn | None:
        """Look for the newest date before a period that moves with today: it may lie behind it."""
        asked = any(ran.sql.startswith(LATEST) for ran in self.known.ran)
        room = self.known.hops <= MAX_HOPS - 3 and "execute_read_only_sql" in self.allowed
        if not frame.latest or asked or not room:
            return None
        return call("execute_read_only_sql", query=self.atlas.as_now(frame.latest))

    def _latest(self) -> tuple[str, str]:
        """Return what the newest date is of, and the date; two empty texts where none was read."""
        rows = [row for ran in self.known.ran if ran.sql.startswith(LATEST) for row in ran.rows]
        return (str(rows[0][1]), str(rows[0][2])) if rows and rows[0][2] else ("", "")

    def _query(self, sql: str) -> NextTurn:
        if self.allowed and "execute_read_only_sql" not in self.allowed:
            return ask(
                "I could not read the schema of a table, so I cannot answer this.", (), self.allowed
            )
        return call("execute_read_only_sql", query=sql)

    def _ask(self, unclear: Unclear) -> NextTurn:
        changed = "".join(f"{said}. " for said in self.known.changes)
        question = as_question(unclear.question)
        if self.known.turned_down.endswith(question) and self.draft.replies:
            changed += f"I did not understand “{self.known.question.strip()[:80]}”. "
        return ask(changed + question, unclear.options, self.allowed)


def _refused_rows(refused: Refusal) -> Unclear:
    return Unclear(f"What I found did not pass my checks: {' '.join(refused.reasons)}")


def _failed(error: str) -> Unclear:
    if is_too_slow(error):
        return Unclear(
            "This takes too long here. Shall I look at a shorter period, such as a month?"
        )
    if may_pass(error):
        return Unclear("Somebody else is changing these data right now. Shall I try again later?")
    said = _CODE.sub("", error).partition(". ")[0].rstrip(".")
    return Unclear(f"I could not get this out of the database: {said[:200]}.")
