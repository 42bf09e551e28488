"""Runs whose answer nobody is to see, whatever they find."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import Final

from agent.messages import AgentResult, Outcome
from bot.audience import Audience
from bot.claimed import Claimed
from bot.clients import Clients
from bot.running import Running
from bot.slack_errors import SLACK_TROUBLE, what_went_wrong
from bot.store import Dropped

log = logging.getLogger(__name__)

EDITED: Final = "The question was changed while I worked on it, so I began anew."
DELETED: Final = "The question was deleted while I worked on it, so I stopped."
LEFT: Final = (
    "Whoever asked this has left the workspace since, so I do not show the answer. Anybody else "
    "may ask again."
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
        if self._has_left(claimed.question.asked_by):
            return LEFT
        thread, asker_only = claimed.question.thread, claimed.asker_only
        return self.audience.last_look.objection(thread, asker_only=asker_only)

    def _has_left(self, user: str) -> bool:
        """Was the member deactivated? Asked of Slack anew; False where it does not say."""
        try:
            return bool(self.clients.quick.users_info(user=user)["user"].get("deleted"))
        except SLACK_TROUBLE as error:
            log.debug("not known whether who asked is still there: %s", what_went_wrong(error))
            return False


def unwanted(result: AgentResult, words: str) -> AgentResult:
    """Return the result of a run whose answer is not shown; what it took stays."""
    return replace(result, outcome=Outcome.CANCELLED, failed=True, answer="", summary=words)
