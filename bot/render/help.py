"""What the bot can do and how to ask it; pure."""

from __future__ import annotations

from typing import Final

from bot.render.blocks import context, section
from bot.render.card import Card
from bot.render.text import clip, plain

_HOW: Final = (
    "*Ask me about your data in plain words.* Mention me in a channel, write to me directly,"
    " or use `/ask`. I look at the tables, run a query that can only read, and show you the"
    " answer with its rows and its SQL."
)
_EXAMPLES: Final = (
    "Questions I am good at:",
    "• How many customers do we have?",
    "• Top five categories by revenue, as a bar chart",
    "• Revenue by month in 2025",
    "• Which store has the most rentals?",
)
_AFTER: Final = (
    "Go on in the same thread: “only last year”, “by store”, “as a line chart”. If something"
    " went wrong, or no query was run, a ⚠️ at the top of the answer says so. Under each answer,"
    " *Why* tells what I did, and *Ask a person* passes it on. In the menu of any message, *Ask"
    " about this message* asks about that."
)
_COMMANDS: Final = (
    "Only you see what these tell:",
    "• `/ask private how many customers do we have?` – a question and its answer for you alone",
    "• `/ask tables` – what I may read; `/ask tables customer payment` finds what fits",
    "• `/ask why` – how I came to your last answer in this channel",
    "• `/ask stop` – ends what I am working on for you in this channel",
    "• `/ask queue` – the questions that wait for a person",
    "• `/ask usage` – what your questions took, and what is left of a limit",
    "• `/ask log failed this week` – what was asked, and how it ended; `/ask log help` says more",
    "• `/ask about yourself: how many questions failed this week?` – questions about my own record",
    "• `/ask settings` – what holds in this channel; administrators only",
)

_FORMS: Final = {
    "usage": (
        "`/ask usage` tells you alone what your questions took today and this month, and what is "
        "left of a limit."
    ),
    "queue": "`/ask queue` tells you alone which questions wait for a person.",
    "settings": (
        "`/ask settings` opens a form with what holds in this channel: whether I answer there, "
        "need a mention for follow-ups, answer in private, and answer guests. Administrators only."
    ),
}
_IS_A_QUESTION: Final = (
    "It takes no further words. Is it a question about your data? Then put it as a whole sentence, "
    "such as: /ask show {words}"
)


def render_form(form: str, *, words: str, model: str) -> Card:
    """Return what a form of /ask does, for somebody who put `words` behind it, "" for none."""
    if form not in _FORMS:
        return render_help(model=model)
    told = plain(clip(f"{form} {words}", 80))
    hint = f" {_IS_A_QUESTION.format(words=told)}" if words else ""
    return Card([section(_FORMS[form] + hint)], _FORMS[form] + hint)


def render_help(*, model: str, with_examples: bool = True) -> Card:
    """Return what the bot can do and how to ask it; `model` is who answers.

    The examples are general; where the database's own are shown, these are left out.
    """
    name = plain(clip(model, 80))
    examples = ["\n".join(_EXAMPLES)] if with_examples else []
    texts = (_HOW, *examples, _AFTER, "\n".join(_COMMANDS))
    blocks = [section(text) for text in texts]
    blocks += [context(f"Model: {name}")] if name else []
    return Card(
        blocks, "Ask me about your data in plain words: mention me, write to me, or use /ask."
    )
