"""From the Messages API's replies to our values; pure."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from agent.messages import ToolCall, Turn, Usage
from agent.models.counting import believed

Json = dict[str, Any]

_PLAIN_STOPS: Final = {
    # The window ended before the turn did: for whoever reads the turn, that is a turn cut off.
    "model_context_window_exceeded": "max_tokens",
    None: "unknown",
}

_CHARGED_REFUSALS: Final = ("bio", "frontier_llm", "reasoning_extraction")
"""https://platform.claude.com/docs/en/build-with-claude/refusals-and-fallback"""

DECLINED: Final[Json] = {
    "content": [],
    "stop_reason": "refusal",
    "usage": {"input_tokens": 0, "output_tokens": 0},
}
"""The message that stands for a refusal which came as an error; nothing was said, or counted."""


class NotAMessage(ValueError):
    """A reply with status 200 that is no message of the API."""


def read_message(body: bytes) -> Json:
    """Return the message in a reply's body. Raises `NotAMessage` for anything else."""
    try:
        message = json.loads(body)
        if b"\\ud" in body.lower():  # perhaps half of a character pair, which is no UTF-8
            whole = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace")
            message = json.loads(whole)
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


def to_turn(
    messages: Sequence[Json], guesses: Sequence[Usage] = (), taken: Collection[str] = ()
) -> Turn:
    """Return one turn of the model, which may have come in several pieces.

    `guesses` stand for the tokens of each piece where its own count cannot be believed, and `taken`
    are the ids of earlier calls. `stop_reason` is, in plain words: "end_turn" (it has said what it
    had to say), "tool_use" (it waits for its calls), "max_tokens" (cut off: text and calls may be
    incomplete), "refusal" (it will not answer), "pause_turn" (it still was not done after several
    pieces, or no further one came), "unknown" (not said), or a word of the API that is newer than
    this code.
    """
    blocks = _with_own_ids([block for each in messages for block in each["content"]], taken)
    said = messages[-1].get("stop_reason")
    stop = said if isinstance(said, str) else None
    texts = [block["text"].strip() for block in blocks if block["type"] == "text"]
    guesses = guesses or [Usage()] * len(messages)
    counted = () if _is_free(messages) else zip(messages, guesses, strict=True)
    return Turn(
        text="\n\n".join(text for text in texts if text),
        tool_calls=tuple(_call(block) for block in blocks if block["type"] == "tool_use"),
        stop_reason=_PLAIN_STOPS.get(stop, str(stop)),
        usage=_total(_usage(message.get("usage"), guess) for message, guess in counted),
        provider_content=tuple(map(_taken_back, blocks)),
    )


def _is_free(messages: Sequence[Json]) -> bool:
    """A refusal before any word is not charged, but for some kinds; its tokens are told anyway.

    Models that do not tell of which kind it is charge it.
    """
    last, said = messages[-1], any(message["content"] for message in messages)
    details = last.get("stop_details")
    if last.get("stop_reason") != "refusal" or said or not isinstance(details, dict):
        return False
    return details.get("category") not in _CHARGED_REFUSALS


def _with_own_ids(blocks: Iterable[Json], taken: Collection[str]) -> list[Json]:
    """Give a call whose id another one has an id of its own: the API takes none back twice."""
    used, own = set(taken), []
    for block in blocks:
        if block["type"] == "tool_use":
            if block["id"] in used:
                block = {**block, "id": _fresh(used)}
            used.add(block["id"])
        own.append(block)
    return own


def _fresh(used: Collection[str]) -> str:
    numbers = range(len(used), 2 * len(used) + 1)
    return next(each for each in (f"toolu_own_{n}" for n in numbers) if each not in used)


def _taken_back(block: Json) -> Json:
    """Return a block as the API takes it back: arguments that are no object, as none."""
    if block["type"] == "tool_use" and not isinstance(block.get("input"), dict):
        return {**block, "input": {}}
    return block


def _call(block: Mapping[str, Any]) -> ToolCall:
    arguments = block.get("input")
    if isinstance(arguments, dict):
        return ToolCall(block["id"], block["name"], arguments)
    return ToolCall(block["id"], block["name"], {}, malformed=json.dumps(arguments))


def _usage(usage: object, guess: Usage) -> Usage:
    counts = usage if isinstance(usage, dict) else {}

    def count(name: str, otherwise: int = 0) -> int:
        number = believed(counts.get(name))
        return otherwise if number is None else number

    return Usage(
        input_tokens=count("input_tokens", guess.input_tokens),
        output_tokens=count("output_tokens", guess.output_tokens),
        cache_read_tokens=count("cache_read_input_tokens"),
        cache_write_tokens=count("cache_creation_input_tokens"),
    )


def _total(usages: Iterable[Usage]) -> Usage:
    return sum(usages, start=Usage())
