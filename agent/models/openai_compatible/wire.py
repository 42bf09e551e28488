"""From our values to the JSON of chat completions; pure.

Servers refuse a conversation that is not well formed: the system first, each tool message after
the call that it answers, and some want roles to take turns. `to_messages` guarantees that, whatever
a run's memory holds.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
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
from agent.models.directives import in_words as spoken
from agent.models.openai_compatible.dialect import Dialect
from agent.models.openai_compatible.in_words import describe_tools, in_words

Json = dict[str, Any]

_BLANK: Final = {"reasoning_content": " "}
_UNSIGNED: Final = {
    "extra_content": {"google": {"thought_signature": "skip_thought_signature_validator"}}
}
"""https://ai.google.dev/gemini-api/docs/thought-signatures: for calls that are told without it."""
NOT_RUN: Final = "This call was not run."
_MAX_ID: Final = 40
_MAX_NAME: Final = 64


def to_request(
    model: str,
    max_tokens: int,
    system: str,
    messages: Sequence[Message],
    tools: Sequence[ToolSpec],
    dialect: Dialect,
) -> Json:
    """Return the body of a request in the server's dialect."""
    directive = directive_in(messages)
    may_call = directive is None or bool(directive.tools)
    offered = tools if may_call else ()
    wanted = [_tool(spec.name, spec.description, spec.input_schema) for spec in offered]
    request: Json = {"model": model}
    if dialect.limit:
        request[dialect.limit] = max_tokens
    if not dialect.tools:
        words = f"{system}\n\n{describe_tools(wanted)}" if wanted else system
        request["messages"] = in_words(to_messages(words, messages, dialect))
        return request
    request["messages"] = to_messages(system, messages, dialect)
    if wanted:
        request["tools"] = wanted
    elif dialect.tool_choice and (used := tools_used(messages)):
        # Some servers want the tools of past calls declared, also where none may be called now.
        request["tools"] = [_gone(name) for name in used]
        request["tool_choice"] = "none"
    if dialect.effort and "tools" in request:
        request["reasoning_effort"] = dialect.effort
    return request


def tools_used(messages: Sequence[Message]) -> list[str]:
    """Return the names of the tools that were called, as the wire has them."""
    calls = (call for each in messages if isinstance(each, Turn) for call in each.tool_calls)
    return list(dict.fromkeys(_name(call) for call in calls))


def _gone(name: str) -> Json:
    description = "Not to be called any more: answer with what is known."
    return _tool(name, description, {"type": "object", "properties": {}})


def _tool(name: str, description: str, schema: Mapping[str, Any]) -> Json:
    function = {"name": name, "description": description, "parameters": dict(schema)}
    return {"type": "function", "function": function}


def to_messages(system: str, messages: Sequence[Message], dialect: Dialect) -> list[Json]:
    """Return the conversation as a server of that dialect takes it."""
    wire = _conversation(messages)
    if not dialect.several_calls:
        wire = _one_call_each(wire)
    if not dialect.user_after_tool:
        wire = _without_user_after_tool(wire)
    if dialect.thoughts:  # those of others, and of earlier runs, are blank, but must be there
        wire = [{**_BLANK, **each} if each["role"] == "assistant" else each for each in wire]
    if dialect.signatures:
        wire = [_with_each_call(message, lambda call: {**call, **_UNSIGNED}) for message in wire]
    if not dialect.long_ids:
        wire = [_with_short_ids(message) for message in wire]
    if not system.strip():
        return wire
    if dialect.system:
        return [{"role": "system", "content": _clean(system)}, *wire]
    if wire and wire[0]["role"] == "user":
        return [_said("user", f"{_clean(system)}\n\n{wire[0]['content']}"), *wire[1:]]
    return [_said("user", _clean(system)), *wire]


def _conversation(messages: Sequence[Message]) -> list[Json]:
    wire: list[Json] = []
    unanswered: list[ToolCall] = []
    for message in spoken(messages):
        given = message.results if isinstance(message, Observations) else ()
        wire += _answers(unanswered, given)
        asked, unanswered = unanswered, []
        if isinstance(message, Turn):
            _append(wire, _of_turn(message))
            unanswered = list(message.tool_calls)
        elif isinstance(message, Observations):
            known = {call.id for call in asked}
            strays = [result for result in message.results if result.call_id not in known]
            for stray in strays:
                _append(wire, _said("user", f"Result of {stray.tool}: {_clean(stray.content)}"))
        elif isinstance(message, UserMessage):
            _append(wire, _said("user", _clean(message.text)))
    return wire + _answers(unanswered, ())


