"""The thumbs under a card, and the window that asks what was wrong; pure."""

from __future__ import annotations

from typing import Final

from bot.render.blocks import Block
from bot.render.modals import fill_in
from bot.render.people import quoted

FEEDBACK: Final = "feedback"
"""The action of the two thumbs."""
REASON: Final = "feedback_reason"
"""The window that a thumb down opens."""

_GOOD: Final = "up:"
_BAD: Final = "down:"
_QUESTION: Final = 800


def thumbs(run_id: str) -> Block:
    """Return the two thumbs for the answer of a run."""
    return {
        "type": "context_actions",
        "elements": [
            {
                "type": "feedback_buttons",
                "action_id": FEEDBACK,
                "positive_button": _thumb("Good answer", _GOOD + run_id),
                "negative_button": _thumb("Bad answer", _BAD + run_id),
            }
        ],
    }


def read_thumb(value: str) -> tuple[bool, str]:
    """Return whether a pressed thumb says good, and the run that it is of."""
    return value.startswith(_GOOD), value.partition(":")[2]


def render_reason_modal(run_id: str, *, question: str, reason: str = "") -> Block:
    """Return the window for a reason, which may be left empty; `reason` was given before."""
    return fill_in(
        run_id,
        title="Bad answer",
        submit="Send",
        asked=f"The question:\n{quoted(question, _QUESTION)}",
        hint="Your 👎 counts already. Whoever can see this question in the log can read your "
        "reason too.",
        label="What was wrong?",
        is_optional=True,
        words=reason,
    )


def _thumb(label: str, value: str) -> Block:
    text = {"type": "plain_text", "text": label}
    return {"text": text, "accessibility_label": label, "value": value}
