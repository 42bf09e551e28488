"""What is to become of a job that is not over."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Again:
    """The job goes back to the line and keeps its place in its thread."""

    after_s: float = 0.0
    """How long it is left there, in seconds."""
