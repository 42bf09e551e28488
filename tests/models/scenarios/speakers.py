"""Every way to say the same: each speaker words turns as the server of its model would."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from agent.models.claude import ClaudeModel
from agent.models.openai_compatible import PRESETS
from agent.models.openai_compatible.model import OpenAICompatibleModel
from agent.testing import load_script

from .wording import Fails, Says, Turns

CLAUDE_KEY = "sk-ant-test-0123456789abcdef"
KEY = "sk-test-0123456789abcdef"


class Speaker:
    """A model, and how it is told what to say."""

    counts_tokens = True
    model: Any

    def prepare(self, turns: Turns) -> None:
        """Let the model say these turns in the next run."""
        for turn in turns:
            self.fail(turn.why) if isinstance(turn, Fails) else self.say(turn)

    def has_said_all(self) -> bool:
        return not self.server.replies

    def close(self) -> None:
        self.model.close()

    server: Any

    def fail(self, why: str) -> None:
        raise NotImplementedError

    def say(self, turn: Says) -> None:
        raise NotImplementedError


class Claude(Speaker):
    """Says turns as the Messages API words them."""

    ERRORS: ClassVar = {
        "overloaded": (529, "Overloaded"),
        "broken": (500, "Internal"),
        "wrong key": (401, "invalid x-api-key"),
        "no model": (404, "model: small"),
        "no credit": (400, "Your credit balance is too low"),
        "too large": (413, "Request exceeds the maximum size"),
    }

    def __init__(self, api: Any) -> None:
        self.server = api
        self.model = ClaudeModel(CLAUDE_KEY, base_url=api.url, first_wait_s=0.01)

    def fail(self, why: str) -> None:
        if why == "limited":
            self.server.fail(429, "Slowly.", retry_after="3600")
        else:
            self.server.fail(*self.ERRORS[why])

    def say(self, turn: Says) -> None:
        number = len(self.server.given)
        blocks: list[Any] = [turn.text] if turn.text else []
        for place, (name, given) in enumerate(turn.calls):
            call_id = f"toolu_{number}_{place}"
            blocks.append({"type": "tool_use", "id": call_id, "name": name, "input": given})
        stop = "tool_use" if turn.calls else "end_turn"
        stop = "max_tokens" if turn.cut else "refusal" if turn.declined else stop
        self.server.say(*blocks, stop=stop)


class Compatible(Speaker):
    """Says turns as chat completions have them."""

    ERRORS: ClassVar = {
        "overloaded": (503, "Overloaded", None),
        "broken": (500, "Internal", None),
        "wrong key": (401, "Incorrect API key provided", "invalid_api_key"),
        "no model": (404, "The model `small` does not exist", "model_not_found"),
        "no credit": (429, "You exceeded your current quota", "insufficient_quota"),
        "too large": (400, "maximum context length is 4096", "context_length_exceeded"),
    }

    def __init__(self, server: Any) -> None:
        self.server = server
        preset = PRESETS[server.flavour]
        self.model = OpenAICompatibleModel(
            preset, "small", api_key=KEY, base_url=server.url, first_wait_s=0.01
        )

    def fail(self, why: str) -> None:
        if why == "limited":
            self.server.fail(429, "Please try again in 1h0m0s.", "rate_limit_exceeded")
        else:
            self.server.fail(*self.ERRORS[why])

    def say(self, turn: Says) -> None:
        stop = "length" if turn.cut else "content_filter" if turn.declined else ""
        self.server.say(turn.text or None, *map(self.call, turn.calls), stop=stop)

    def call(self, wanted: tuple[str, Any]) -> dict[str, Any]:
        self.number = getattr(self, "number", 0) + 1
        function = {"name": wanted[0], "arguments": json.dumps(wanted[1])}
        return {"id": f"call_{self.number}", "type": "function", "function": function}


class Sloppy(Compatible):
    """A small model: objects for texts, no ids, no reasons, thoughts aloud, no tokens counted."""

    def say(self, turn: Says) -> None:
        stop = "length" if turn.cut else "content_filter" if turn.declined else None
        text = f"<think>Hm.</think>{turn.text}"
        calls = [{"function": {"name": n, "arguments": given}} for n, given in turn.calls]
        self.server.say(text, *calls, stop=stop, usage=None)


class InWords(Compatible):
    """A model whose server has no tools."""

    def __init__(self, server: Any) -> None:
        super().__init__(server)
        server.quirks = {"roles alternate": "roles must alternate user/assistant"}

    def say(self, turn: Says) -> None:
        written = [{"name": name, "arguments": given} for name, given in turn.calls]
        marked = [f"<tool_call>\n{json.dumps(each)}\n</tool_call>" for each in written]
        stop = "length" if turn.cut else "content_filter" if turn.declined else "stop"
        self.server.say("\n".join([turn.text, *marked]).strip(), stop=stop)


class OneCallAtOnce(Compatible):
    """A model whose template takes one call in a message."""

    def __init__(self, server: Any) -> None:
        super().__init__(server)
        server.quirks = {"one call": "TemplateError: only supports single tool-calls at once!"}


class Scripted(Speaker):
    """Plays the turns from a file, as `DB_AGENT_MODEL=scripted:FILE` has it.

    It has no server: what passes there is not noticed here, and what lasts is the script's end.
    """

    counts_tokens = False

    def __init__(self, folder: Path) -> None:
        self._path = folder / "script.json"

    def prepare(self, turns: Turns) -> None:
        script: list[dict[str, Any]] = []
        for turn in turns:
            if isinstance(turn, Says):
                script.append(self._written(turn))
            elif not turn.passes:
                break
        self._path.write_text(json.dumps(script), encoding="utf-8")
        self.model = load_script(self._path)

    def _written(self, turn: Says) -> dict[str, Any]:
        calls = [{"name": name, "arguments": given} for name, given in turn.calls]
        written: dict[str, Any] = {"text": turn.text, "tool_calls": calls}
        if turn.cut or turn.declined:
            written["stop_reason"] = "max_tokens" if turn.cut else "refusal"
        return written

    def has_said_all(self) -> bool:
        return True

    def close(self) -> None:
        """Nothing is open."""


def all_speakers(
    claude_api: Any, start_chat: Callable[[str], Any], folder: Path
) -> dict[str, Speaker]:
    """Return every speaker, Claude's first."""
    return {
        "claude": Claude(claude_api),
        "openai": Compatible(start_chat("openai")),
        "groq": Compatible(start_chat("groq")),
        "nvidia": Compatible(start_chat("nvidia")),
        "vllm, one call": OneCallAtOnce(start_chat("vllm")),
        "ollama, sloppy": Sloppy(start_chat("ollama")),
        "ollama, in words": InWords(start_chat("ollama")),
        "scripted": Scripted(folder),
    }
