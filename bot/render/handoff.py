"""What a card says of getting a person's help; pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from bot.render.text import plain

PASSED_ON: Final = "I have passed it on to a person. The answer will come here, in this thread."
PASSED_ON_PRIVATELY: Final = (
    "I have passed it on to a person. The answer will come to you in a direct message."
)
WAITS_FOR_CONSENT: Final = (
    "Nobody outside this conversation has seen it. Press *Ask a person* to pass it on."
)
NOT_PASSED_ON: Final = "I could not pass it on to a person: my own record cannot be reached."
GO_ON: Final = "Answer here in the thread and I will go on."
GO_ON_NAMED: Final = "Answer here in the thread and mention me: I will go on."
GO_ON_ALONE: Final = "Ask again with that in your question: only you see this, so it has no thread."
CONFIRM: Final[dict[str, Any]] = {
    "title": {"type": "plain_text", "text": "Ask a person?"},
    "text": {
        "type": "plain_text",
        "text": "Your question, this card, its SQL and its first rows will be shown to the people "
        "who answer such questions. Their answer will come back to you.",
    },
    "confirm": {"type": "plain_text", "text": "Ask a person"},
    "deny": {"type": "plain_text", "text": "Cancel"},
}


@dataclass(frozen=True)
class Handoff:
    """What becomes of a run that has no answer, and whether a person can be asked in Slack."""

    next_step: str
    """mrkdwn of our own: what happens now, or whom to turn to."""
    go_on: str = GO_ON
    """Said under a question back."""
    has_channel: bool = False
    """People wait for questions in a channel, so the button asks first whether they may see it."""
    can_share: bool = False
    """Nobody but the one who asked sees the card, and there is a channel to share it with."""
    stopped_by: str = ""
    """The member who stopped the run, if somebody did."""


def how_to_go_on(*, has_thread: bool, needs_mention: bool) -> str:
    """Return how a question back is answered."""
    if not has_thread:
        return GO_ON_ALONE
    return GO_ON_NAMED if needs_mention else GO_ON


def turn_to(contact: str) -> Handoff:
    """Return the handoff where no channel is set: it names `contact`, or whoever runs the bot."""
    return Handoff(whom_to_ask(contact))


def whom_to_ask(contact: str) -> str:
    """Return the sentence that names whom to turn to, as mrkdwn."""
    return f"Ask {plain(contact.strip()).rstrip('.') or 'whoever runs this bot'}."
