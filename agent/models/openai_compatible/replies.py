"""From a reply's JSON to a turn; pure. What is odd about a reply is understood here, or told."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from agent.messages import Message, ToolCall, ToolSpec, Turn, Usage
from agent.models.counting import believed
from agent.models.openai_compatible.complaint import Complaint, of_body
from agent.models.openai_compatible.wire import tools_used
from agent.models.openai_compatible.written_calls import (
    Written,
    find_calls,
    own_words,
    without_thinking,
)

Json = dict[str, Any]

_ENDS: Final = {
    **dict.fromkeys(("stop", "eos", "eos_token", "end_turn", "complete", "completed"), "end_turn"),
    **dict.fromkeys(("tool_calls", "tool_call", "tool_use", "function_call"), "end_turn"),
    **dict.fromkeys(("length", "max_tokens", "max_output_tokens", "model_length"), "max_tokens"),
    **dict.fromkeys(("content_filter", "safety", "refusal", "recitation"), "refusal"),
    "stop_sequence": "stop_sequence",
}
"""What finish reasons mean; with calls, "end_turn" is "tool_use"."""
_FENCE: Final = re.compile(r"\A\s*```[\w-]*+(.*)```\s*\Z", re.S)
_MAX_NESTED: Final = 3


class NotACompletion(ValueError):
    """A reply with status 200 that is no completion."""


def read_reply(body: bytes) -> Json | Complaint:
    """Return the completion in a reply's body, or the error that came with status 200.

    Raises `NotACompletion` for anything else.
    """
    try:
        reply = json.loads(body)
    except (ValueError, RecursionError):
        raise NotACompletion(f"no JSON: {body[:80]!r}") from None
    choices = reply.get("choices") if isinstance(reply, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    broken = choice if isinstance(choice, dict) and choice.get("error") else reply
    if isinstance(broken, dict) and broken.get("error"):
        error = broken["error"]
        code = error.get("code") if isinstance(error, dict) else None
        is_status = isinstance(code, int) and 400 <= code < 600
        return of_body(code if is_status and isinstance(code, int) else 200, broken)
    if not isinstance(choice, dict) or not isinstance(choice.get("message"), dict):
        raise NotACompletion(f"no completion: {body[:80]!r}")
    return dict(reply)


def known_tools(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> frozenset[str]:
    """Return the names of the tools that there are, or were."""
    return frozenset([*(tool.name for tool in tools), *tools_used(messages)])


def to_turn(
    reply: Json,
    known: Collection[str],
    taken: Collection[str],
    guess: Usage,
    *,
    thoughts: bool = False,
) -> Turn:
    """Return the model's turn, with its `thoughts` where the server wants them back.

    `known` are the tools that there are, `taken` the ids of earlier calls, and `guess` stands for
    the tokens where the server does not count them. `stop_reason` is, in plain words: "end_turn"
    (it has said what it had to say), "tool_use" (it waits for its calls), "max_tokens" (cut off),
    "refusal" (it will not answer), "unknown" (not said, with nothing else said either), or a word
    of the server's that is not known here.
    """
    choice = reply["choices"][0]
    message = choice["message"]
    text, ended = own_words(without_thinking(_text(message.get("content"))))
    written = _calls(message)
    if not written:
        text, written = find_calls(text, known)
    calls = _with_ids(written, message, known, taken)
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal.strip():
        return Turn(refusal.strip(), (), "refusal", read_usage(reply, guess))
    stop = _stop("stop" if ended else choice.get("finish_reason"), text, calls)
    thought = message.get("reasoning_content")
    kept = thoughts and isinstance(thought, str) and thought.strip()
    content = ({"reasoning_content": thought},) if kept else ()
    return Turn(text, calls, stop, read_usage(reply, guess), content)


def turn_of_generation(
    complaint: Complaint, known: Collection[str], taken: Collection[str], guess: Usage
) -> Turn:
    """Return the turn that a server gave up on, since it could not read the call in it.

    A call that can be read here is one. The rest is a turn that nobody can use, so that the loop
    asks again; it must not pass for an answer, which it was not meant to be.
    """
    text, _ = own_words(without_thinking(complaint.generation))
    text, written = find_calls(text, known)
    calls = _with_ids(written, {}, known, taken)
    return Turn(text, calls, "tool_use" if calls else "malformed_call", guess)


def _text(content: object) -> str:
    """Content is a text, null, or a list of parts, some of which hold thoughts."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        kind = str(content.get("type", "text"))
        return str(content.get("text") or "") if "text" in kind else ""
    if isinstance(content, list):
        return "".join(_text(part) for part in content)
    return ""


