"""Tells those who run the bot of runs that ended badly: a log line, a count, a message."""

from __future__ import annotations

import logging
import threading
import time
from dataclasses import dataclass, field

from agent.messages import AgentResult, Outcome
from bot.clients import Clients
from bot.delivery import post_card
from bot.links import Links
from bot.logs.faults import fault_words
from bot.metrics import BROKEN
from bot.render.alarm import render_alarm
from bot.render.blocks import section
from bot.render.card import MAX_TEXT, Card
from bot.render.text import fallback
from bot.slack_errors import SLACK_TROUBLE, what_went_wrong
from bot.store import Question
from bot.telemetry.observer import Observer

log = logging.getLogger(__name__)

QUIET_S = 300.0
"""The same kind of trouble is told once in so many seconds; the rest is counted."""
LEVELS = {
    Outcome.FAILED: logging.WARNING,
    Outcome.ESCALATED: logging.WARNING,
    Outcome.SYSTEM_FAULT: logging.ERROR,
}


def tell_operators(clients: Clients, channel: str, words: str) -> bool:
    """Post words to those who run the bot; False where Slack does not take them."""
    if not channel:
        return True
    try:
        post_card(clients.quick, Card([section(words)], fallback(words, MAX_TEXT)), channel)
    except SLACK_TROUBLE as error:
        log.warning("the operators were not told: %s", what_went_wrong(error))
        return False
    return True


@dataclass
class Operators:
    """Counts each run, and speaks up for those that ended badly. Nothing of the data is said."""

    clients: Clients
    links: Links
    observer: Observer
    channel: str = ""
    """Where messages go; "" for nowhere."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _told: dict[str, float] = field(default_factory=dict)
    _untold: dict[str, int] = field(default_factory=dict)

    def ended(
        self, run_id: str, question: Question, card_ts: str | None, result: AgentResult
    ) -> None:
        """A run has ended with a card."""
        self.observer.ended(run_id, result)
        level = LEVELS.get(result.outcome)
        if level is None:
            return
        reason = str(result.trail[-1].event).replace("_", " ") if result.trail else "no trail"
        detail = f": {fault_words(result.fault_detail)}" if result.fault_detail else ""
        log.log(level, "run %s: %s: %s%s", run_id, _words(result.outcome), reason, detail)
        self._tell(_words(result.outcome), reason, run_id, question, card_ts)

    def broke(self, run_id: str, question: Question, card_ts: str | None) -> None:
        """Our own code broke while it worked on a question; the log has its trace already."""
        self.observer.ended_so(run_id, BROKEN)
        self._tell("broken", "a bug; its trace is in the log", run_id, question, card_ts)

    def taken_over(self, run_id: str, question: Question, card_ts: str | None) -> None:
        """A process died over a question, and this one goes on with it."""
        log.warning("run %s is taken over from a process that is gone", run_id)
        words = "a process is gone, and another goes on with its question"
        self._tell("taken over", words, run_id, question, card_ts, verb="was")

    def gave_up(
        self, run_id: str, question: Question, card_ts: str | None, *, attempts: int
    ) -> None:
        """Each of so many processes that tried a question died over it: it is not tried again."""
        self.observer.gave_up()
        log.error("run %s is given up: %d processes died over it", run_id, attempts)
        words = f"{attempts} processes died over it, one after the other"
        self._tell("given up", words, run_id, question, card_ts, verb="was")

    def _tell(
        self,
        ending: str,
        reason: str,
        run_id: str,
        question: Question,
        card_ts: str | None,
        *,
        verb: str = "ended as",
    ) -> None:
        if not self.channel:
            return
        more = self._take(f"{ending}: {reason}")
        if more is None:
            return
        link = self.links.to(question.thread.channel, card_ts or question.ts)
        card = render_alarm(
            ending,
            reason,
            run_id=run_id,
            asker=question.asked_by,
            link_to_thread=link,
            more=more,
            verb=verb,
        )
        try:
            post_card(self.clients.patient, card, self.channel)
        except SLACK_TROUBLE as error:
            log.error("the operators were not told of run %s: %s", run_id, what_went_wrong(error))

    def _take(self, kind: str) -> int | None:
        """Return how many of the kind went untold since the last message; None: not now again."""
        now = time.monotonic()
        with self._lock:
            if now - self._told.get(kind, -QUIET_S) < QUIET_S:
                self._untold[kind] = self._untold.get(kind, 0) + 1
                return None
            self._told[kind] = now
            return self._untold.pop(kind, 0)


def _words(outcome: Outcome) -> str:
    return str(outcome).replace("_", " ")
