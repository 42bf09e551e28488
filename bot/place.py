"""Where a question is answered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.allowance import Permission
from bot.render import Card, Working


class Place(Permission, Protocol):
    """Where one question is answered: one message, that changes.

    `take` says whether the next step may be shown now.
    """

    @property
    def ts(self) -> str | None:
        """The message's id, if it has one that lasts."""

    @property
    def stands_at(self) -> str | None:
        """The message of it that everybody reads, if there is one: the same, or a word of it."""

    @property
    def keeps_session(self) -> bool:
        """The place itself tells Slack whether its thread is being worked on."""

    def begin(self, working: Working) -> None:
        """Show that the work has begun."""

    def show(self, working: Working) -> bool:
        """Show how far the work is; may be left out. False where it is to be tried again."""

    def finish(self, cards: Sequence[Card], *, waits: bool = False) -> bool:
        """Show the first of `cards` that Slack takes, from the whole one to the simplest.

        `waits`: it is the person's turn now. False when the person could not be reached; the
        reason is in the log.
        """
