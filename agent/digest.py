"""Keeps what a model reads within a number of tokens; pure.

Old observations shrink first: of a query its head and its first row are left, of a search its
first line. The schema of a table is kept once, whole. The question, every message of a person, the
newest observations and the last error are never touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agent.messages import Message, Observations, ToolResult, Turn, UserMessage

MAX_TOKENS: Final = 24_000
"""Tokens of one conversation, its earlier questions included."""
CHARS_PER_TOKEN: Final = 3
"""On the safe side for English, SQL and JSON, of which most models make a token every 3 to 4."""
DIGEST_CHARS: Final = 400
"""Characters that are left of an old observation."""
PAST_CHARS: Final = 600
"""Characters that are left of an answer to an earlier question."""

SHRUNK: Final = "(older rows are left out here; run the query again to see them)"


def tokens(messages: Sequence[Message]) -> int:
    """Return about how many tokens the messages take, on the safe side."""
    return sum(_length(message) for message in messages) // CHARS_PER_TOKEN + 1


def fit(messages: Sequence[Message], limit: int) -> tuple[Message, ...]:
    """Return the messages within `limit` tokens, the oldest shrunk first and only as many as need.

    Earlier questions of the thread come first, then observations by age. What must not be lost is
    kept even where the limit is then passed: the loop's own ceilings bound that.
    """
    kept = _each_schema_once(messages)
    observed = [n for n, message in enumerate(kept) if isinstance(message, Observations)]
    failed = [n for n in observed if _has_error(kept[n])]
    untouched = {*observed[-1:], *failed[-1:]}
    for position, message in enumerate(kept):
        if tokens(kept) <= limit:
            break
        if position not in untouched:
            kept[position] = _shrunk(message)
    return tuple(kept)


def _has_error(message: Message) -> bool:
    return isinstance(message, Observations) and any(each.is_error for each in message.results)


def _each_schema_once(messages: Sequence[Message]) -> list[Message]:
    seen: set[str] = set()
    kept: list[Message] = []
    for message in messages:
        if isinstance(message, Observations):
            results = []
            for result in message.results:
                again = result.tool == "get_schema" and result.content in seen
                seen.add(result.content)
                text = "This schema stands above already."
                results.append(replace(result, content=text) if again else result)
            message = Observations(tuple(results))
        kept.append(message)
    return kept


def _shrunk(message: Message) -> Message:
    if isinstance(message, Observations):
        return Observations(tuple(_digest(result) for result in message.results))
    if isinstance(message, Turn) and message.is_past and len(message.text) > PAST_CHARS:
        return replace(message, text=f"{message.text[:PAST_CHARS]}…")
    return message


def _digest(result: ToolResult) -> ToolResult:
    if result.tool == "get_schema" or len(result.content) <= DIGEST_CHARS:
        return result
    lines = result.content.splitlines()
    if "<data>" in lines:
        start = lines.index("<data>")
        head = [*lines[:start], "<data>", *lines[start + 1 : start + 2], "</data>", SHRUNK]
        notes = [line for line in lines if line.startswith("note: ")]
        text = "\n".join([*head, *notes])
    else:
        text = result.content
    if len(text) > 2 * DIGEST_CHARS:
        text = f"{text[:DIGEST_CHARS]}… {SHRUNK}"
    return replace(result, content=text)


def _length(message: Message) -> int:
    if isinstance(message, UserMessage):
        return len(message.text)
    if isinstance(message, Observations):
        return sum(len(result.content) + 40 for result in message.results)
    calls = sum(len(str(call.arguments)) + len(call.malformed) + 40 for call in message.tool_calls)
    return len(message.text) + calls + len(str(message.provider_content or ""))
