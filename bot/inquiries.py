"""Answers what /ask wants to know of the bot's own record: why, the queue, the log."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from agent.asker import Asker
from bot.audience import Audience
from bot.escalation import Escalations
from bot.escalation_watch import waiting_of
from bot.links import NO_MESSAGE, Links
from bot.log_search import LogHelp
from bot.log_sentence import log_sentence
from bot.render import Card, render_notice, render_why
from bot.render.handoff import whom_to_ask
from bot.render.log import render_log
from bot.render.messages import render_words
from bot.render.queue import render_queue
from bot.store import Escalation, LogEntry, LogSearch, Store, StoreUnavailable
from bot.why import story_of

log = logging.getLogger(__name__)

LISTED = 15
LOOKED_BACK = 20
RECENT = 10
QUEUE_LENGTH = 100
NOTHING_ASKED = (
    "You have asked me nothing in this channel yet. Press “Why” under any answer to see how it "
    "came about."
)


@dataclass(frozen=True)
class Inquiries:
    """Looks things up in the record, each for the eyes of the one who asks."""

    store: Store
    links: Links
    audience: Audience
    escalations: Escalations
    team: str
    time_zone: str

    def why(self, user: str, channel: str) -> Card:
        """Return the story of the last run of a member in a channel."""
        search = LogSearch(self.team, user, here=channel, channel=channel, asked_by=user)
        try:
            entries = self.store.find_runs(search, limit=LOOKED_BACK)
            last = next((each for each in entries if each.outcome is not None), None)
            run = self.store.run(last.run_id) if last else None
            if run is None:
                return render_notice(NOTHING_ASKED)
            return render_why(story_of(self.store, run), run.id)
        except StoreUnavailable as fault:
            return _away(fault)

    def queue(self, user: str, channel: str) -> Card:
        """Return what waits for a person, as far as it is for this member's eyes."""
        if not self.escalations.channel:
            words = "Nothing waits in a queue: no channel is set for it. "
            return render_words(words + whom_to_ask(self.escalations.contact))
        try:
            waiting = self.store.open_escalations(QUEUE_LENGTH, team=self.team)
        except StoreUnavailable as fault:
            return _away(fault)
        sees_all = channel == self.escalations.channel or self.audience.may_read(
            user, self.escalations.channel
        )
        seen = [each for each in waiting if sees_all or _concerns(each, user, channel)]
        shown = [waiting_of(each, self.links) for each in seen[:LISTED]]
        return render_queue(shown, more=len(seen) - len(shown), hidden=len(waiting) - len(seen))

    def zone_of(self, user: str) -> str:
        """Return the time zone of a member as Slack told of them lately; ours where it did not."""
        facts = self.audience.members.known(user) or {}
        return Asker(zone=str(facts.get("tz") or "")).known_zone or self.time_zone

    def log(self, search: LogSearch | LogHelp, zone: str) -> Card:
        """Return the entries that were looked for, with times of `zone`, or how to look."""
        if isinstance(search, LogHelp):
            return render_words(search.text)
        try:
            entries = self.store.find_runs(search, limit=LISTED)
        except StoreUnavailable as fault:
            return _away(fault)
        return render_log([self._sentence(each, zone) for each in entries], limit=LISTED)

    def recent(self, user: str) -> list[str] | None:
        """Return the newest questions of one person for their own eyes; None: not to be had."""
        search, zone = LogSearch(self.team, user, asked_by=user), self.zone_of(user)
        try:
            entries = self.store.find_runs(search, limit=RECENT)
            return [self._sentence(each, zone, viewer=user) for each in entries]
        except StoreUnavailable as fault:
            log.error("the record could not be looked at: %s", fault.detail)
            return None

    def _sentence(self, entry: LogEntry, zone: str, viewer: str = "") -> str:
        today = datetime.now(ZoneInfo(zone)).date()
        link = self.links.to(entry.channel, entry.card_ts or entry.message_ts)
        return log_sentence(entry, permalink=link, time_zone=zone, today=today, viewer=viewer)


def _concerns(escalation: Escalation, user: str, channel: str) -> bool:
    """Did the member ask it, call for a person, take it, or could they read it where they are?"""
    question = escalation.run.question
    is_theirs = user in (question.asked_by, escalation.asked_by, escalation.claimed_by)
    was_private = question.ts.startswith(NO_MESSAGE)
    return is_theirs or (question.thread.channel == channel and not was_private)


def _away(fault: StoreUnavailable) -> Card:
    log.error("the record could not be looked at: %s", fault.detail)
    return render_notice(f"{fault} Please try again in a moment.")