def _append(wire: list[Json], message: Json | None) -> None:
    """Put a message behind the others; two of one role become one, unless tools are called."""
    if message is None:
        return
    last = wire[-1] if wire else {"role": ""}
    if last["role"] == message["role"] and "tool_calls" not in last | message:
        last["content"] += f"\n\n{message['content']}"
    else:
        wire.append(message)


def _answers(calls: Sequence[ToolCall], results: Sequence[ToolResult]) -> list[Json]:
    given = {result.call_id: result for result in results}
    return [_answer(call, given.get(call.id)) for call in calls]


def _answer(call: ToolCall, result: ToolResult | None) -> Json:
    content = _clean(result.content) or "(empty)" if result is not None else NOT_RUN
    if result is not None and result.is_error:
        content = f"Error: {content}"  # the protocol has no mark for it
    return {"role": "tool", "tool_call_id": _id(call), "content": content}


def _of_turn(turn: Turn) -> Json | None:
    text = _clean(turn.text).strip()
    said = _said("assistant", text)
    for kept in turn.provider_content:  # only where the server wants it back
        said |= {name: _clean(kept[name]) for name in _BLANK if name in kept}
    if not turn.tool_calls:
        return said if text else None
    # Some servers take no null here, and none minds an empty text beside calls.
    return {**said, "tool_calls": [_call(call) for call in turn.tool_calls]}


def _call(call: ToolCall) -> Json:
    # Templates parse what stands here, so arguments that were no JSON do not go back as they were.
    arguments = _clean(json.dumps(dict(call.arguments), ensure_ascii=False))
    function = {"name": _name(call), "arguments": arguments}
    return {"id": _id(call), "type": "function", "function": function}


def _id(call: ToolCall) -> str:
    """The longest id that every server takes; the end of a longer one tells calls apart as well."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", call.id)[-_MAX_ID:] or "call"


def _name(call: ToolCall) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", call.name)[:_MAX_NAME] or "unknown"


def _said(role: str, text: str) -> Json:
    return {"role": role, "content": text if text.strip() or role == "assistant" else "(empty)"}


def _clean(text: str) -> str:
    """Half of a character pair, as some clients send, is no UTF-8 and would fail to be sent."""
    return text.encode("utf-8", "replace").decode()


def _one_call_each(wire: Sequence[Json]) -> list[Json]:
    """Tell several calls of one message as several messages, each followed by its result."""
    told: list[Json] = []
    waiting: dict[str, Json] = {}
    for message in wire:
        calls = message.get("tool_calls", [])
        if message["role"] == "tool" and message["tool_call_id"] in waiting:
            told.append(waiting.pop(message["tool_call_id"]))
        if len(calls) < 2:
            told.append(message)
            continue
        waiting = {call["id"]: {**_said("assistant", ""), "tool_calls": [call]} for call in calls}
        waiting[calls[0]["id"]]["content"] = message["content"]
    return told


def _with_short_ids(message: Json) -> Json:
    """Give each call, and what answers it, the id that the strictest servers take."""
    if "tool_call_id" in message:
        return {**message, "tool_call_id": _short(message["tool_call_id"])}
    return _with_each_call(message, lambda call: {**call, "id": _short(call["id"])})


def _with_each_call(message: Json, change: Callable[[Json], Json]) -> Json:
    calls = message.get("tool_calls")
    return {**message, "tool_calls": list(map(change, calls))} if calls else message


def _short(call_id: str) -> str:
    return hashlib.sha256(call_id.encode()).hexdigest()[:9]


def _without_user_after_tool(wire: Sequence[Json]) -> list[Json]:
    """Let a tool's last message carry what the user says straight after it."""
    told: list[Json] = []
    for message in wire:
        if message["role"] == "user" and told and told[-1]["role"] == "tool":
            told[-1] = {**told[-1], "content": f"{told[-1]['content']}\n\n{message['content']}"}
        else:
            told.append(message)
    return told
