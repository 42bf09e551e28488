"""One question, from the claim to the posted card. The one error boundary of the bot is here."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from agent.errors import QuestionInvalid
from agent.messages import AgentResult, Exchange, Outcome
from agent.protocols import Trail
from agent.question import check_question
from bot.audience import OUTSIDE, Audience
from bot.clients import Clients
from bot.conversation import history_of
from bot.delivery import Place
from bot.identity import Identity
from bot.pictures import READY_WITHIN_S, upload_charts
from bot.progress import Allowance, Progress
from bot.render import Card, reduced, render_card, render_notice, render_working
from bot.running import Running
from bot.sessions import agent_session
from bot.small_talk import reply_without_run
from bot.store import Question, Store, StoreUnavailable
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


class Agent(Protocol):
    """What answers: `agent.run.Agent`, or anything that behaves like it."""

    @property
    def model_name(self) -> str:
        """What the card calls the model."""

    def run(
        self,
        question: str,
        *,
        history: Sequence[Exchange] = (),
        trail: Trail | None = None,
        cancelled: threading.Event | None = None,
    ) -> AgentResult:
        """Answer a question; what goes wrong in the run is an outcome, not an exception."""


@dataclass(frozen=True)
class Claimed:
    """A question that is ours to answer."""

    question: Question
    run_id: str
    place: Place
    recorded: bool = True
    """False: the store was away when it was claimed."""
    from_outside: bool = False
    asker_only: bool = False
    """Nobody but the one who asked sees the answer."""


@dataclass(frozen=True)
class Answerer:
    """Answers claimed questions, one call each; safe to share between threads."""

    agent: Agent
    store: Store
    clients: Clients
    me: Identity
    audience: Audience
    running: Running
    allowance: Allowance
    """How often progress may be shown, over all runs."""
    picture_wait_s: float = READY_WITHIN_S
    """How long a chart may take until Slack can show it, in seconds."""

    def answer(self, claimed: Claimed) -> None:
        """Answer a question in its place. Never raises: whatever breaks, the person is told."""
        try:
            self._answer(claimed)
        except Exception:
            log.exception("run %s broke", claimed.run_id)
            self.turn_away(claimed, BROKEN.format(run_id=claimed.run_id))
        finally:
            self.running.end(claimed.run_id)

    def turn_away(self, claimed: Claimed, reason: str) -> None:
        """Tell the person why there is no answer, and close the run."""
        claimed.place.finish([render_notice(reason)])
        self._close(claimed, reason)

    def _answer(self, claimed: Claimed) -> None:
        reason = self._refusal(claimed)
        if reason is not None:
            self.turn_away(claimed, reason)
            return
        text = plain_words(
            claimed.question.text, own_mention=self.me.mention, name_of=self.audience.name_of
        )
        reply = reply_without_run(text, model=self.agent.model_name)
        if reply is not None:
            claimed.place.finish([reply])
            self._close(claimed, "no question")
            return
        try:
            question = check_question(text)
        except QuestionInvalid as invalid:
            self.turn_away(claimed, str(invalid))
            return
        self._run(claimed, question)

    def _refusal(self, claimed: Claimed) -> str | None:
        if self.running.stopping:
            return STOPPED
        if claimed.from_outside:
            return OUTSIDE
        return self.audience.refusal(claimed.question, asker_only=claimed.asker_only)

    def _run(self, claimed: Claimed, text: str) -> None:
        place, model = claimed.place, self.agent.model_name
        place.post(render_working((), model=model))
        self._note_card(claimed)
        with agent_session(self.clients.quick, claimed.question.thread):
            history, warnings = self._history(claimed)
            with Progress(
                lambda steps: place.edit(render_working(steps, model=model)), self.allowance
            ) as trail:
                cancelled = self.running.cancelled(claimed.run_id)
                result = self.agent.run(text, history=history, trail=trail, cancelled=cancelled)
            if result.outcome is Outcome.SYSTEM_FAULT:
                log.error("run %s: system fault: %s", claimed.run_id, result.fault_detail)
            result = replace(result, warnings=(*result.warnings, *warnings))
            result = self._recorded(claimed, result)
            place.finish(self._cards(claimed.run_id, result))

    def _history(self, claimed: Claimed) -> tuple[Sequence[Exchange], Sequence[str]]:
        try:
            return history_of(self.store, claimed.question), ()
        except StoreUnavailable as fault:
            log.error("run %s has no history: %s", claimed.run_id, fault.detail)
            is_reply = claimed.question.thread.ts != claimed.question.ts
            return (), (NO_HISTORY,) if is_reply else ()

    def _recorded(self, claimed: Claimed, result: AgentResult) -> AgentResult:
        """Record the run before its buttons are seen; say so on the card where it cannot be."""
        try:
            if claimed.recorded:
                self.store.finish(claimed.run_id, result)
                return result
        except StoreUnavailable as fault:
            log.error("run %s could not be recorded: %s", claimed.run_id, fault.detail)
        return replace(result, warnings=(*result.warnings, NO_RECORD))

    def _cards(self, run_id: str, result: AgentResult) -> list[Card]:
        """Return the card, whole, then simpler and simpler."""
        files = upload_charts(self.clients, result.charts, ready_within_s=self.picture_wait_s)
        whole = render_card(result, run_id=run_id, chart_file_ids=files)
        without_pictures = render_card(result, run_id=run_id)
        return [whole, without_pictures, reduced(without_pictures)]

    def _note_card(self, claimed: Claimed) -> None:
        try:
            if claimed.recorded and claimed.place.ts is not None:
                self.store.place_card(claimed.run_id, claimed.place.ts)
        except StoreUnavailable as fault:
            log.error("the card of run %s is not recorded: %s", claimed.run_id, fault.detail)

    def _close(self, claimed: Claimed, reason: str) -> None:
        try:
            if claimed.recorded:
                self.store.turn_away(claimed.run_id, reason)
        except StoreUnavailable as fault:
            log.error("run %s could not be closed: %s", claimed.run_id, fault.detail)
