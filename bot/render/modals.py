"""What a person fills in to answer a question, or to say what is wrong; pure."""

from __future__ import annotations

from typing import Any, Final

from bot.render.blocks import Block, context, section
from bot.render.people import member, quoted
from bot.render.text import plain

FIELD: Final = "words"
"""The block and the action of a modal's one input."""
MAX_WORDS: Final = 2_500
"""Characters of an answer; it has to fit into one section beside the names."""

_QUESTION: Final = 1_500


def render_answer_modal(key: str, *, question: str, asker: str, holder: str = "") -> Block:
    """Return the modal for an answer; `key` is what its submission brings back.

    `holder` is somebody else who has taken the question on.
    """
    taken = f" {member(holder)} has taken it on already." if holder else ""
    return fill_in(
        key,
        title="Answer",
        submit="Send",
        asked=f"{member(asker)} asked:\n{quoted(question, _QUESTION)}",
        hint=f"Your answer goes into the thread of the question, under your name.{taken}",
        label="Your answer",
    )


def render_wrong_modal(key: str, *, question: str, answer: str) -> Block:
    """Return the modal in which a person says what is wrong with an answer."""
    said = f"\nIt was answered:\n{quoted(answer, 1_000)}" if answer.strip() else ""
    return fill_in(
        key,
        title="Mark as wrong",
        submit="Mark as wrong",
        asked=f"The question:\n{quoted(question, 800)}{said}",
        hint="A warning with your words and your name is put on top of the card.",
        label="What is wrong?",
    )


def render_shut_modal(words: str) -> Block:
    """Return a modal that only says something: there is nothing to fill in any more."""
    return {
        "type": "modal",
        "title": _text("Nothing to do"),
        "close": _text("Close"),
        "blocks": [section(words)],
    }


def fill_in(
    key: str,
    *,
    title: str,
    submit: str,
    asked: str,
    hint: str,
    label: str,
    is_optional: bool = False,
    words: str = "",
) -> Block:
    """Return a modal with one field for words; `key` is what its submission brings back.

    `asked` and `hint` are mrkdwn, `words` what stands in the field at first.
    """
    element: dict[str, Any] = {
        "type": "plain_text_input",
        "action_id": FIELD,
        "multiline": True,
        "max_length": MAX_WORDS,
        "focus_on_load": True,
    }
    if words:
        element["initial_value"] = words[:MAX_WORDS]
    field: Block = {"type": "input", "block_id": FIELD, "label": _text(label), "element": element}
    if is_optional:
        field["optional"] = True
    return {
        "type": "modal",
        "title": _text(title),
        "submit": _text(submit),
        "close": _text("Cancel"),
        "private_metadata": key,
        "blocks": [section(asked), context(hint), field],
    }


def _text(words: str) -> Block:
    return {"type": "plain_text", "text": words}


def refusal(words: str) -> dict[str, Any]:
    """Return the acknowledgement that keeps a modal open and says why, at its input."""
    return {"response_action": "errors", "errors": {FIELD: plain(words)[:140]}}
