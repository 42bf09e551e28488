"""Which part of a run's prompts a prompt cache serves, and what the prompts are made of; pure.

The rule of the Messages API: a request is a row of blocks, first the tools, then the system prompt,
then the messages. Where a block is marked, all up to it is written to the cache. A later request
reads the longest prefix that was written and is the same to the byte; from each of its marks it
looks for one at most 20 blocks back. Short prefixes are not kept. The marks themselves are no part
of the text. Another `tool_choice` or `thinking` leaves of the cache only tools and system prompt.

Servers without marks keep every prefix by themselves; that is the second figure.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final

BYTES_PER_TOKEN: Final = 4
"""An estimate that leaves the ratios as they are: the same for all who are compared."""
MIN_TOKENS: Final = 1_024
"""Tokens of the shortest prefix that is kept, for claude-sonnet-5."""
LOOK_BACK: Final = 20
"""Blocks before a mark at which a request looks for what was written."""

Json = Mapping[str, Any]


@dataclass(frozen=True)
class Block:
    """A piece of a prompt: what it is, its text, and whether what ends here is to be kept."""

    label: str
    text: bytes
    is_marked: bool
    setting: str = ""
    """What else must be the same for it to be read from a cache: no part of the text."""


@dataclass(frozen=True)
class Served:
    """Of one request: the bytes of its blocks, how many of them a cache serves, how many it keeps.

    The last are those that this request is the first to have kept.
    """

    size: int
    read: int
    written: int = 0


def blocks_of(body: Json) -> list[Block]:
    """Return the blocks of a request to the Messages API, in the order in which they are kept."""
    blocks = [_block(f"tool {tool['name']}", tool) for tool in body.get("tools") or ()]
    blocks += [_block("system", each) for each in _as_list(body.get("system"))]
    mode = json.dumps([body.get("tool_choice"), body.get("thinking")])
    called: dict[str, str] = {}
    for message in body["messages"]:
        for content in _as_list(message["content"]):
            if content.get("type") == "tool_use":
                called[content["id"]] = content["name"]
            label = _label(message["role"], content, called)
            blocks.append(_block(label, content, f"{message['role']} {mode}"))
    if body.get("cache_control") and blocks:
        blocks[-1] = replace(blocks[-1], is_marked=True)
    return blocks


def served_by_marks(requests: Iterable[Json]) -> list[Served]:
    """Return for each request of a run, in order, what the cache serves by its marks."""
    written: set[tuple[str, bytes]] = set()
    given = []
    for body in requests:
        blocks = blocks_of(body)
        prefixes = [(str(body.get("model")), each) for each in _prefixes(blocks)]
        sizes = _running_sizes(blocks)
        marks = [place for place, block in enumerate(blocks) if block.is_marked]
        found = [
            place
            for mark in marks
            for place in range(max(mark - LOOK_BACK, 0), mark + 1)
            if prefixes[place] in written
        ]
        read = sizes[max(found)] if found else 0
        kept = [mark for mark in marks if sizes[mark] >= MIN_TOKENS * BYTES_PER_TOKEN]
        added = max(sizes[kept[-1]] - read, 0) if kept else 0
        given.append(Served(sizes[-1], read, added))
        written |= {prefixes[mark] for mark in kept}
    return given


def served_by_itself(requests: Iterable[Json]) -> list[Served]:
    """Return for each request, in order, what a server serves that keeps every prefix unasked."""
    seen: set[tuple[str, bytes]] = set()
    given = []
    for body in requests:
        blocks = blocks_of(body)
        prefixes = [(str(body.get("model")), each) for each in _prefixes(blocks)]
        sizes = _running_sizes(blocks)
        found = [size for size, prefix in zip(sizes, prefixes, strict=True) if prefix in seen]
        longest = max(found, default=0)
        read = longest if longest >= MIN_TOKENS * BYTES_PER_TOKEN else 0
        given.append(Served(sizes[-1], read))
        seen.update(prefixes)
    return given


def share_after_first(served: Sequence[Served]) -> float:
    """Return the share of bytes, from 0 to 1, that a cache serves of all requests but the first."""
    size = sum(each.size for each in served[1:])
    return sum(each.read for each in served[1:]) / size if size else 0.0


def weigh(requests: Iterable[Json]) -> Counter[str]:
    """Return how many bytes of all requests together are what: tools, system, results, and so on.

    What a request has beside its blocks is not in it.
    """
    weights: Counter[str] = Counter()
    for body in requests:
        for block in blocks_of(body):
            weights[block.label] += len(block.text)
    return weights


def _block(label: str, content: Json, setting: str = "") -> Block:
    bare = _without_marks(content)
    text = json.dumps(bare, ensure_ascii=False, separators=(",", ":"))
    return Block(label, text.encode(), bare != content, setting)


def _without_marks(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _without_marks(v) for k, v in value.items() if k != "cache_control"}
    if isinstance(value, list):
        return [_without_marks(each) for each in value]
    return value


def _as_list(content: Any) -> list[Json]:
    if content is None or content == "":
        return []
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def _label(role: str, content: Json, called: Mapping[str, str]) -> str:
    if content.get("type") == "tool_result":
        return f"result of {called.get(content['tool_use_id'], 'a call')}"
    return "turns of the model" if role == "assistant" else "question and words of the loop"


def _prefixes(blocks: Sequence[Block]) -> list[bytes]:
    """Return a name for all up to each block; the same name is the same text."""
    so_far, names = sha256(), []
    for block in blocks:
        for part in (block.setting.encode(), block.text):
            so_far.update(len(part).to_bytes(8, "big") + part)
        names.append(so_far.digest())
    return names


def _running_sizes(blocks: Sequence[Block]) -> list[int]:
    total, sizes = 0, []
    for block in blocks:
        total += len(block.text)
        sizes.append(total)
    return sizes
