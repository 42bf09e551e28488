"""Shows how a run ended: its card, once, where the question was asked."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial

from agent.messages import AgentResult
from agent.watching import doing
from bot.audience import Audience
from bot.claimed import Claimed
from bot.clients import Clients
from bot.escalation import Escalations, Passed
from bot.identity import Identity
from bot.links import NO_MESSAGE
from bot.operators import Operators
from bot.people import People
from bot.pictures import FileIds, upload_charts
from bot.progress import BEGUN
from bot.record_keeping import RunRecords
from bot.render import Card, Handoff, reduced, render_card, render_notice, render_working
from bot.render.handoff import how_to_go_on
from bot.running import Running
from bot.sessions import is_asked_back
from bot.store import StoreUnavailable
from bot.telemetry.kinds import CARD, UPLOAD
from bot.undelivered import Undelivered
from bot.unwanted import EDITED, UNTOLD, Wanted, unwanted

NO_RECORD = (
    "I cannot reach my own record at the moment: the buttons below and follow-ups will not know "
    "of this answer."
)


@dataclass(frozen=True)
class Showing:
    """Safe to share between threads."""

    clients: Clients
    me: Identity
    audience: Audience
    running: Running
    escalations: Escalations
    operators: Operators
    records: RunRecords
    people: People
    model: str
    picture_wait_s: float

    def show(self, claimed: Claimed, result: AgentResult) -> None:
        """Put the answer where it was asked for, unless nobody is to see it by now.

        Raises `StoreUnavailable` where its record stays away, and `Lost`.
        """
        if self.is_unwanted(claimed, result):
            return
        # Before the run is recorded: if we die over it, another process does it again.
        stop = self.running.cancelled(claimed.run_id)
        with doing(UPLOAD, "charts") if result.charts else nullcontext():
            files = upload_charts(self.clients, result.charts, self.picture_wait_s, given_up=stop)
        if files and self.is_unwanted(claimed, result):  # that takes time
            return
        self._finish(claimed, result, files)

    def is_unwanted(self, claimed: Claimed, result: AgentResult | None = None) -> bool:
        """End a run that nobody is to see. Of a changed question, the next run takes its card."""
        run_id, question, place = claimed.run_id, claimed.question, claimed.place
        wanted = Wanted(self.running, self.clients, self.audience)
        words = wanted.objection(claimed, has_run=result is not None)
        if words is None:
            return False
        begun = render_working(BEGUN, model=self.model)
        if place.ts is not None or words not in UNTOLD:
            shown = place.finish([begun if words == EDITED else render_notice(words)])
            if not shown and words not in UNTOLD:
                Undelivered(self.clients, self.me).tell(question)
        if result is not None:
            self.records.finish(claimed, unwanted(result, words))
            self.operators.ended(run_id, question, place.ts, unwanted(result, words))
            self.records.note_shown(claimed)
        self.records.close(claimed, words)  # changes nothing of what is recorded
        return True

    def _finish(self, claimed: Claimed, result: AgentResult, files: FileIds) -> None:
        """Record the run before its buttons are seen, show its card, and call a person if due."""
        recorded = self.records.finish(claimed, result)
        passed = self._put(claimed, result, files, recorded=recorded)
        if not recorded:
            if not self.records.finish_later(claimed, result):
                raise StoreUnavailable(NO_RECORD, detail="the end of a run is to be written down")
            if claimed.place.ts is not None:  # what can be changed says so no longer
                passed = self._put(claimed, result, files, recorded=True)
        if passed.escalation is not None:
            self.escalations.post(passed.escalation)
        self.records.note_shown(claimed)
        self.operators.ended(claimed.run_id, claimed.question, claimed.place.ts, result)

    def _put(
        self, claimed: Claimed, result: AgentResult, files: FileIds, *, recorded: bool
    ) -> Passed:
        """Put the card where the question was asked."""
        question, place = claimed.question, claimed.place
        if not recorded:
            result = replace(result, warnings=(*result.warnings, NO_RECORD))
        passed = self.escalations.after_run(
            claimed.run_id,
            question,
            result,
            recorded=recorded,
            may_be_shown=not claimed.asker_only,
        )
        cards, working = (
            self._cards(claimed, result, self._handoff(claimed, passed), files),
            place.ts,
        )
        with doing(CARD, str(result.outcome)):
            is_shown = place.finish(cards, waits=is_asked_back(result))
        if not is_shown:
            Undelivered(self.clients, self.me).tell(question)
        if place.ts != working:  # that message is gone
            self.records.note_card(claimed)
        return passed

    def _handoff(self, claimed: Claimed, passed: Passed) -> Handoff:
        thread = claimed.question.thread
        go_on = how_to_go_on(
            has_thread=not thread.ts.startswith(NO_MESSAGE),
            needs_mention=not self.audience.takes_replies(thread),
        )
        can_share = claimed.asker_only and not thread.is_direct
        stopped_by = self.running.stopped_by(claimed.run_id)
        return replace(passed.handoff, can_share=can_share, go_on=go_on, stopped_by=stopped_by)

    def _cards(
        self, claimed: Claimed, result: AgentResult, handoff: Handoff, files: FileIds
    ) -> list[Card]:
        """Return the card, whole, then simpler and simpler."""
        run_id, reader = claimed.run_id, self.people.reader(claimed.question.asked_by)
        card = partial(render_card, result, run_id=run_id, handoff=handoff, reader=reader)
        whole, without_pictures = card(chart_file_ids=files), card()
        return [whole, without_pictures, reduced(without_pictures)]
