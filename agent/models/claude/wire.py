"""From our values to the Messages API's JSON; pure.

The API refuses a conversation that is not well formed: roles take turns, every tool_use has its
tool_result first thing in the next message, no text is blank. `to_request` guarantees that,
whatever a run's memory holds.

The cache. A request reads what an earlier one wrote, as far as the two are the same from the start:
tools, then system, then messages. So the first two never change within a run, the third only grows,
and three marks say what to write: the end of the system, the end of what is said now, and the end
of what was said the turn before, where this request begins to read.

Thoughts. Newer models take their thoughts back only where all that was said before them is
unchanged, and may refuse the request otherwise. Where something was changed (an old result shrank,
another model answered), the thoughts that came after it stay out.

https://platform.claude.com/docs/en/build-with-claude/prompt-caching and .../preserved-thinking
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from agent.messages import (
    Message,
    Observations,
    ToolCall,
    ToolResult,
    ToolSpec,
    Turn,
    UserMessage,
    directive_in,
)
from agent.models.claude.extras import Extra
from agent.models.claude.strict import with_strict
from agent.models.directives import in_words

Json = dict[str, Any]

_CACHED: Final = {"type": "ephemeral"}
_MAX_NAME: Final = 128
_NOT_RUN: Final = "This call was not run."
_THOUGHTS: Final = frozenset({"thinking", "redacted_thinking"})


def to_request(
    model: str,
    max_tokens: int,
    system: str,
    messages: Sequence[Message],
    tools: Sequence[ToolSpec],
    *,
    extras: frozenset[Extra] = frozenset(Extra),
) -> Json:
    """Return the body of a request, with those `extras` that it would have."""
    request: Json = {"model": model, "max_tokens": max_tokens}
    if system.strip():
        request["system"] = [_text(system)]
    if tools:
        wire = [_tool(t.name, t.description, t.input_schema) for t in tools]
        request["tools"] = with_strict(wire) if Extra.STRICT in extras else wire
    elif used := _tools_used(messages):
        # The API wants the tools of past calls declared, also where none may be called any more.
        request["tools"] = [_gone(name) for name in used]
    directive = directive_in(messages)
    may_call = bool(tools) and (directive is None or bool(directive.tools))
    if "tools" in request and not may_call:
        request["tool_choice"] = {"type": "none"}
    told = _told(request) if Extra.THOUGHTS in extras else None
    request["messages"] = to_messages(messages, told)
    if "system" in request:
        request["system"][-1]["cache_control"] = dict(_CACHED)
    # Nobody reads again what is said once, as to a judge; and what messages are looked up by is
    # another where no tool may be chosen, so such a turn would find none and write them all anew.
    if directive is not None and may_call:
        _mark(request["messages"])
    return request


def _mark(wire: Sequence[Json]) -> None:
    """Mark where this request begins to read, and up to where the next one may."""
    said = [message["content"] for message in wire if message["role"] == "user"]
    for blocks in said[-2:]:
        blocks[-1] = {**blocks[-1], "cache_control": dict(_CACHED)}


def fingerprint(request: Json) -> str:
    """Return what is the same for two requests that tell a model the same."""
    return _fingerprint(_told(request), request["messages"])


def _told(request: Json) -> str:
    """Return the fingerprint of what stands before all messages."""
    system = [block["text"] for block in request.get("system", ())]
    return _hash([system, request.get("tools", [])])


def _fingerprint(told: str, wire: Sequence[Json]) -> str:
    unmarked = [
        {
            "role": message["role"],
            "content": [
                {key: value for key, value in block.items() if key != "cache_control"}
                for block in message["content"]
            ],
        }
        for message in wire
    ]
    return _hash([told, unmarked])


def _hash(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:32]


def _tools_used(messages: Sequence[Message]) -> list[str]:
    calls = (call for each in messages if isinstance(each, Turn) for call in each.tool_calls)
    return list(dict.fromkeys(_name(call) for call in calls))


def _tool(name: str, description: str, schema: Any) -> Json:
    return {"name": name, "description": description, "input_schema": dict(schema)}


def _gone(name: str) -> Json:
    description = "Not to be called any more: answer with what is known."
    return _tool(name, description, {"type": "object"})


def to_messages(messages: Sequence[Message], told: str | None = None) -> list[Json]:
    """Return the conversation as the API takes it.

    `told` is the fingerprint of what stands before it; without one, no thought is sent back.
    """
    wire: list[Json] = []
    unanswered: list[str] = []
    for message in in_words(messages):
        if isinstance(message, Turn):
            _append(wire, "user", [_result(call_id) for call_id in unanswered])
            thoughts = bool(message.answers) and told is not None
            thoughts = thoughts and message.answers == _fingerprint(told or "", wire)
            blocks = _blocks_of(message, thoughts=thoughts)
            unanswered = [block["id"] for block in blocks if block["type"] == "tool_use"]
            _append(wire, "assistant", blocks)
        elif isinstance(message, UserMessage | Observations):
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


def _blocks_of(turn: Turn, *, thoughts: bool) -> list[Json]:
    """Return a turn's blocks as they came; a turn from elsewhere in blocks of our own."""
    if turn.provider_content:
        blocks = [
            dict(block)
            for block in turn.provider_content
            if (thoughts if block["type"] in _THOUGHTS else not _is_blank(block))
        ]
        while blocks and blocks[-1]["type"] in _THOUGHTS:
            blocks.pop()  # cut off while it thought: the API takes no thought that leads nowhere
        return blocks
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


def _is_blank(block: Mapping[str, Any]) -> bool:
    """The API itself now and then gives a blank text, and then refuses to take it back."""
    return block["type"] == "text" and not str(block.get("text", "")).strip()


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
