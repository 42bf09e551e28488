"""That another model took over: how a trail says it, and how it is read back from one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from agent.messages import Transition

_SAID: Final = re.compile(r"\A(\S{1,120} was out of reach, so \S{1,120} took over\.) ?")


def say_taking_over(first: str, second: str) -> str:
    """Return the sentence, for the beginning of a trigger: names of models hold no blanks."""
    first, second = (re.sub(r"\s", "_", name)[:120] for name in (first, second))
    return f"{first} was out of reach, so {second} took over. "


def tell_taking_over(trail: Sequence[Transition]) -> list[str]:
    """Return the sentence where a trail has it."""
    found = (_SAID.match(each.trigger) for each in trail)
    return [said[1] for said in found if said]


def without_taking_over(trigger: str) -> str:
    """Return what else a trigger says."""
    return _SAID.sub("", trigger)
