"""Tools for a server that has none: described in the system's text, called in the model's."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

Json = dict[str, Any]


def describe_tools(tools: Sequence[Json]) -> str:
    """Return what a model has to know to call `tools`, given as the protocol has them."""
    lines = "\n".join(json.dumps(tool["function"], ensure_ascii=False) for tool in tools)
    return (
        "You can call tools. To call one, write, and nothing after it:\n"
        '<tool_call>{"name": "TOOL", "arguments": {"ARGUMENT": "VALUE"}}</tool_call>\n'
        "What it gives comes in the next message, between <tool_response> marks. Each line that "
        f"follows is one tool, with the JSON schema of its arguments:\n{lines}"
    )


def in_words(messages: Iterable[Json]) -> list[Json]:
    """Return a conversation in which calls and their results are text, and roles take turns."""
    told: list[Json] = []
    for message in messages:
        role = "user" if message["role"] == "tool" else message["role"]
        text = _text(message)
        if told and told[-1]["role"] == role:
            told[-1] = {"role": role, "content": f"{told[-1]['content']}\n{text}"}
        else:
            told.append({"role": role, "content": text})
    return told


def _text(message: Json) -> str:
    content = str(message["content"])
    if message["role"] == "tool":
        return f"<tool_response>\n{content}\n</tool_response>"
    calls = [call["function"] for call in message.get("tool_calls", [])]
    written = [
        f'<tool_call>{{"name": {json.dumps(call["name"])}, "arguments": {call["arguments"]}}}'
        "</tool_call>"
        for call in calls
    ]
    return "\n".join([*([content] if content else []), *written])
