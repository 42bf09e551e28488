"""What of our libraries' talk stays out of the log, however much of ours is wanted."""

from __future__ import annotations

import logging
from typing import Final

_TELL_ALL: Final = (
    *("anthropic", "openai", "httpx2", "httpcore2", "httpx", "httpcore", "sqlalchemy"),
    *("urllib3", "requests", "opentelemetry"),
)
LEVELS: Final = {
    **dict.fromkeys(_TELL_ALL, logging.WARNING),
    **dict.fromkeys(("slack_sdk", "slack_bolt", "bot.bolt", "bot.slack_calls"), logging.INFO),
}
"""At their most talkative they write whole requests: questions and answers that were private, and
addresses at which whoever knows them may answer in our name."""


def keep_private() -> None:
    """Let none of them write down what people say, nor more than all others may."""
    for name, level in LEVELS.items():
        logging.getLogger(name).setLevel(max(level, logging.getLogger().level))
