"""Findings as plain text, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.doctor.finding import Finding, Level

_WIDTH = 12
"""Columns before a finding's words; the longest level is "not checked"."""


@dataclass(frozen=True)
class Group:
    """What was found in one area."""

    name: str
    findings: tuple[Finding, ...]


def group_as_text(group: Group) -> str:
    """Return the group's heading and its lines."""
    return "\n".join([group.name, *(_line(each) for each in group.findings), ""])


def totals(groups: Sequence[Group]) -> str:
    """Return the last line: "2 things are wrong, 3 notes." """
    wrong, notes, unchecked = (
        _count(groups, level) for level in (Level.WRONG, Level.NOTE, Level.UNCHECKED)
    )
    parts = [_wrong(wrong), f"{notes} note{'' if notes == 1 else 's'}" if notes else ""]
    if unchecked:
        parts.append(f"{unchecked} not checked")
    return ", ".join(part for part in parts if part) + "."


def is_well(groups: Iterable[Group]) -> bool:
    """Say whether nothing is wrong."""
    return _count(groups, Level.WRONG) == 0


def as_json(groups: Sequence[Group]) -> str:
    """Return everything as one JSON object."""
    return json.dumps(
        {
            "well": is_well(groups),
            "wrong": _count(groups, Level.WRONG),
            "notes": _count(groups, Level.NOTE),
            "not_checked": _count(groups, Level.UNCHECKED),
            "groups": [
                {"name": group.name, "findings": [_finding(each) for each in group.findings]}
                for group in groups
            ],
        },
        ensure_ascii=False,
        indent=2,
    )


def _line(finding: Finding) -> str:
    words = f"{finding.what}."
    if finding.todo:
        words += f" {_capitalised(finding.todo)}{':' if finding.lines else '.'}"
    margin = " " * (_WIDTH + 2)
    first = f"  {finding.level.value:<{_WIDTH}}{words}"
    return "\n".join([first, *(f"{margin}  {line}" for line in finding.lines)])


def _capitalised(text: str) -> str:
    return text if text.startswith("db-agent") else text[:1].upper() + text[1:]


def _wrong(count: int) -> str:
    if count == 0:
        return "Nothing is wrong"
    return "1 thing is wrong" if count == 1 else f"{count} things are wrong"


def _count(groups: Iterable[Group], level: Level) -> int:
    return sum(each.level is level for group in groups for each in group.findings)


def _finding(finding: Finding) -> dict[str, object]:
    return {
        "level": finding.level.value.replace(" ", "_"),
        "what": finding.what,
        "todo": finding.todo,
        "lines": list(finding.lines),
    }
