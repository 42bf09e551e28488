"""What was kept of a run that was cut off."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agent.messages import Transition


@dataclass(frozen=True)
class Recorded:
    """A transition as a trail was told to keep it, with its checkpoint."""

    transition: Transition | None
    """None for what a trail was told to keep of a phase that was cut off: at most the last one."""
    checkpoint: Mapping[str, Any]
    """As it was given to the trail, be it by way of JSON."""