def _calls(message: Mapping[str, Any]) -> list[Written]:
    calls = message.get("tool_calls") or message.get("function_call") or []
    return [_call(call) for call in (calls if isinstance(calls, list) else [calls])]


def _call(call: object) -> Written:
    if not isinstance(call, dict):
        return Written("unknown", call if isinstance(call, str) else json.dumps(call))
    function = call.get("function")
    holders = [function, call] if isinstance(function, dict) else [call]
    given = [h[key] for h in holders for key in ("arguments", "parameters", "input") if key in h]
    names = [holder.get("name") for holder in holders] + [function]
    name = next((each for each in names if isinstance(each, str) and each.strip()), "unknown")
    return Written(name, given[0] if given else None)


def _with_ids(
    written: Sequence[Written],
    message: Mapping[str, Any],
    known: Collection[str],
    taken: Collection[str],
) -> tuple[ToolCall, ...]:
    """Give each call an id of its own: the server's, where it gave one that is not used yet."""
    given = message.get("tool_calls")
    entries = given if isinstance(given, list) else [given] * len(written)
    used = set(taken)
    calls: list[ToolCall] = []
    for place, (name, arguments) in enumerate(written):
        entry = entries[place] if place < len(entries) else None
        call_id = entry.get("id") if isinstance(entry, dict) else None
        if not isinstance(call_id, str) or not call_id or call_id in used:
            call_id = _fresh(used)
        used.add(call_id)
        read, malformed = read_arguments(arguments)
        calls.append(ToolCall(call_id, _tool(name, known), read, malformed))
    return tuple(calls)


def _fresh(used: Collection[str]) -> str:
    """Nine letters and digits, which is what the strictest servers take."""
    numbers = range(len(used), 2 * len(used) + 1)
    return next(each for each in (f"call{n:05d}" for n in numbers) if each not in used)


def _tool(name: str, known: Collection[str]) -> str:
    """Return the tool that is meant, where marks of the model's stuck to its name."""
    plain = name.partition("<|")[0].strip().rpartition(".")[2]
    return plain if plain in known else name.strip()


def read_arguments(given: object) -> tuple[Mapping[str, Any], str]:
    """Return the arguments of a call, and "" or, where they are no object, what was written."""
    value = given
    for _ in range(_MAX_NESTED):
        if isinstance(value, dict):
            return value, ""
        if value is None or (isinstance(value, str) and value.strip() in ("", "null")):
            return {}, ""
        if not isinstance(value, str):
            break
        fenced = _FENCE.match(value)
        try:
            value = json.loads(fenced[1] if fenced else value, strict=False, parse_constant=_no)
        except (ValueError, RecursionError):
            break
    return {}, given if isinstance(given, str) else json.dumps(given)


def _no(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _stop(said: object, text: str, calls: Sequence[ToolCall]) -> str:
    if not isinstance(said, str) or not said.strip():
        end = "end_turn" if text or calls else "unknown"
    else:
        end = _ENDS.get(said.strip().lower(), said.strip())
    return "tool_use" if end == "end_turn" and calls else end


def read_usage(reply: Mapping[str, Any], guess: Usage) -> Usage:
    """Return the tokens that the server counted, and `guess` where a count cannot be believed."""
    extra = reply.get("x_groq")
    usage = reply.get("usage") or (extra.get("usage") if isinstance(extra, dict) else None)
    if not isinstance(usage, dict):
        return guess
    read, written = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    if not read and not written:
        return guess
    read = guess.input_tokens if read is None else read
    written = guess.output_tokens if written is None else written
    # Some leave what was thought out of what was written, and count it in the sum alone.
    written = max(written, (_count(usage, "total_tokens") or 0) - read)
    details = usage.get("prompt_tokens_details")
    details = details if isinstance(details, dict) else {}
    cached = _count(details, "cached_tokens") or _count(usage, "prompt_cache_hit_tokens") or 0
    cached = min(cached, read)
    kept = min(_count(details, "cache_write_tokens") or 0, read - cached)
    return Usage(read - cached - kept, written, cached, kept)


def _count(counts: Mapping[str, Any], name: str) -> int | None:
    """Return a count, 0 where there is none, None where it is nonsense."""
    return believed(counts[name]) if counts.get(name) is not None else 0
