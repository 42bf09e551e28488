"""Frozen values to JSON columns and back, equal to what they were."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from psycopg.types.json import Jsonb
from pydantic import TypeAdapter

from agent.messages import (
    AuditNote,
    Calculation,
    Clarification,
    Critique,
    Evidence,
    Step,
    Usage,
    Verdict,
)
from agent.state import AgentState
from bot.store.cells import clean
from bot.store.records import HowAsked

T = TypeVar("T")

AUDIT = TypeAdapter(tuple[AuditNote, ...])
CALCULATIONS = TypeAdapter(tuple[Calculation, ...])
CLARIFICATION = TypeAdapter(Clarification)
CRITIQUE = TypeAdapter(Critique)
EVIDENCE = TypeAdapter(Evidence)
HOW = TypeAdapter(HowAsked)
STATE = TypeAdapter(AgentState)
STEPS = TypeAdapter(tuple[Step, ...])
USAGE = TypeAdapter(Usage)
VERDICT = TypeAdapter(Verdict)


def to_jsonb(kind: TypeAdapter[T], value: T | None) -> Jsonb | None:
    """Return a parameter for a jsonb column; None for None."""
    if value is None:
        return None
    return Jsonb(_clean(kind.dump_python(value, mode="json")))


def from_jsonb(kind: TypeAdapter[T], stored: Any) -> T | None:
    """Return the value that `to_jsonb` wrote, from the parsed column; None for NULL."""
    return None if stored is None else kind.validate_python(stored)


def clean_all(texts: Sequence[str]) -> list[str]:
    """Return a parameter for a text[] column."""
    return [clean(text) for text in texts]


def _clean(value: Any) -> Any:
    match value:
        case str():
            return clean(value)
        case list():
            return [_clean(each) for each in value]
        case dict():
            return {key: _clean(each) for key, each in value.items()}
    return value
