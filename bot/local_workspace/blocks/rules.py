"""Small rules that blocks are described with. A rule looks at one value and reports what is wrong.

What a rule reports carries the path of the value, the way Slack names it: a JSON pointer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Json = dict[str, Any]


class Report:
    """Collects what is wrong, each with its path."""

    def __init__(self) -> None:
        self.errors: list[str] = []

    def add(self, path: str, what: str) -> None:
        self.errors.append(f"[ERROR] {what} [json-pointer:{path}]")


Rule = Callable[[Any, str, Report], None]


def text(least: int = 0, most: int | None = None) -> Rule:
    """A string with `least` to `most` characters."""

    def check(value: Any, path: str, report: Report) -> None:
        if not isinstance(value, str):
            report.add(path, "must be a string")
        elif len(value) < least:
            report.add(path, f"must be more than {least - 1} characters")
        elif most is not None and len(value) > most:
            report.add(path, f"must be less than {most + 1} characters")

    return check


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


def choice(*allowed: str) -> Rule:
    """One of these words."""

    def check(value: Any, path: str, report: Report) -> None:
        if value not in allowed:
            report.add(path, f"must be one of: {', '.join(allowed)}")

    return check


def listing(item: Rule, least: int = 0, most: int | None = None) -> Rule:
    """An array of `least` to `most` items, each under the rule `item`."""

    def check(value: Any, path: str, report: Report) -> None:
        if not isinstance(value, list):
            report.add(path, "must be an array")
            return
        if len(value) < least:
            report.add(path, f"no fewer than {least} items allowed")
        if most is not None and len(value) > most:
            report.add(path, f"no more than {most} items allowed")
            return
        for position, each in enumerate(value):
            item(each, f"{path}/{position}", report)

    return check


def shape(
    required: Mapping[str, Rule], optional: Mapping[str, Rule] | None = None, *also: Rule
) -> Rule:
    """An object with these fields and no others; `also` holds rules about the whole object."""
    known: dict[str, Rule] = {"type": anything, **required, **(optional or {})}

    def check(value: Any, path: str, report: Report) -> None:
        if not isinstance(value, dict):
            report.add(path, "must be an object")
            return
        for name in required:
            if name not in value:
                report.add(path, f"missing required field: {name}")
        for name, each in value.items():
            rule = known.get(name)
            if rule is None:
                report.add(path, f"invalid additional property: {name}")
            else:
                rule(each, f"{path}/{name}", report)
        for rule in also:
            rule(value, path, report)

    return check


def by_type(known: Mapping[str, Rule]) -> Rule:
    """An object whose `type` chooses the rule."""

    def check(value: Any, path: str, report: Report) -> None:
        if not isinstance(value, dict):
            report.add(path, "must be an object")
        elif "type" not in value:
            report.add(path, "missing required field: type")
        elif value["type"] not in known:
            report.add(f"{path}/type", f"unsupported type: {value['type']}")
        else:
            known[value["type"]](value, path, report)

    return check


def exactly_one(*names: str) -> Rule:
    """The object has one of these fields, not none and not two."""

    def check(value: Json, path: str, report: Report) -> None:
        if sum(name in value for name in names) != 1:
            report.add(path, f"exactly one of these fields is allowed: {', '.join(names)}")

    return check


def at_least_one(*names: str) -> Rule:
    """The object has one or more of these fields."""

    def check(value: Json, path: str, report: Report) -> None:
        if not any(name in value for name in names):
            report.add(path, f"missing one of these fields: {', '.join(names)}")

    return check
