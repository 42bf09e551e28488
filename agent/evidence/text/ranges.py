"""Figures that share a unit ("$10–20k"), and lengths of time in two units ("2 hours 5 minutes")."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from typing import Final

from agent.evidence.text.hedges import Range
from agent.evidence.text.mentions import Form, Mention
from agent.evidence.text.units import SCALE, SCALES, TIME_UNITS, time_unit

_JOINED: Final = re.compile(r"\s*(?:-|–|—|to|and|bis|or)\s*", re.IGNORECASE)
_SCALED: Final = re.compile(rf"\d\s?({SCALE})\b", re.IGNORECASE)
_WIDEST: Final = 50
"""How many times the first figure the second may be, for both to be one range."""


def share_units(found: list[Mention], text: str) -> list[Mention]:
    """Let both ends of a range have the unit and scale of one: "$10–20k", "6 to 7 percent"."""
    done = list(found)
    joints: tuple[str, ...] = ("and",)
    for position in reversed(range(len(done) - 1)):
        joint = text[done[position].end : done[position + 1].start].strip(" ,") or ","
        if joint in joints and _are_list(done[position], done[position + 1]):
            done[position] = _with_unit(done[position], done[position + 1])[0]
            joints = ("and", ",")
        else:
            joints = ("and",)
    for position in range(len(done) - 1):
        first, second = done[position], done[position + 1]
        if _are_range(first, second, text):
            done[position : position + 2] = _with_unit(*_with_scale(first, second))
    return done


def _are_range(first: Mention, second: Mention, text: str) -> bool:
    between = text[first.end : second.start]
    if not _JOINED.fullmatch(between):
        return False
    if between.strip() in ("and", "or") and not re.search(r"\bbetween\s*$", text[: first.start]):
        return False
    if first.form is not Form.NUMBER and first.form is not second.form:
        return False  # "rose 19% to $35.8k"
    return abs(first.value) <= abs(second.value) <= abs(first.value) * _WIDEST or bool(
        _SCALED.search(second.text)
    )


def _are_list(first: Mention, second: Mention) -> bool:
    """Whether the last figure of a list may have the unit of all: "145, 90 and 21 minutes"."""
    is_bare = first.form is Form.NUMBER and not (first.currency or first.unit or first.nouns)
    return is_bare and bool(second.unit or (second.form is Form.PERCENT and first.value <= 100))


def _with_unit(first: Mention, second: Mention) -> tuple[Mention, Mention]:
    is_bare = first.form is Form.NUMBER and not first.currency and not first.unit
    if is_bare and second.form is not Form.NUMBER:
        first = replace(first, form=second.form)
    elif is_bare and second.unit:
        first = replace(first, unit=second.unit)
    elif is_bare and second.currency and not first.nouns:
        first = replace(first, currency=second.currency)
    elif first.currency and second.form is Form.NUMBER and not second.currency and not second.nouns:
        second = replace(second, currency=first.currency)
    if not first.nouns and second.nouns:
        first = replace(first, nouns=second.nouns, prep_nouns=second.prep_nouns)
    return first, second


def _with_scale(first: Mention, second: Mention) -> tuple[Mention, Mention]:
    scale = _SCALED.search(second.text)
    if scale is None or _SCALED.search(first.text) or abs(first.value) >= 1000:
        return first, second
    factor = Decimal(SCALES[scale[1].lower()])
    scaled = tuple(r.scaled(factor) for r in first.ranges)
    return replace(first, value=first.value * factor, ranges=scaled), second


def join_lengths_of_time(found: list[Mention], text: str) -> list[Mention]:
    """Make one length of time of "2 hours and 5 minutes", counted in the smaller unit."""
    done: list[Mention] = []
    for mention in found:
        last = done[-1] if done else None
        if last is not None and _belong_together(last, mention, text):
            done[-1] = _joined(last, mention, text)
        else:
            done.append(mention)
    return [replace(m, form=Form.TIME) if m.unit and m.form is Form.NUMBER else m for m in done]


def _belong_together(first: Mention, second: Mention, text: str) -> bool:
    if not first.unit or not second.unit:
        return False
    if not TIME_UNITS[first.unit] > TIME_UNITS[second.unit] > 0:
        return False
    gap = text[first.end : second.start]
    between = [word for word in re.findall(r"[^\W\d_]+", gap) if word.lower() != "and"]
    return bool(re.fullmatch(r"[\w ,-]*", gap)) and all(
        time_unit(word) == first.unit for word in between
    )


def _joined(first: Mention, second: Mention, text: str) -> Mention:
    factor = Decimal(TIME_UNITS[first.unit]) / TIME_UNITS[second.unit]
    added = first.value * factor
    return replace(
        second,
        text=text[first.start : second.end],
        start=first.start,
        value=second.value + added,
        ranges=tuple(Range(r.low + added, r.high + added) for r in second.ranges),
        form=Form.TIME,
        hedge=first.hedge,
        digits=first.digits + second.digits,
    )
