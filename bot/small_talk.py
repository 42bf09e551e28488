"""What is said to us that is no question: answered at once, without a run; pure.

The lists are closed and meant to stay short. A message counts only as a whole, so that "help me
find late rentals" and "thanks, and by store?" are questions like any other.
"""

from __future__ import annotations

import re
from typing import Final

from bot.render import Card, render_help, render_notice

GREETINGS: Final = frozenset(
    {
        "help",
        "help me",
        "hello",
        "hello there",
        "hi",
        "hi there",
        "hey",
        "hey there",
        "good morning",
        "good afternoon",
        "good evening",
        "who are you",
        "what are you",
        "what can you do",
        "what can i ask",
        "what can i ask you",
        "how do you work",
        "how does this work",
    }
)
"""Answered with the help."""
THANKS: Final = frozenset(
    {
        "thanks",
        "thanks a lot",
        "thanks so much",
        "many thanks",
        "thank you",
        "thank you very much",
        "thank you so much",
        "thx",
        "ty",
        "cheers",
        "great",
        "great thanks",
        "ok thanks",
        "perfect",
        "perfect thanks",
        "cool thanks",
        "nice",
    }
)
WHY: Final = frozenset(
    {
        "why",
        "why is that",
        "how do you know",
        "how do you know that",
        "how did you find that",
        "how did you find this out",
        "how did you get this",
        "how did you get that",
    }
)
"""Answered with the story of the last run of the thread."""
STOP: Final = frozenset(
    {
        "stop",
        "stop it",
        "stop that",
        "stop this",
        "stop now",
        "please stop",
        "stop please",
        "cancel",
        "cancel it",
        "cancel that",
        "cancel this",
        "please cancel",
        "never mind",
        "nevermind",
    }
)
"""Stops what the person asked in the thread; a run of its own would cost money."""
WELCOME: Final = "You’re welcome."
WORDLESS: Final = "I go by words only. Ask me a question, or answer mine, in words."
"""An emoji under an answer is most often a thank-you, and a run would cost money."""
STOPPED: Final = "Nothing of yours is running here now."
"""True whether or not something ran: what was stopped says so in its own place."""

_NO_WORDS: Final = re.compile(r":[a-z0-9_+'-]+:|[^\w\s]", re.IGNORECASE)


def reply_without_run(words: str, *, model: str) -> Card | None:
    """Return the reply to no words, a greeting, a call for help, thanks or a stop.

    None where it is none of these.

    `words` are a message's plain words; `model` is who answers questions.
    """
    if not words.strip():
        return render_help(model=model)
    said = _said(words)
    if not said and "?" not in words:
        return render_notice(WORDLESS)
    if said in GREETINGS:
        return render_help(model=model)
    if said in STOP:
        return render_notice(STOPPED)
    return render_notice(WELCOME) if said in THANKS else None


def asks_for_help(words: str) -> bool:
    """Do a message's plain words ask, as a whole, what can be asked? Nothing at all does, too."""
    return not words.strip() or _said(words) in GREETINGS


def asks_why(words: str) -> bool:
    """Do a message's plain words ask, as a whole, how the answer before them came about?"""
    return _said(words) in WHY


def asks_to_stop(words: str) -> bool:
    """Do a message's plain words ask, as a whole, to stop what is being worked on?"""
    return _said(words) in STOP


def _said(words: str) -> str:
    return " ".join(_NO_WORDS.sub(" ", words).casefold().split())
