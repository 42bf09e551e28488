"""What administrators may set for a channel, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class ChannelSettings:
    """What holds for questions in one channel; the defaults hold where nobody has set anything."""

    allowed: bool = True
    """Questions are answered here."""
    shared_with: frozenset[str] | None = None
    """The organisations that may read along, as an administrator saw them; None: none may.

    An empty set lets those read along whom Slack does not name.
    """
    follow_ups: bool = True
    """A reply in a thread of ours is a question without a mention too."""
    private: bool = False
    """Only the one who asks sees the answer."""
    guests: bool = False
    """Guests of the workspace may ask."""
    set_by: str = ""
    """Who set it last, and when; "" and None: nobody has."""
    set_at: datetime | None = None
