"""Small rules that blocks are described with. A rule looks at one value and reports what is wrong.

What a rule reports carries the path of the value, the way Slack names it: a JSON pointer. A rule
is a value that knows its limits, so that they can be written down as well as checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]


class Report:
    """Collects what is wrong, each with its path."""

    def __init__(self) -> None:
        self.errors: list[str] = []

    def add(self, path: str, what: str) -> None:
        self.errors.append(f"[ERROR] {what} [json-pointer:{path}]")


Rule = Callable[[Any, str, Report], None]


@dataclass(frozen=True)
class Text:
    """A string with `least` to `most` characters."""

    least: int = 0
    most: int | None = None

    def __call__(self, value: Any, path: str, report: Report) -> None:
        if not isinstance(value, str):
            report.add(path, "must be a string")
        elif len(value) < self.least:
            report.add(path, f"must be more than {self.least - 1} characters")
        elif self.most is not None and len(value) > self.most:
            report.add(path, f"must be less than {self.most + 1} characters")


def text(least: int = 0, most: int | None = None) -> Text:
    """A string with `least` to `most` characters."""
    return Text(least, most)


def boolean(value: Any, path: str, report: Report) -> None:
    """true or false."""
    if not isinstance(value, bool):
        report.add(path, "must be a boolean")


def number(value: Any, path: str, report: Report) -> None:
    """An integer or a float; true and false are neither."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        report.add(path, "must be a number")


def anything(value: Any, path: str, report: Report) -> None:
    """Accepted as it is."""


@dataclass(frozen=True)
class Choice:
    """One of these words."""

    allowed: tuple[str, ...]

    def __call__(self, value: Any, path: str, report: Report) -> None:
        if value not in self.allowed:
            report.add(path, f"must be one of: {', '.join(self.allowed)}")


def choice(*allowed: str) -> Choice:
    """One of these words."""
    return Choice(allowed)


@dataclass(frozen=True)
class Nullable:
    """null, or what another rule takes."""

    rule: Rule

    def __call__(self, value: Any, path: str, report: Report) -> None:
        if value is not None:
            self.rule(value, path, report)


@dataclass(frozen=True)
class Listing:
    """An array of `least` to `most` items, each under the rule `item`."""

    item: Rule
    least: int = 0
    most: int | None = None

    def __call__(self, value: Any, path: str, report: Report) -> None:
        if not isinstance(value, list):
            report.add(path, "must be an array")
            return
        if len(value) < self.least:
            report.add(path, f"no fewer than {self.least} items allowed")
        if self.most is not None and len(value) > self.most:
            report.add(path, f"no more than {self.most} items allowed")
            return
        for position, each in enumerate(value):
            self.item(each, f"{path}/{position}", report)


def listing(item: Rule, least: int = 0, most: int | None = None) -> Listing:
    """An array of `least` to `most` items, each under the rule `item`."""
    return Listing(item, least, most)


@dataclass(frozen=True)
class Shape:
    """An object with these fields and no others; `also` holds rules about the whole object."""

    required: Mapping[str, Rule]
    optional: Mapping[str, Rule]
    also: tuple[Rule, ...] = ()

    def __call__(self, value: Any, path: str, report: Report) -> None:
        if not isinstance(value, dict):
            report.add(path, "must be an object")
            return
        for name in self.required:
            if name not in value:
                report.add(path, f"missing required field: {name}")
        known: dict[str, Rule] = {"type": anything, **self.required, **self.optional}
        for name, each in value.items():
            rule = known.get(name)
            if rule is None:
                report.add(path, f"invalid additional property: {name}")
            else:
                rule(each, f"{path}/{name}", report)
        for rule in self.also:
            rule(value, path, report)


def shape(
    required: Mapping[str, Rule], optional: Mapping[str, Rule] | None = None, *also: Rule
) -> Shape:
    """An object with these fields and no others; `also` holds rules about the whole object."""
    return Shape(required, optional or {}, also)


@dataclass(frozen=True)
class ByType:
    """An object whose `type` chooses the rule."""

    known: Mapping[str, Rule]

    def __call__(self, value: Any, path: str, report: Report) -> None:
        if not isinstance(value, dict):
            report.add(path, "must be an object")
        elif "type" not in value:
            report.add(path, "missing required field: type")
        elif value["type"] not in self.known:
            report.add(f"{path}/type", f"unsupported type: {value['type']}")
        else:
            self.known[value["type"]](value, path, report)


def by_type(known: Mapping[str, Rule]) -> ByType:
    """An object whose `type` chooses the rule."""
    return ByType(known)


@dataclass(frozen=True)
class Fields:
    """The object has `least` to `most` of these fields."""

    names: tuple[str, ...]
    least: int = 1
    most: int | None = None

    def __call__(self, value: Json, path: str, report: Report) -> None:
        count = sum(name in value for name in self.names)
        if self.most == 1 and count != 1:
            report.add(path, f"exactly one of these fields is allowed: {', '.join(self.names)}")
        elif count < self.least:
            report.add(path, f"missing one of these fields: {', '.join(self.names)}")


def exactly_one(*names: str) -> Fields:
    """The object has one of these fields, not none and not two."""
    return Fields(names, 1, 1)


def at_least_one(*names: str) -> Fields:
    """The object has one or more of these fields."""
    return Fields(names)
