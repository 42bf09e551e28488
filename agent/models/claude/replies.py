"""From the Messages API's replies to our values; pure."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from agent.messages import ToolCall, Turn, Usage

Json = dict[str, Any]

_PLAIN_STOPS: Final = {
    # The window ended before the turn did: for whoever reads the turn, that is a turn cut off.
    "model_context_window_exceeded": "max_tokens",
    None: "unknown",
}


class NotAMessage(ValueError):
    """A reply with status 200 that is no message of the API."""


def read_message(body: bytes) -> Json:
    """Return the message in a reply's body. Raises `NotAMessage` for anything else."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        raise NotAMessage(f"no JSON: {body[:80]!r}") from None
    blocks = message.get("content") if isinstance(message, dict) else None
    if not isinstance(blocks, list) or not all(map(_is_block, blocks)):
        raise NotAMessage(f"no message: {body[:80]!r}")
    return dict(message)


def _is_block(block: object) -> bool:
    if not isinstance(block, dict) or not isinstance(block.get("type"), str):
        return False
    if block["type"] == "tool_use":
        return all(isinstance(block.get(key), str) and block[key] for key in ("id", "name"))
    return block["type"] != "text" or isinstance(block.get("text"), str)


def to_turn(messages: Sequence[Json]) -> Turn:
    """Return one turn of the model, which may have come in several pieces.

    `stop_reason` is, in plain words: "end_turn" (it has said what it had to say), "tool_use" (it
    waits for its calls), "max_tokens" (cut off: text and calls may be incomplete), "refusal" (it
    will not answer), "pause_turn" (it still was not done after several pieces), "unknown" (not
    said), or a word of the API that is newer than this code.
    """
    blocks = [block for message in messages for block in message["content"]]
    stop = messages[-1].get("stop_reason")
    texts = [block["text"].strip() for block in blocks if block["type"] == "text"]
    return Turn(
        text="\n\n".join(text for text in texts if text),
        tool_calls=tuple(_call(block) for block in blocks if block["type"] == "tool_use"),
        stop_reason=_PLAIN_STOPS.get(stop, str(stop)),
        usage=_total(_usage(message.get("usage")) for message in messages),
        provider_content=tuple(blocks),
    )


def _call(block: Mapping[str, Any]) -> ToolCall:
    arguments = block.get("input")
    if isinstance(arguments, dict):
        return ToolCall(block["id"], block["name"], arguments)
    return ToolCall(block["id"], block["name"], {}, malformed=json.dumps(arguments))


def _usage(usage: object) -> Usage:
    counts = usage if isinstance(usage, dict) else {}

    def count(name: str) -> int:
        value = counts.get(name)
        return value if isinstance(value, int) else 0

    return Usage(
        input_tokens=count("input_tokens"),
        output_tokens=count("output_tokens"),
        cache_read_tokens=count("cache_read_input_tokens"),
        cache_write_tokens=count("cache_creation_input_tokens"),
    )


def _total(usages: Iterable[Usage]) -> Usage:
    return sum(usages, start=Usage())
