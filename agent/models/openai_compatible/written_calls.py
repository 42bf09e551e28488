"""Tool calls that a model wrote into its text, since its server did not read them; pure.

Each family of models was trained on marks of its own. Between marks everything is meant as a call,
also what cannot be read; without marks, only JSON that names a tool which there is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from typing import Any, Final, NamedTuple


class Written(NamedTuple):
    """A call: the tool's name and its arguments, neither checked."""

    name: str
    arguments: Any


_THINKING: Final = re.compile(r"<(think|thinking|reasoning)>.*?(?:</\1>|\Z)", re.S | re.I)
_TURN_BEGINS: Final = re.compile(
    r"\s*(?:<\|im_start\|>assistant|<start_of_turn>model|<\|assistant\|>"
    r"|<\|start_header_id\|>assistant<\|end_header_id\|>)"
)
_TURN_ENDS: Final = re.compile(
    r"<\|im_(?:end|start)\|>|<\|(?:eot_id|end_of_text|endoftext|start_header_id)\|>"
    r"|<(?:end|start)_of_turn>|<\|(?:user|system|assistant|tool)\|>|</s>|<tool_response>"
    r"|\[?\bYour task now:"  # how each message to the model ends
)
_MARKED: Final = re.compile(
    r"<(tool_call|tool-use|tool_use|function_call)>(.*?)(?:</\1>|(?=<\1>)|\Z)", re.S
)
_FUNCTION: Final = re.compile(r"<function=([\w.-]+)\s*>?(.*?)(?:</function>|\Z)", re.S)
_PARAMETER: Final = re.compile(
    r"<parameter=([\w.-]+)\s*>(.*?)(?:</parameter>|(?=<parameter=)|\Z)", re.S
)
_TAIL: Final = re.compile(
    r"(?:\[TOOL_CALLS\]|<\|python_tag\|>)(.*?)(?:<\|e(?:om|ot)_id\|>|\Z)", re.S
)
# Possessive, so that a long run of blanks without what should follow is not tried again and again.
_NAMED: Final = re.compile(r"\s*+([\w.-]++)\s*+(?:\[ARGS\]\s*+)?(?=\{)")
_FENCED: Final = re.compile(r"```[\w-]*+(.*?)```", re.S)
_NAME: Final = re.compile(r'"name"\s*:\s*"([^"]+)"')
_ARGUMENTS: Final = ("arguments", "parameters", "args", "input")
_BETWEEN: Final = " \t\r\n,;"
_DECODER: Final = json.JSONDecoder(strict=False)  # a line break within a text is common in SQL


def without_thinking(text: str) -> str:
    """Return what a model said, without what it thought. Some servers send only the closing tag."""
    said = _THINKING.sub("", text)
    return said.rpartition("</think>")[2].strip()


def own_words(text: str) -> tuple[str, bool]:
    """Return what stands before the mark that ends a turn, and whether there was such a mark.

    A model that its server does not stop there goes on in the others' names: it makes up what the
    person says next, and what a tool gave.
    """
    while opening := _TURN_BEGINS.match(text):
        text = text[opening.end() :]
    end = _TURN_ENDS.search(text)
    return (text[: end.start()] if end else text).strip(), end is not None


def find_calls(text: str, known: Collection[str]) -> tuple[str, list[Written]]:
    """Return the text around the calls that stand in `text`, and the calls.

    `known` are the tools that there are.
    """
    for marks, read in ((_MARKED, _of_mark), (_FUNCTION, _of_function), (_TAIL, _of_tail)):
        if found := list(marks.finditer(text)):
            calls = [call for each in found for call in read(each)]
            return marks.sub("", text).strip(), calls
    for fence in _FENCED.finditer(text):
        if calls := _bare(fence[1], known):
            return (text[: fence.start()] + text[fence.end() :]).strip(), calls
    calls = _bare(text, known)
    return ("", calls) if calls else (text, [])


def _of_mark(found: re.Match[str]) -> Iterator[Written]:
    inner = found[2]
    if functions := list(_FUNCTION.finditer(inner)):
        for function in functions:
            yield from _of_function(function)
    else:
        yield from _of_json(inner)


def _of_function(found: re.Match[str]) -> Iterator[Written]:
    parameters = _PARAMETER.findall(found[2])
    if parameters:
        yield Written(found[1], {name: _value(value) for name, value in parameters})
    else:
        yield Written(found[1], found[2].strip())


def _value(text: str) -> object:
    """Between tags, an object or a list is JSON and all else is text."""
    stripped = text.strip("\n")
    if stripped.lstrip()[:1] in ("{", "["):
        try:
            return _DECODER.decode(stripped.strip())
        except (ValueError, RecursionError):
            return stripped
    return stripped


def _of_tail(found: re.Match[str]) -> Iterator[Written]:
    """A list of calls, or calls one after the other; or names, each with its arguments."""
    rest, start = found[1], 0
    if not _NAMED.match(rest):
        yield from _of_json(rest)
        return
    while named := _NAMED.match(rest, start):
        try:
            arguments, start = _DECODER.raw_decode(rest, named.end())
        except (ValueError, RecursionError):
            arguments, start = rest[named.end() :], len(rest)
        yield Written(named[1], arguments)


def _of_json(text: str) -> Iterator[Written]:
    calls = [call for value in _values(text) for call in _calls_in(value, marked=True)]
    if calls:
        yield from calls
        return
    name = _NAME.search(text)
    yield Written(name[1] if name else "unknown", text.strip() or "(nothing)")


def _bare(text: str, known: Collection[str]) -> list[Written]:
    """Return the calls that `text` consists of; none, unless all are of tools that there are."""
    named = _NAMED.match(text)
    if named and named[1] in known:
        arguments = text[named.end() :].strip().removesuffix("</function>")
        return [Written(named[1], arguments)]
    calls = [call for value in _values(text) for call in _calls_in(value)]
    return calls if all(call.name in known for call in calls) else []


def _values(text: str) -> list[object]:
    """Return the JSON values that `text` consists of, one after the other; [] if it is not JSON."""
    values: list[object] = []
    text, start = text.strip(_BETWEEN), 0
    while start < len(text):
        if text[start] in _BETWEEN:
            start += 1
            continue
        if text[start] not in "{[":
            return []
        try:
            value, start = _DECODER.raw_decode(text, start)
        except (ValueError, RecursionError):
            return []
        values.append(value)
    return values


def _calls_in(value: object, *, marked: bool = False) -> list[Written]:
    """Return the calls that a JSON value is; between marks, a name alone is one."""
    if isinstance(value, list):
        return [call for each in value for call in _calls_in(each, marked=marked)]
    if not isinstance(value, dict):
        return []
    if isinstance(value.get("tool_calls"), list):
        return _calls_in(value["tool_calls"], marked=True)
    if isinstance(value.get("function"), dict):
        return _calls_in({**value, **value["function"], "function": None})
    given = next((value[name] for name in _ARGUMENTS if name in value), None)
    is_call = marked or bool(set(value) & {*_ARGUMENTS, "function"})
    if isinstance(value.get("name"), str) and is_call:
        return [Written(value["name"], given)]
    return []
