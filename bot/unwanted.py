"""Runs whose answer nobody is to see, whatever they find."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from agent.messages import AgentResult, Outcome
from bot.audience import Audience
from bot.claimed import Claimed
from bot.clients import Clients
from bot.running import Running
from bot.slack_errors import SLACK_TROUBLE, what_went_wrong
from bot.slack_facts import about_member
from bot.store import Dropped, Thread

log = logging.getLogger(__name__)

EDITED: Final = "The question was changed while I worked on it, so I began anew."
DELETED: Final = "The question was deleted while I worked on it, so I stopped."
LEFT: Final = (
    "Whoever asked this has left the workspace since, so I do not show the answer. Anybody else "
    "may ask again."
)
NO_MORE: Final = (
    "Whoever asked this may not ask here any more, so I do not show the answer. A full member of "
    "the workspace may ask again."
)
SHUT_OUT: Final = (
    "Slack did not let me work when this question came. Please ask again; if that does not help, "
    "whoever runs me has to install me anew."
)


CLOSED: Final = (
    "This channel was closed to me while I worked on the question, so I stopped. Please ask again."
)
UNTOLD: Final = frozenset({EDITED, DELETED, LEFT})
"""Where nothing stands there yet, nobody waits for these words."""


@dataclass(frozen=True)
class Wanted:
    """Tells runs that are still wanted from those that are not; safe to share between threads."""

    running: Running
    clients: Clients
    audience: Audience

    def objection(self, claimed: Claimed, *, has_run: bool) -> str | None:
        """Return why the answer of a run is not to be shown, in words for the thread; or None.

        Before an answer is shown (`has_run`), Slack is asked anew who asked and who reads along.
        """
        dropped = self.running.dropped(claimed.run_id)
        if dropped is not None:
            return EDITED if dropped is Dropped.EDITED else DELETED
        if not self.clients.may_work():
            return SHUT_OUT
        if self.running.is_closed(claimed.run_id):
            return CLOSED
        if not has_run:
            return None
        thread, asker_only = claimed.question.thread, claimed.asker_only
        asker = self._of_asker(claimed.question.asked_by, thread)
        return asker or self.audience.last_look.objection(thread, asker_only=asker_only)

    def _of_asker(self, user: str, thread: Thread) -> str | None:
        """Return why whoever asked gets no answer by now; None, too, where Slack does not say."""
        try:
            quick = partial(about_member, self.clients.quick)
            member = self.audience.members.get(user, anew=True, ask=quick)
        except SLACK_TROUBLE as error:
            log.debug("not known whether who asked is still there: %s", what_went_wrong(error))
            return None
        if member.get("deleted"):
            return LEFT
        return NO_MORE if self.audience.refusal_of_asker(user, thread) else None


def unwanted(result: AgentResult, words: str) -> AgentResult:
    """Return the result of a run whose answer is not shown; what it took stays."""
    return replace(result, outcome=Outcome.CANCELLED, failed=True, answer="", summary=words)
