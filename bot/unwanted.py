"""Runs whose answer nobody is to see, whatever they find."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import Final

from agent.messages import AgentResult, Outcome
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


@dataclass(frozen=True)
class Wanted:
    """Tells runs that are still wanted from those that are not; safe to share between threads."""

    running: Running
    clients: Clients

    def objection(self, run_id: str, asked_by: str, *, has_run: bool) -> str | None:
        """Return why the answer of a run is not to be shown, in words for the thread; or None."""
        dropped = self.running.dropped(run_id)
        if dropped is not None:
            return EDITED if dropped is Dropped.EDITED else DELETED
        if not self.clients.may_work():
            return SHUT_OUT
        return LEFT if has_run and self._has_left(asked_by) else None

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
