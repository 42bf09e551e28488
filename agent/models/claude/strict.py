"""Which tools the API is asked to hold the model to; pure.

With `strict`, what the model writes as a tool's arguments always fits the schema. The API takes
that for a part of JSON Schema, and up to a number of parameters that may be left out, counted over
all strict tools; beyond, it refuses the whole request. How it counts a definition that is used in
several places it does not say: here each use counts, on the safe side.

https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

Json = dict[str, Any]

MAX_OPTIONAL: Final = 24
MAX_UNIONS: Final = 16
_KEYWORDS: Final = frozenset(
    {
        *("type", "properties", "required", "additionalProperties", "items", "enum", "const"),
        *("anyOf", "$ref", "$defs", "description"),
    }
)


def with_strict(tools: Sequence[Json]) -> list[Json]:
    """Return the tools, in their order, those strict that the API can hold the model to."""
    optional, unions = MAX_OPTIONAL, MAX_UNIONS
    marked: list[Json] = []
    for tool in tools:
        nodes = list(_nodes(tool["input_schema"]))
        left_out = sum(map(_optional, nodes))
        choices = sum("anyOf" in each or isinstance(each.get("type"), list) for each in nodes)
        fits = left_out <= optional and choices <= unions
        if fits and all(map(_is_supported, nodes)):
            optional, unions = optional - left_out, unions - choices
            tool = {**tool, "strict": True}
        marked.append(tool)
    return marked


def _nodes(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield every schema within one, a definition once for each place that refers to it."""
    definitions = schema.get("$defs", {})
    waiting = [schema]
    seen = 0
    while waiting and seen <= 1_000:  # one that refers to itself never ends
        node, seen = waiting.pop(), seen + 1
        yield node
        if "$ref" in node:
            waiting.append(definitions[node["$ref"].removeprefix("#/$defs/")])
        waiting += node.get("properties", {}).values()
        waiting += node.get("anyOf", ())
        waiting += [node["items"]] if "items" in node else []


def _optional(node: Mapping[str, Any]) -> int:
    return len(set(node.get("properties", {})) - set(node.get("required", ())))


def _is_supported(node: Mapping[str, Any]) -> bool:
    closed = node.get("type") != "object" or node.get("additionalProperties") is False
    return closed and set(node) <= _KEYWORDS
