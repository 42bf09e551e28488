"""One question, from the claim to the posted card. The one error boundary of the bot is here."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial

from agent.errors import QuestionInvalid
from agent.messages import AgentResult, Exchange
from agent.question import about_message, check_question
from agent.watching import doing
from bot.audience import OUTSIDE, Audience
from bot.bill import Account, Bill
from bot.claimed import Claimed
from bot.clients import Clients
from bot.conversation import by_name, history_of
from bot.escalation import Escalations
from bot.identity import Identity
from bot.links import NO_MESSAGE
from bot.operators import Operators
from bot.people import People
from bot.pictures import READY_WITHIN_S, FileIds, upload_charts
from bot.progress import BEGUN, Progress
from bot.protocols import Agent
from bot.record_keeping import RunRecords
from bot.render import (
    Card,
    Handoff,
    Working,
    reduced,
    render_card,
    render_notice,
    render_working,
)
from bot.render.handoff import how_to_go_on
from bot.running import Running
from bot.sessions import SUSPENDED, agent_session, is_asked_back
from bot.small_talk import asks_why, reply_without_run
from bot.store import Store, StoreUnavailable
from bot.telemetry.kinds import CARD, UPLOAD
from bot.telemetry.observer import Observer
from bot.trails import Trails
from bot.undelivered import Undelivered
from bot.unwanted import EDITED, UNTOLD, Wanted, unwanted
from bot.why import last_story
from bot.wording import plain_words

log = logging.getLogger(__name__)

NO_RECORD = (
    "I cannot reach my own record at the moment: the buttons below and follow-ups will not know "
    "of this answer."
)
NO_HISTORY = "I cannot reach my record of this thread, so this answer knows nothing said before."
STOPPED = "I was stopped before I came to this question. Please ask it again in a minute."
BROKEN = (
    "Something broke on our side, so there is no answer to this question. It says nothing about "
    "your data. Please ask again; the details are in my log under {run_id}."
)
SMALL_TALK = "no question"


@dataclass(frozen=True)
class Answerer:
    """Answers claimed questions, one call each; safe to share between threads."""

    agent: Agent
    store: Store
    clients: Clients
    me: Identity
    audience: Audience
    running: Running
    escalations: Escalations
    operators: Operators
    bill: Bill
    observer: Observer
    picture_wait_s: float = READY_WITHIN_S
    """How long a chart may take until Slack can show it, in seconds."""

    def answer(self, claimed: Claimed) -> None:
        """Answer a question in its place. Never raises: whatever breaks, the person is told."""
        with self.observer.running(
            claimed.run_id, claimed.question, asked_at=claimed.asked_at, carried=claimed.carried
        ):
            try:
                self._answer(claimed)
            except Exception:
                log.exception("run %s broke", claimed.run_id)
                self.turn_away(claimed, BROKEN.format(run_id=claimed.run_id), failed=True)
                self.operators.broke(claimed.run_id, claimed.question, claimed.place.ts)
            finally:
                self.running.end(claimed.run_id)

    def turn_away(self, claimed: Claimed, reason: str, *, failed: bool = False) -> None:
        """Tell the person why there is no answer, and close the run; `failed` where we broke."""
        claimed.place.finish([render_notice(reason)])
        self._close(claimed, reason, failed=failed)

    def _answer(self, claimed: Claimed) -> None:
        if self._is_unwanted(claimed):
            return
        reason = self._refusal(claimed)
        if reason is not None:
            self.turn_away(claimed, reason)
            return
        text = plain_words(
            claimed.question.text, own_mention=self.me.mention, name_of=self.audience.name_of
        )
        reply = reply_without_run(text, model=self.agent.model_name)
        if reply is None and asks_why(text):
            reply = last_story(self.store, claimed)
        if reply is not None:
            claimed.place.finish([reply])
            self._close(claimed, SMALL_TALK)
            return
        try:
            question = check_question(text)
        except QuestionInvalid as invalid:
            self.turn_away(claimed, str(invalid))
            return
        account = self.bill.account(
            claimed.run_id, claimed.question, model=self.agent.model_name, recorded=claimed.recorded
        )
        ceiling = account.refusal()
        if ceiling:
            self.turn_away(claimed, ceiling)
            return
        self._run(claimed, question, account)

    def _refusal(self, claimed: Claimed) -> str | None:
        if self.running.stopping:
            return STOPPED
        if claimed.from_outside:
            return OUTSIDE
        return self.audience.refusal(
            claimed.question, asker_only=claimed.asker_only, has_strangers=claimed.has_strangers
        )

    def _run(self, claimed: Claimed, text: str, account: Account) -> None:
        place, run_id, thread = claimed.place, claimed.run_id, claimed.question.thread
        stop = self.running.cancelled(run_id)
        begun = Working(BEGUN, self.agent.model_name, run_id=run_id)
        title = text if claimed.question.ts == thread.ts and place.ts is None else ""
        place.begin(begun)
        self.observer.shown_first()
        self._note_card(claimed)
        if self._is_unwanted(claimed):  # that post may have told us that Slack lets us do nothing
            return
        with agent_session(self.clients.quick, thread, title, is_kept=place.keeps_session) as shown:
            said, warnings = self._history(claimed)
            history, asker = by_name(said, claimed.question.asked_by, self._people)
            with Progress(
                lambda steps, plan: place.show(replace(begun, steps=steps, plan=plan)), place
            ) as progress:
                ran = self.agent.run(
                    about_message(text, claimed.question.about),
                    history=history,
                    trail=Trails(account, progress),
                    cancelled=stop,
                    budget=account,
                    asker=asker,
                )
            result = replace(ran, question=text)  # what people read is what the person said
            if self._is_unwanted(claimed, result):
                return
            # Before the run is recorded: if we die over it, others see that it was cut off.
            with doing(UPLOAD, "charts") if result.charts else nullcontext():
                files = upload_charts(
                    self.clients, result.charts, self.picture_wait_s, given_up=stop
                )
            if files and self._is_unwanted(claimed, result):  # that takes time
                return
            if is_asked_back(result):
                shown.ends_as = SUSPENDED
            result = replace(result, warnings=(*result.warnings, *warnings))
            self._finish(claimed, result, files)

    def _is_unwanted(self, claimed: Claimed, result: AgentResult | None = None) -> bool:
        """End a run that nobody is to see. Of a changed question, the next run takes its card."""
        run_id, question, place = claimed.run_id, claimed.question, claimed.place
        wanted = Wanted(self.running, self.clients, self.audience)
        words = wanted.objection(claimed, has_run=result is not None)
        if words is None:
            return False
        begun = render_working(BEGUN, model=self.agent.model_name)
        if place.ts is not None or words not in UNTOLD:
            shown = place.finish([begun if words == EDITED else render_notice(words)])
            if not shown and words not in UNTOLD:
                Undelivered(self.clients, self.me).tell(question)
        if result is not None:
            self._record(claimed, unwanted(result, words))
            self.operators.ended(run_id, question, place.ts, unwanted(result, words))
        self._close(claimed, words)  # changes nothing of what is recorded
        return True

    def _finish(self, claimed: Claimed, result: AgentResult, files: Sequence[str | None]) -> None:
        """Record the run before its buttons are seen, show its card, and call a person if due."""
        run_id, question = claimed.run_id, claimed.question
        recorded = self._record(claimed, result)
        if not recorded:
            result = replace(result, warnings=(*result.warnings, NO_RECORD))
        passed = self.escalations.after_run(
            run_id, question, result, recorded=recorded, may_be_shown=not claimed.asker_only
        )
        go_on = how_to_go_on(
            has_thread=not question.thread.ts.startswith(NO_MESSAGE),
            needs_mention=not self.audience.takes_replies(question.thread),
        )
        can_share = claimed.asker_only and not question.thread.is_direct
        stopped_by = self.running.stopped_by(run_id)
        handoff = replace(passed.handoff, can_share=can_share, go_on=go_on, stopped_by=stopped_by)
        working = claimed.place.ts
        cards = self._cards(claimed, result, handoff, files)
        with doing(CARD, str(result.outcome)):
            is_shown = claimed.place.finish(cards, waits=is_asked_back(result))
        if not is_shown:
            Undelivered(self.clients, self.me).tell(question)
        if claimed.place.ts != working:  # that message is gone
            self._note_card(claimed)
        self.operators.ended(run_id, question, claimed.place.ts, result)
        if passed.escalation is not None:
            self.escalations.post(passed.escalation)

    def _history(self, claimed: Claimed) -> tuple[Sequence[Exchange], Sequence[str]]:
        try:
            return history_of(self.store, claimed.question), ()
        except StoreUnavailable as fault:
            log.error("run %s has no history: %s", claimed.run_id, fault.detail)
            is_reply = not claimed.question.ts.endswith(claimed.question.thread.ts)
            return (), (NO_HISTORY,) if is_reply else ()

    def _record(self, claimed: Claimed, result: AgentResult) -> bool:
        return claimed.recorded and self._records.finish(claimed.run_id, claimed.question, result)

    def _cards(
        self, claimed: Claimed, result: AgentResult, handoff: Handoff, files: FileIds
    ) -> list[Card]:
        """Return the card, whole, then simpler and simpler."""
        run_id, reader = claimed.run_id, self._people.reader(claimed.question.asked_by)
        card = partial(render_card, result, run_id=run_id, handoff=handoff, reader=reader)
        whole, without_pictures = card(chart_file_ids=files), card()
        return [whole, without_pictures, reduced(without_pictures)]

    def _note_card(self, claimed: Claimed) -> None:
        if claimed.recorded:
            self._records.note_card(claimed.run_id, claimed.question, claimed.place.stands_at)

    def _close(self, claimed: Claimed, reason: str, *, failed: bool = False) -> None:
        if claimed.recorded:
            self._records.close(claimed.run_id, reason, failed=failed, card_ts=claimed.place.ts)

    @property
    def _people(self) -> People:
        return People(self.audience.members, self.clients.quick)

    @property
    def _records(self) -> RunRecords:
        return RunRecords(self.store, self.audience, self.running)
