"""`/ask about yourself: …`: the bot's own log as a database that can be asked about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Final

from agent.errors import Fault
from agent.run import Agent, make_agent
from agent.settings import AgentSettings
from bot.store.reader import reader_address

_ABOUT: Final = re.compile(
    r"(?:about (?:yourself|itself|you|the bot)|yourself)\s*(?:[:,–—-]\s*|$)|about yourself\s+",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class NoSelfAgent:
    """Why the bot cannot be asked about itself; the reason says what to do."""

    reason: str


def about_itself(text: str) -> str | None:
    """Return the question of "about yourself: …", "" where none follows; None for other text."""
    words = " ".join(text.split())
    found = _ABOUT.match(words)
    return None if found is None else words[found.end() :].strip()


@contextmanager
def open_self_agent(
    store_url: str, settings: AgentSettings, *, reader_url: str | None = None
) -> Iterator[Agent | NoSelfAgent]:
    """Yield an agent over the two views of the log, or why there is none.

    `store_url` is the store's, which has to be open, for its views to be there; `settings` choose
    the model and the time zone; `reader_url` names a reading login that somebody made by hand.
    What is started for the agent ends with the block. Raises `SettingsInvalid` for a model that
    cannot be made, as `make_agent` does.
    """
    with ExitStack() as stack:
        try:
            address = reader_address(store_url, reader_url)
        except Fault as fault:
            yield NoSelfAgent(str(fault))
            return
        # What PUBLIC may do in the store's database is not the bot's to take away.
        ours = settings.model_copy(update={"accept_public_rights": True})
        yield stack.enter_context(make_agent(ours, address))
