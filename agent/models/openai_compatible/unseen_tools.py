"""Whether a server shows its model the tools that it is sent.

Some take tools and drop them without a word, where the model's chat template has no place for them.
Their models then answer from thin air. The server's own count of what it read gives it away: the
same message, once with a long tool and once without, is of the same length.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, Final

from agent.messages import Usage
from agent.models.openai_compatible.complaint import Complaint
from agent.models.openai_compatible.replies import read_usage
from agent.models.retrying import Failure

Json = dict[str, Any]

TRIAL_S: Final = 15.0
"""What finding out may take of a run's time."""
_LEAST_TOKENS: Final = 15
"""Fewer than any tokenizer makes of the tool below."""
_DESCRIPTION: Final = (
    "Look up what the people of a town had for breakfast on a given morning: bread, porridge, "
    "eggs, fruit or nothing at all, how much of it they left, and whether it rained meanwhile."
)


def find_unseen(
    ask: Callable[[Json], Json | Complaint | Failure], model: str, limit: str
) -> tuple[bool | None, Usage]:
    """Return whether the tools are shown to be dropped, and the tokens that it took to find out.

    None: no answer came, so it is as open as before. `ask` makes a call; `limit` is the field that
    bounds a turn, "" for none.
    """
    took, read = Usage(), []
    for request in _trial(model, limit):
        reply = ask(request)
        if isinstance(reply, Failure):
            return None, took
        usage = read_usage(reply, Usage()) if isinstance(reply, dict) else Usage()
        took += usage
        read.append(usage.input_tokens + usage.cache_read_tokens)
        if not read[-1]:  # it counts nothing, or refuses: nothing can ever be shown
            return False, took
    without, with_tool = read
    return with_tool < without + _LEAST_TOKENS, took


def _trial(model: str, limit: str) -> tuple[Json, Json]:
    """Return two requests that differ in a tool alone: without it, and with it."""
    word = secrets.token_hex(4)  # new each time: some servers do not count what they had in cache
    asked = f"{word}: say yes, and nothing else."
    bare: Json = {"model": model, "messages": [{"role": "user", "content": asked}]}
    if limit:
        bare[limit] = 1
    schema = {"type": "object", "properties": {"town": {"type": "string"}}}
    function = {"name": "breakfast", "description": f"{word}. {_DESCRIPTION}", "parameters": schema}
    return bare, {**bare, "tools": [{"type": "function", "function": function}]}
