"""One question, from the claim to the posted card. The one error boundary of the bot is here."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from agent.errors import QuestionInvalid
from agent.messages import Exchange
from agent.question import about_message, check_question
from bot.audience import OUTSIDE, Audience
from bot.bill import Account, Bill
from bot.claimed import Claimed
from bot.clients import Clients
from bot.conversation import by_name, history_of
from bot.escalation import Escalations
from bot.going_on import as_recorded, run_or_go_on, tell_again
from bot.identity import Identity
from bot.keeping import Keeping
from bot.operators import Operators
from bot.people import People
from bot.pictures import READY_WITHIN_S
from bot.progress import BEGUN, Progress
from bot.protocols import Agent
from bot.queue import Again
from bot.record_keeping import RunRecords
from bot.render import (
    Working,
    render_notice,
)
from bot.running import Lost, Running
from bot.sessions import SUSPENDED, agent_session, is_asked_back
from bot.showing import Showing
from bot.small_talk import asks_why, reply_without_run
from bot.store import Store, StoreUnavailable
from bot.telemetry.observer import Observer
from bot.trails import Trails
from bot.why import last_story
from bot.wording import plain_words

log = logging.getLogger(__name__)

NO_HISTORY = "I cannot reach my record of this thread, so this answer knows nothing said before."
BROKEN = (
    "Something broke on our side, so there is no answer to this question. It says nothing about "
    "your data. Please ask again; the details are in my log under {run_id}."
)
GAVE_UP = (
    "I was interrupted three times while I worked on this question, and I do not try it again: it "
    "may be what breaks me. Those who run me find it in my log under {run_id}. Please ask "
    "differently, or ask them."
)
SMALL_TALK = "no question"
NOT_RECORDED: Final = Again(2.0)


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

    def answer(self, claimed: Claimed) -> Again | None:
        """Answer a question in its place. Whatever breaks, the person is told.

        Returns when it is to be tried again, None where it is over. Raises `Lost` where the run is
        another process's by now.
        """
        with self.observer.running(
            claimed.run_id,
            claimed.question,
            attempt=claimed.hold.attempt,
            asked_at=claimed.asked_at,
            carried=claimed.carried,
        ) as scope:
            if claimed.takes_over:
                self.operators.taken_over(claimed.run_id, claimed.question, claimed.place.ts)
            again = self._answered(claimed)
            scope.goes_on = again is not None or claimed.has_ended
        return again

    def _answered(self, claimed: Claimed) -> Again | None:
        try:
            self._answer(claimed)
        except Lost:
            raise
        except StoreUnavailable as fault:
            log.error("run %s is not written down: %s", claimed.run_id, fault.detail)
            return NOT_RECORDED
        except Exception:
            self.running.require(claimed.run_id, claimed.hold)  # it may have broken over that
            log.exception("run %s broke", claimed.run_id)
            return self._broke(claimed)
        return None

    def _broke(self, claimed: Claimed) -> Again | None:
        try:
            self.turn_away(claimed, BROKEN.format(run_id=claimed.run_id), failed=True)
        except StoreUnavailable as fault:
            log.error("run %s is not closed: %s", claimed.run_id, fault.detail)
            return NOT_RECORDED
        self.operators.broke(claimed.run_id, claimed.question, claimed.place.ts)
        return None

    def give_up(self, claimed: Claimed, failures: int) -> Again | None:
        """End a run over which so many processes have died, and tell those who run the bot."""
        run_id = claimed.run_id
        with self.observer.running(run_id, claimed.question, attempt=claimed.hold.attempt):
            try:
                self.turn_away(claimed, GAVE_UP.format(run_id=run_id), failed=True)
            except StoreUnavailable as fault:
                log.error("run %s is not closed: %s", run_id, fault.detail)
                return NOT_RECORDED
            self.operators.gave_up(run_id, claimed.question, claimed.place.ts, attempts=failures)
        return None

    def turn_away(self, claimed: Claimed, reason: str, *, failed: bool = False) -> None:
        """Tell the person why there is no answer, and close the run; `failed` where we broke."""
        claimed.place.finish([render_notice(reason)])
        self._records.close(claimed, reason, failed=failed)

    def _answer(self, claimed: Claimed) -> None:
        if claimed.has_ended:
            self._show_again(claimed)
            return
        if self._showing.is_unwanted(claimed):
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
            self._records.close(claimed, SMALL_TALK)
            return
        try:
            question = check_question(text)
        except QuestionInvalid as invalid:
            self.turn_away(claimed, str(invalid))
            return
        account = self.bill.account(
            claimed.run_id, claimed.question, model=self.agent.model_name, recorded=True
        )
        ceiling = account.refusal()
        if ceiling and not claimed.kept:
            self.turn_away(claimed, ceiling)
            return
        self._run(claimed, question, account)

    def _refusal(self, claimed: Claimed) -> str | None:
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
        self._records.note_card(claimed)
        if self._showing.is_unwanted(
            claimed
        ):  # that post may have told us that Slack lets us do nothing
            return
        with agent_session(self.clients.quick, thread, title, is_kept=place.keeps_session) as shown:
            said, warnings = self._history(claimed)
            history, asker = by_name(said, claimed.question.asked_by, self._people)
            keeping = Keeping(self.store, self.running, run_id, claimed.hold)
            with Progress(
                lambda steps, plan: place.show(replace(begun, steps=steps, plan=plan)), place
            ) as progress:
                tell_again(progress, claimed.kept)
                ran = run_or_go_on(
                    self.agent,
                    about_message(text, claimed.question.about),
                    claimed.kept,
                    history=history,
                    trail=Trails(keeping, account, progress),
                    cancelled=stop,
                    budget=account,
                    asker=asker,
                )
            self.running.require(run_id, claimed.hold)
            result = replace(ran, question=text)  # what people read is what the person said
            if is_asked_back(result):
                shown.ends_as = SUSPENDED
            self._showing.show(claimed, replace(result, warnings=(*result.warnings, *warnings)))

    def _show_again(self, claimed: Claimed) -> None:
        """Show how a run ended that another process has written down, and perhaps shown."""
        result = as_recorded(self.store, self.agent, claimed)
        if result is not None:
            self._showing.show(claimed, result)
            return
        self.store.note_shown(claimed.run_id, claimed.hold, card_ts=claimed.place.ts)

    def _history(self, claimed: Claimed) -> tuple[Sequence[Exchange], Sequence[str]]:
        try:
            return history_of(self.store, claimed.question), ()
        except StoreUnavailable as fault:
            log.error("run %s has no history: %s", claimed.run_id, fault.detail)
            is_reply = not claimed.question.ts.endswith(claimed.question.thread.ts)
            return (), (NO_HISTORY,) if is_reply else ()

    @property
    def _people(self) -> People:
        return People(self.audience.members, self.clients.quick)

    @property
    def _showing(self) -> Showing:
        return Showing(
            self.clients,
            self.me,
            self.audience,
            self.running,
            self.escalations,
            self.operators,
            self._records,
            self._people,
            self.agent.model_name,
            self.picture_wait_s,
        )

    @property
    def _records(self) -> RunRecords:
        return RunRecords(self.store, self.audience, self.running)
