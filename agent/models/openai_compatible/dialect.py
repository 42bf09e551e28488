"""What a server takes of the protocol. It does not say so beforehand; its refusals do."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Final

from agent.models.openai_compatible.complaint import Complaint

_ABOUT_US: Final = frozenset({401, 402, 403, 408, 409, 429})
"""Statuses that speak of the key, the account or the load, never of the request's shape."""


@dataclass(frozen=True)
class Dialect:
    """The parts of the protocol that a server has not refused yet."""

    limit: str = "max_tokens"
    """The field that bounds a turn; "" where none may be sent."""
    tools: bool = True
    """Tools as the protocol has them; else they are described in words."""
    tool_choice: bool = True
    several_calls: bool = True
    """Several calls in one message of the assistant."""
    system: bool = True
    user_after_tool: bool = True
    """A message of the user straight after a tool's."""
    long_ids: bool = True
    """Ids of calls as another server gave them; else of nine letters and digits."""
    thoughts: bool = False
    """What the model thought, which hardly any server takes, and some want back."""
    signatures: bool = False
    """With each call, that it has no signed thought, where the server wants to see one."""
    effort: str = ""
    """How much to think before a call may come; "" leaves that to the server."""


def _says(*words: str) -> re.Pattern[str]:
    return re.compile("|".join(words), re.IGNORECASE)


_LIMIT: Final = _says("max_tokens", "max_completion_tokens", "in the completion")
_OTHER_LIMIT: Final = _says("instead", "unsupported", "not supported", "unknown", "unrecogni")
_NO_TOOLS: Final = _says(
    *("support tools", "support tool use", "support tool call", "support function call"),
    *("tool calling` is not supported", "tool use is not supported", "tools is not supported"),
    *("tools are not supported", "enable-auto-tool-choice", "only named tools"),
    *(r"'tools'\).{0,40}extra", r"(?:unknown|unrecogni[sz]ed)[^.]{0,30}\btools\b"),
)
_TOOL_CHOICE: Final = _says("tool_choice", "tool choice")
_ONE_CALL: Final = _says(
    "single tool.calls?", "one tool.call at", "(?:multiple|parallel) tool.calls? (?:is|are) not"
)
_THOUGHTS: Final = _says(
    "missing .?reasoning_content", "reasoning_content.{0,60}(?:is missing|must be passed)"
)
_SIGNATURES: Final = _says("missing a .?thought_signature")
_SHORT_IDS: Final = _says("tool.call id .{0,80} length of 9")
_EFFORT: Final = _says("reasoning_effort")
_NO_SYSTEM: Final = _says(
    "system role", "system messages? (?:is|are) not", "only user and assistant roles"
)
_ORDER: Final = _says("must alternate", "unexpected role", "after role", "expected last role")

_PARTS: Final = (
    (_TOOL_CHOICE, "tool_choice", False),
    (_ONE_CALL, "several_calls", False),
    (_NO_SYSTEM, "system", False),
    (_SHORT_IDS, "long_ids", False),
    (_THOUGHTS, "thoughts", True),
    (_SIGNATURES, "signatures", True),
)
"""What is said of a part of the protocol, and how that part is from then on."""


def learn(dialect: Dialect, complaint: Complaint) -> Dialect | None:
    """Return the dialect without what `complaint` is about; None if it is about nothing of it.

    No step is taken twice, so asking again ends.
    """
    if complaint.status in _ABOUT_US:
        return None
    said = f"{complaint.message} {complaint.param}"
    if dialect.limit and _LIMIT.search(said):
        return replace(dialect, limit=_next_limit(dialect.limit, said))
    if dialect.tools and _EFFORT.search(said):
        # Some models that think call tools only where they are asked not to, or never.
        tried = bool(dialect.effort)
        return replace(dialect, effort="" if tried else "none", tools=not tried)
    if dialect.tools and _NO_TOOLS.search(said):
        return replace(dialect, tools=False)
    for about, part, then in _PARTS:
        if getattr(dialect, part) is not then and about.search(said):
            changed: dict[str, Any] = {part: then}
            return replace(dialect, **changed)
    return _in_order(dialect) if _ORDER.search(said) else None


def _next_limit(limit: str, said: str) -> str:
    """The newer name and the older one stand for the same; a figure that is too high has none."""
    if limit == "max_tokens" and "max_completion_tokens" in said and "instead" in said:
        return "max_completion_tokens"
    is_new_name = limit == "max_completion_tokens"
    return "max_tokens" if is_new_name and _OTHER_LIMIT.search(said) else ""


def _in_order(dialect: Dialect) -> Dialect | None:
    """Give in to a server that wants roles to take turns, a little more each time."""
    if dialect.user_after_tool:
        return replace(dialect, user_after_tool=False)
    if dialect.tools:
        return replace(dialect, tools=False)
    return replace(dialect, system=False) if dialect.system else None
