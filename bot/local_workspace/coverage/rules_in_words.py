"""A rule for a block in words: what it takes, and how much of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from bot.local_workspace.blocks.elements import (
    CONFIRM,
    FEEDBACK_BUTTON,
    OPTION,
    OPTION_GROUP,
    SLACK_FILE,
)
from bot.local_workspace.blocks.rules import (
    ByType,
    Choice,
    Fields,
    Listing,
    Nullable,
    Rule,
    Shape,
    Text,
    anything,
    boolean,
    number,
)

WORDS: Final = ("plain_text", "mrkdwn")
"""Text objects: of these, the length of their text is what matters."""
SIMPLE: Final = {boolean: "true or false", number: "a number", anything: "anything"}
EVERYWHERE: Final = ("type", "block_id", "action_id")
"""Fields that each block or element may have, told once."""
OBJECTS: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        "option": OPTION,
        "option group": OPTION_GROUP,
        "confirmation": CONFIRM,
        "feedback button": FEEDBACK_BUTTON,
        "file": SLACK_FILE,
    }
)
"""What stands inside several elements, by a name of ours."""


def fields_of(rule: Rule) -> list[str]:
    """Return what a block or an element holds, a field each; what it must have comes first."""
    if not isinstance(rule, Shape):
        return [in_words(rule)]
    told = [
        f"**`{name}`**: {in_words(each)}"
        for name, each in rule.required.items()
        if name not in EVERYWHERE
    ]
    told += [
        f"`{name}`: {in_words(each)}"
        for name, each in rule.optional.items()
        if name not in EVERYWHERE
    ]
    return [*told, *(_of_whole(each) for each in rule.also)]


def in_words(rule: Rule) -> str:
    """Return what a value has to be."""
    match rule:
        case Text():
            return _span(rule.least, rule.most, "characters") if rule.most else "text"
        case Choice():
            return _one_of(rule.allowed)
        case Nullable():
            return f"null, or {in_words(rule.rule)}"
        case Listing():
            return f"{_span(rule.least, rule.most, 'items')}, each {in_words(rule.item)}"
        case ByType():
            return _by_type(rule)
        case Shape():
            return _object(rule)
    return next(says for simple, says in SIMPLE.items() if simple is rule)


def _by_type(rule: ByType) -> str:
    if set(rule.known) <= set(WORDS):
        first = next(iter(rule.known.values()))
        return f"{' or '.join(rule.known)} of {_length(first)}"
    return _one_of(rule.known)


def _object(rule: Shape) -> str:
    for name, known in OBJECTS.items():
        if known is rule:
            return f"*{name}*"
    kind = rule.required.get("type")
    if isinstance(kind, Choice) and set(kind.allowed) <= set(WORDS):
        return f"{kind.allowed[0]} of {_length(rule)}"
    names = [name for name in [*rule.required, *rule.optional] if name not in EVERYWHERE]
    return f"an object of {', '.join(f'`{name}`' for name in names)}"


def _length(rule: Rule) -> str:
    assert isinstance(rule, Shape), "a text object has fields"
    return in_words(rule.required["text"])


def _of_whole(rule: Rule) -> str:
    if isinstance(rule, Fields):
        names = ", ".join(f"`{name}`" for name in rule.names)
        return f"{'exactly' if rule.most == 1 else 'at least'} one of {names}"
    return (rule.__doc__ or "").partition(".")[0].lower()


def _one_of(words: Iterable[str]) -> str:
    named = [f"`{word}`" for word in words]
    return " or ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)


def _span(least: int, most: int | None, what: str) -> str:
    if most is None:
        return f"{least} or more {what}" if least else f"any number of {what}"
    if least == most:
        return f"{most:,} {what}"
    return f"{least} to {most:,} {what}" if least else f"at most {most:,} {what}"
