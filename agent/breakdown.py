"""What broke, where a run ends in a fault of ours or of the model's provider."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from agent.errors import Fault, ModelDeclined

OUR_FAULT: Final = (
    "Something broke on our side; the people who run this bot can find it in its log."
)


@dataclass(frozen=True)
class Breakdown:
    """As much of an exception as the ending of a run tells."""

    words: str
    """For the person: one sentence, and what to do."""
    detail: str
    """For the operator."""
    declined: bool = False
    """Nothing is broken: the model does not want to answer."""

    @classmethod
    def of(cls, error: Exception) -> Breakdown:
        """Return what a run tells of `error`; what is no `Fault` is a bug."""
        if isinstance(error, Fault):
            return cls(str(error), error.detail or str(error), isinstance(error, ModelDeclined))
        return cls(OUR_FAULT, f"{type(error).__name__}: {error}")
