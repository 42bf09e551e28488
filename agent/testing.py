"""Models that say what they were told to say: for tests, and to show how the loop treats a model.

A script is a JSON file with a list of turns:

    [{"tool_calls": [{"name": "get_schema", "arguments": {"table_name": "film"}}]},
     {"text": "There are 1,000 films."}]
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from agent.errors import ModelUnavailable, SettingsInvalid
from agent.messages import (
    Case,
    Directive,
    Judgement,
    Message,
    ToolCall,
    ToolSpec,
    Turn,
    Usage,
    UserMessage,
    Verdict,
    directive_in,
)
from agent.protocols import Model


class ScriptedModel:
    """Plays its turns in order, anew in each run; past an answer that ends them it keeps to that.

    Past any other last turn it is out of reach. Which turn is due is read off the conversation,
    turns that a rewind took back included, so one model serves many runs at once.
    """

    def __init__(self, *turns: Turn, name: str = "scripted") -> None:
        self._turns = turns
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    def respond(
        self,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        *,
        timeout_s: float,
    ) -> Turn:
        """Return the next turn of the script. Raises `ModelUnavailable` past its end."""
        played = sum(_turns_in(message) for message in messages)
        if played >= len(self._turns) and self._turns and not self._turns[-1].tool_calls:
            return self._turns[-1]
        if played >= len(self._turns):
            turns = "1 turn" if len(self._turns) == 1 else f"{len(self._turns)} turns"
            raise ModelUnavailable(
                f"The script of the model ended after {turns}. Add a turn with the answer to it.",
                detail=f"scripted model {self._name}: turn {played + 1} was asked for",
            )
        return self._turns[played]


class RecordingModel:
    """Passes everything on to another model, and keeps what that one was asked."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.systems: list[str] = []
        self.heard: list[tuple[Message, ...]] = []
        """The conversation, turn by turn, but for what the two lists below hold."""
        self.offered: list[tuple[str, ...]] = []
        """The names of the tools that it might use, turn by turn."""
        self.tasks: list[str] = []
        """What it was to do, turn by turn."""

    @property
    def name(self) -> str:
        return self._model.name

    def respond(
        self,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        *,
        timeout_s: float,
    ) -> Turn:
        """Return the other model's turn. Raises what it raises."""
        self.systems.append(system)
        self.heard.append(tuple(m for m in messages if not isinstance(m, Directive)))
        directive = directive_in(messages) or Directive("", tuple(tool.name for tool in tools))
        self.offered.append(directive.tools)
        self.tasks.append(directive.task)
        return self._model.respond(system, messages, tools, timeout_s=timeout_s)


def _turns_in(message: Message) -> int:
    if isinstance(message, UserMessage):
        return message.dropped_turns
    return int(isinstance(message, Turn) and not message.is_past)


class ScriptedJudge:
    """Gives the verdicts that it was told to give; keeps nothing, so one serves many runs.

    `verdicts` says what to think of a case, or holds a verdict for each draft that is not simply
    valid.
    """

    def __init__(
        self,
        verdicts: Callable[[Case], Verdict] | Mapping[str, Verdict],
        name: str = "scripted judge",
    ) -> None:
        self._verdicts = verdicts
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    def judge(
        self,
        case: Case,
        *,
        timeout_s: float,
        max_turns: int = 1,
        may_go_on: Callable[[Usage], bool] = lambda _: True,
    ) -> Judgement:
        """Return what the script says of `case`; it takes no tokens."""
        if callable(self._verdicts):
            return Judgement(self._verdicts(case), Usage())
        return Judgement(self._verdicts.get(case.draft, Verdict(valid=True)), Usage())


def call(tool: str, /, **arguments: Any) -> Turn:
    """Return a turn that calls one tool."""
    return calls((tool, arguments))


def calls(*wanted: tuple[str, Mapping[str, Any]]) -> Turn:
    """Return a turn that calls several tools."""
    made = tuple(
        ToolCall(f"call_{number}", name, arguments)
        for number, (name, arguments) in enumerate(wanted, start=1)
    )
    return Turn(tool_calls=made, stop_reason="tool_use")


def text(words: str) -> Turn:
    """Return a turn that answers."""
    return Turn(text=words)


class _ScriptedCall(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str
    arguments: dict[str, Any] | str = {}
    """A text stands for arguments that are no JSON object."""


class _ScriptedTurn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: str = ""
    tool_calls: list[_ScriptedCall] = []
    stop_reason: str | None = None


def load_script(path: Path) -> ScriptedModel:
    """Return the model that plays the script in `path`.

    Raises `SettingsInvalid`, which says what is wrong with the file and where.
    """
    try:
        raw = json.loads(path.read_text(encoding="utf-8"))
        turns = TypeAdapter(list[_ScriptedTurn]).validate_python(raw, strict=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise SettingsInvalid(f"The script {path} cannot be read: {reason}.") from error
    except (ValueError, RecursionError) as error:
        raise SettingsInvalid(
            f"The script {path} is no list of turns such as "
            f'[{{"text": "…", "tool_calls": [{{"name": "…", "arguments": {{}}}}]}}]: '
            f"{_first_problem(error)}."
        ) from error
    made = [_turn(number, turn) for number, turn in enumerate(turns, start=1)]
    return ScriptedModel(*made, name=f"scripted:{path.name}")


def _first_problem(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, ValidationError):
        problem = error.errors(include_url=False)[0]
        return f"{'.'.join(str(part) for part in problem['loc']) or 'the file'}: {problem['msg']}"
    return str(error)


def _turn(number: int, turn: _ScriptedTurn) -> Turn:
    made = tuple(
        ToolCall(
            f"call_{number}_{position}",
            wanted.name,
            wanted.arguments if isinstance(wanted.arguments, dict) else {},
            malformed=wanted.arguments if isinstance(wanted.arguments, str) else "",
        )
        for position, wanted in enumerate(turn.tool_calls, start=1)
    )
    reason = turn.stop_reason or ("tool_use" if made else "end_turn")
    return Turn(turn.text, made, reason)
