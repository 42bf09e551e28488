"""Keeps what a model reads within a number of tokens; pure.

Old observations shrink first: of a query its head and its first row are left, of a search its
first line. The schema of a table is kept once, whole. The question, every message of a person, the
newest observations and the last error are never touched. Only where all that is not enough, as
with several tables of hundreds of columns, long schemas lose their remarks, and then every long
text gets an equal share of the room.

What has shrunk once stays so, and when something has to, more of it does than is needed just then:
each change of what a model has read already costs all that its provider's cache holds behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from agent.messages import Directive, Message, Observations, ToolResult, Turn, UserMessage

MAX_TOKENS: Final = 24_000
"""Tokens of one conversation, its earlier questions included."""
CHARS_PER_TOKEN: Final = 3
"""On the safe side for English, SQL and JSON, of which most models make a token every 3 to 4."""
SPARE: Final = 0.25
"""The part of all tokens that is free again once something has shrunk."""
DIGEST_CHARS: Final = 400
"""Characters that are left of an old observation."""
PAST_CHARS: Final = 600
"""Characters that are left of an answer to an earlier question."""
DIRECTIVE_CHARS: Final = 800
"""Characters of a directive, and of what it tells of its task, on the safe side."""
MIN_SHARE: Final = 3_000
"""Characters below which no schema and no new observation is cut."""

CUT: Final = "(the rest is left out here: there is no room for it)"
SCHEMA_FENCE: Final = "```schema"
SHRUNK: Final = "(older rows are left out here; run the query again to see them)"


def tokens(messages: Sequence[Message]) -> int:
    """Return about how many tokens the messages take, on the safe side."""
    return sum(_length(message) for message in messages) // CHARS_PER_TOKEN + 1


def fit(messages: Sequence[Message], limit: int) -> tuple[Message, ...]:
    """Return the messages within `limit` tokens, the oldest shrunk first.

    Earlier questions of the thread come first, then observations by age. What people wrote, the
    errors and the model's own turns of this run are kept whole even where the limit is then passed.
    """
    whole = _each_schema_once(messages)
    small = [_shrunk(message) for message in whole]
    shrunk = _to_shrink(whole, small, limit)
    kept = [small[n] if n in shrunk else message for n, message in enumerate(whole)]
    if tokens(kept) > limit:
        kept = [_each(message, _without_remarks) for message in kept]
    if tokens(kept) > limit:
        kept = _shared(kept, limit)
    return tuple(kept)


def _to_shrink(whole: Sequence[Message], small: Sequence[Message], limit: int) -> set[int]:
    """Return the positions that have shrunk by now, gone through turn by turn as the model was."""
    lengths, saved = [_length(message) for message in whole], [0] * len(whole)
    for n, message in enumerate(small):
        saved[n] = lengths[n] - _length(message)
    shrunk: set[int] = set()
    ends = [n for n, message in enumerate(whole) if isinstance(message, Turn)]
    for end in (*ends, len(whole)):
        room = limit * CHARS_PER_TOKEN - sum(lengths[:end]) + sum(saved[n] for n in shrunk)
        if room >= 0:
            continue
        untouched = _untouched(whole[:end])
        for n in range(end):
            if room >= limit * CHARS_PER_TOKEN * SPARE:
                break
            if n not in untouched and n not in shrunk and saved[n] > 0:
                shrunk.add(n)
                room += saved[n]
    return shrunk


def _untouched(messages: Sequence[Message]) -> set[int]:
    observed = [n for n, message in enumerate(messages) if isinstance(message, Observations)]
    failed = [n for n in observed if _has_error(messages[n])]
    return {*observed[-1:], *failed[-1:]}


def _each(message: Message, change: Callable[[ToolResult], ToolResult]) -> Message:
    if not isinstance(message, Observations):
        return message
    return Observations(tuple(map(change, message.results)))


def _without_remarks(result: ToolResult) -> ToolResult:
    """Return a long schema with the name and the type of each column, and no more."""
    if result.tool != "get_schema" or result.is_error or len(result.content) <= MIN_SHARE:
        return result
    lines = (
        line.partition(": ")[0] if line.startswith("- ") else line
        for line in result.content.splitlines()
    )
    return replace(result, content="\n".join(lines))


def _shared(messages: Sequence[Message], limit: int) -> list[Message]:
    """Return the messages with what is left of the room shared by the long texts."""
    results = [r for m in messages if isinstance(m, Observations) for r in m.results]
    long = [r for r in results if not r.is_error and len(r.content) > MIN_SHARE]
    taken = sum(map(_length, messages)) - sum(len(result.content) for result in long)
    room = limit * CHARS_PER_TOKEN - taken
    share = max(room // max(len(long), 1) - len(CUT) - 1, MIN_SHARE)

    def cut(result: ToolResult) -> ToolResult:
        if result.is_error or len(result.content) <= share:
            return result
        head = result.content[:share]
        mark = "\n</data>" if "<data>" in head else ""
        return replace(result, content=f"{head}{mark}\n{CUT}")

    return [_each(message, cut) for message in messages]


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
    if isinstance(message, Turn) and SCHEMA_FENCE in message.text:
        return message  # the tables of a question back: this run begins with them
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
    if isinstance(message, Directive):
        return sum(map(len, message.tools)) + DIRECTIVE_CHARS
    if isinstance(message, Observations):
        return sum(len(result.content) + 40 for result in message.results)
    calls = sum(len(str(call.arguments)) + len(call.malformed) + 40 for call in message.tool_calls)
    return len(message.text) + calls + len(str(message.provider_content or ""))
