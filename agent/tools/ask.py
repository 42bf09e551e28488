"""`ask_user`: a question back to the person ends the run without inventing an answer."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from agent.messages import Clarification, Observation


class AskUser(BaseModel):
    """Ask the person one short question, when theirs cannot be answered without a guess."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    question: str = Field(min_length=1, max_length=1_000)
    options: list[str] = Field(
        default_factory=list, max_length=5, description="Answers to choose from, if they are few."
    )


def ask_user(arguments: AskUser) -> Observation:
    """Return the question; the loop ends the run with it."""
    return Observation(
        "The person is asked.",
        clarification=Clarification(arguments.question, tuple(arguments.options)),
    )
