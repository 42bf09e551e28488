"""From what a model said to a verdict: one call of `give_verdict`, or a bare JSON object."""

from __future__ import annotations

import json
import re
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent.messages import Severity, ToolSpec, Turn, Verdict
from agent.tools.argument_schema import what_models_read

TOOL_NAME: Final = "give_verdict"
MAX_REASON: Final = 500
"""Characters of a reason; what is longer is cut, since it goes on a card."""

_USABLE_STOPS: Final = frozenset({"end_turn", "tool_use", "stop_sequence"})
_FENCED: Final = re.compile(r"\A```(?:json)?\s*\n(.*)\n\s*```\Z", re.DOTALL)


class GiveVerdict(BaseModel):
    """Say whether the draft may be sent as the answer. Call it exactly once."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    # The reason comes first, so that a model has put it into words before it decides.
    reason: str = Field(
        "",
        description="One plain sentence for a person who knows no SQL: what is wrong, and what "
        "would be right. Empty where valid is true.",
    )
    valid: bool = Field(description="True where the draft may be sent as it is.")
    severity: Literal["minor", "major"] = Field(
        "major",
        description='"minor": the rows answer the question, only the words of the draft are '
        'wrong. "major": the rows do not answer the question.',
    )


class VerdictInvalid(ValueError):
    """A turn that holds no verdict; the message says to the model what was wrong with it."""

    refused: bool = False
    """It refuses the draft all the same, and only its reason is missing."""


def verdict_spec() -> ToolSpec:
    """Return what the judge is told of the only tool that it has.

    It leaves nothing out: who is held to a schema writes what may be left out after all else, so
    the reason would come after the decision.
    """
    schema = what_models_read(GiveVerdict.model_json_schema())
    schema["required"] = list(schema["properties"])
    return ToolSpec(TOOL_NAME, GiveVerdict.__doc__ or "", schema)


def read_verdict(turn: Turn) -> Verdict:
    """Return the verdict in `turn`. Raises `VerdictInvalid`.

    A verdict in words is none, and neither is JSON in the midst of words: that may be a quotation
    of what the draft or a row claims of itself.
    """
    if turn.stop_reason not in _USABLE_STOPS:
        raise VerdictInvalid("Your turn was cut off before its end. Say it again, shorter.")
    if not turn.tool_calls:
        return _checked(_bare_object(turn.text))
    if len(turn.tool_calls) > 1:
        raise VerdictInvalid(f"Call {TOOL_NAME} exactly once, not {len(turn.tool_calls)} tools.")
    call = turn.tool_calls[0]
    if call.name != TOOL_NAME:
        raise VerdictInvalid(f"There is no tool {call.name[:60]!r}. The only one is {TOOL_NAME}.")
    return _checked(call.malformed or dict(call.arguments))


def _bare_object(text: str) -> str:
    text = text.strip()
    if fenced := _FENCED.match(text):
        text = fenced[1].strip()
    if not text.startswith("{"):
        raise VerdictInvalid(f"Your turn held no verdict. Call {TOOL_NAME} once, without words.")
    return text


def _checked(given: str | dict[str, object]) -> Verdict:
    try:
        raw = json.loads(given) if isinstance(given, str) else given
        said = GiveVerdict.model_validate(raw)
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(map(str, each['loc'])) or 'the verdict'}: {each['msg']}"
            for each in error.errors(include_url=False)[:3]
        )
        raise VerdictInvalid(f"The verdict does not fit: {problems[:500]}.") from None
    except (ValueError, RecursionError):
        raise VerdictInvalid("The verdict is no JSON object.") from None
    reason = " ".join(said.reason.split())
    if not said.valid and not reason:
        unexplained = VerdictInvalid(
            "A draft that is not valid needs a reason: say what is wrong with it."
        )
        unexplained.refused = True
        raise unexplained
    if len(reason) > MAX_REASON:
        reason = f"{reason[: MAX_REASON - 1]}…"
    return Verdict(said.valid, reason, Severity(said.severity))
