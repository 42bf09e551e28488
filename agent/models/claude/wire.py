"""Between our values and the Messages API's JSON; pure.

The API refuses a conversation that is not well formed: roles take turns, every tool_use has its
tool_result first thing in the next message, no text is blank. `to_messages` guarantees that,
whatever a run's memory holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from agent.messages import (
    Message,
    Observations,
    ToolCall,
    ToolResult,
    ToolSpec,
    Turn,
    Usage,
    UserMessage,
)

Json = dict[str, Any]

_CACHED: Final = {"type": "ephemeral"}
_MAX_NAME: Final = 128
_NOT_RUN: Final = "This call was not run."
_PLAIN_STOPS: Final = {
    # The window ended before the turn did: for whoever reads the turn, that is a turn cut off.
    "model_context_window_exceeded": "max_tokens",
    None: "unknown",
}


class NotAMessage(ValueError):
    """A reply with status 200 that is no message of the API."""


def to_request(
    model: str, max_tokens: int, system: str, messages: Sequence[Message], tools: Sequence[ToolSpec]
) -> Json:
    """Return the body of a request, with cache marks after the tools, the system and the end."""
    request: Json = {
        "model": model,
        "max_tokens": max_tokens,
        "messages": to_messages(messages),
        "cache_control": dict(_CACHED),
    }
    if system.strip():
        request["system"] = [{**_text(system), "cache_control": dict(_CACHED)}]
    if tools:
        request["tools"] = [
            {"name": t.name, "description": t.description, "input_schema": dict(t.input_schema)}
            for t in tools
        ]
        request["tools"][-1]["cache_control"] = dict(_CACHED)
    elif used := _tools_used(messages):
        # The API wants the tools of past calls declared, also where none may be called any more.
        request["tools"] = [_gone(name) for name in used]
        request["tool_choice"] = {"type": "none"}
    return request


def _tools_used(messages: Sequence[Message]) -> list[str]:
    calls = (call for each in messages if isinstance(each, Turn) for call in each.tool_calls)
    return list(dict.fromkeys(_name(call) for call in calls))


def _gone(name: str) -> Json:
    description = "Not to be called any more: answer with what is known."
    return {"name": name, "description": description, "input_schema": {"type": "object"}}


def to_messages(messages: Sequence[Message]) -> list[Json]:
    """Return the conversation as the API takes it."""
    wire: list[Json] = []
    unanswered: list[str] = []
    for message in messages:
        if isinstance(message, Turn):
            _append(wire, "user", [_result(call_id) for call_id in unanswered])
            blocks = _blocks_of(message)
            unanswered = [block["id"] for block in blocks if block["type"] == "tool_use"]
            _append(wire, "assistant", blocks)
        else:
            _append(wire, "user", _user_blocks(message, unanswered))
            unanswered = []
    _append(wire, "user", [_result(call_id) for call_id in unanswered])
    return wire


def _append(wire: list[Json], role: str, blocks: list[Json]) -> None:
    if not blocks:
        return
    if wire and wire[-1]["role"] == role:
        wire[-1]["content"] += blocks
    else:
        wire.append({"role": role, "content": blocks})


def _user_blocks(message: UserMessage | Observations, unanswered: Sequence[str]) -> list[Json]:
    """Results come first, in the order of the calls; what answers no call is text."""
    if isinstance(message, UserMessage):
        return [*(_result(call_id) for call_id in unanswered), _text(message.text)]
    given = {_id(result.call_id): result for result in message.results}
    strays = [result for result in message.results if _id(result.call_id) not in unanswered]
    return [
        *(_result(call_id, given.get(call_id)) for call_id in unanswered),
        *(_text(f"Result of {stray.tool}: {stray.content}") for stray in strays),
    ]


def _result(call_id: str, result: ToolResult | None = None) -> Json:
    content = _clean(result.content) if result is not None else _NOT_RUN
    block: Json = {"type": "tool_result", "tool_use_id": call_id, "content": content or "(empty)"}
    return {**block, "is_error": True} if result is None or result.is_error else block


def _blocks_of(turn: Turn) -> list[Json]:
    """Return a turn's blocks exactly as they came; a turn from elsewhere in blocks of our own."""
    if turn.provider_content:
        # The API itself now and then gives a blank text, and then refuses to take it back.
        return [
            dict(block)
            for block in turn.provider_content
            if block["type"] != "text" or str(block.get("text", "")).strip()
        ]
    text = [_text(turn.text)] if turn.text.strip() else []
    calls = [
        {
            "type": "tool_use",
            "id": _id(call.id),
            "name": _name(call),
            "input": dict(call.arguments),
        }
        for call in turn.tool_calls
    ]
    return [*text, *calls]


def _id(given: str) -> str:
    """What the API takes as an id or a name; its own ids stay as they are."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", given) or "unknown"


def _name(call: ToolCall) -> str:
    return _id(call.name)[:_MAX_NAME]


def _text(text: str) -> Json:
    return {"type": "text", "text": _clean(text) if text.strip() else "(empty)"}


def _clean(text: str) -> str:
    """Half of a character pair, as some clients send, is no UTF-8 and would fail to be sent."""
    return text.encode("utf-8", "replace").decode()


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
