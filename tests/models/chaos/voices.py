"""One model of each kind: what its server says, in good turns and in odd ones."""

from __future__ import annotations

import copy
import json
import random
from dataclasses import dataclass
from typing import Any, Protocol

from agent.messages import Usage
from agent.models.claude import ClaudeModel
from agent.models.openai_compatible import PRESETS
from agent.models.openai_compatible.model import OpenAICompatibleModel

from .stand_ins import chat_api, claude_api, speaking

Json = dict[str, Any]
FIRST_WAIT_S = 0.01
VERDICT = speaking.call("give_verdict", reason="The rows say so.", valid=True)
ADAPTERS = (
    *("claude", "openai", "groq", "nvidia", "vllm, one call", "ollama, sloppy", "ollama, in words"),
)


class Voice(Protocol):
    """A kind of server: its stand-in, its model, and how it words things."""

    server: Any
    key: str

    @property
    def name(self) -> str:
        """The model's name, as cards and prices know it."""

    def model(self, url: str, longest_wait_s: float) -> Any: ...
    def say(self, turn: Any) -> Json:
        """Return the body of a reply with this turn."""

    def error(self, status: int, message: str, code: str = "") -> Any: ...
    def given_out(self, body: Json) -> None:
        """Remember what a reply holds, and what it is the reply to."""

    def counted(self, body: Json) -> Usage | None:
        """Return the tokens that a reply tells of; None where it tells nothing to be believed."""


def _said(speaker: Any, turn: Any) -> Json:
    speaker.say(turn)
    return dict(speaker.server.replies.pop().body)


@dataclass
class ClaudeVoice:
    """Claude, behind the Messages API."""

    key: str = speaking.CLAUDE_KEY

    def __post_init__(self) -> None:
        self.server = claude_api.MessagesApi("http://127.0.0.1:9")
        self._speaker = speaking.Claude(self.server)

    @property
    def name(self) -> str:
        return "claude-sonnet-5"

    def model(self, url: str, longest_wait_s: float) -> ClaudeModel:
        return ClaudeModel(
            self.key, base_url=url, first_wait_s=FIRST_WAIT_S, longest_wait_s=longest_wait_s
        )

    def say(self, turn: Any) -> Json:
        """Every other turn begins with a thought, which comes back unchanged or not at all."""
        body = _said(self._speaker, turn)
        number = len(self.server.given)
        if number % 2:
            thought = {"type": "thinking", "thinking": f"Hm, {number}.", "signature": "c2ln"}
            body["content"].insert(0, thought)
        return body

    def given_out(self, body: Json) -> None:
        self.server.bind(body)

    def error(self, status: int, message: str, code: str = "") -> Any:
        kind = claude_api.TYPES.get(status, "api_error")
        return {"type": "error", "error": {"type": kind, "message": message}}

    def counted(self, body: Json) -> Usage | None:
        usage = body.get("usage")
        if not isinstance(usage, dict):
            return None
        counts = [usage.get(f"{name}_tokens") for name in ("input", "output", "cache_read_input")]
        return Usage(*counts) if believable(counts) else None


@dataclass
class ChatVoice:
    """A model behind chat completions of some flavour."""

    adapter: str
    key: str = speaking.KEY

    def __post_init__(self) -> None:
        flavour, _, odd = self.adapter.partition(", ")
        self.server = chat_api.ChatServer("http://127.0.0.1:9/v1", flavour)
        speakers = {
            "one call": speaking.OneCallAtOnce,
            "sloppy": speaking.Sloppy,
            "in words": speaking.InWords,
        }
        self._speaker = speakers.get(odd, speaking.Compatible)(self.server)

    @property
    def name(self) -> str:
        return f"{self.server.flavour}:small"

    def model(self, url: str, longest_wait_s: float) -> OpenAICompatibleModel:
        return OpenAICompatibleModel(
            PRESETS[self.server.flavour],
            "small",
            api_key=self.key,
            base_url=f"{url}/v1",
            first_wait_s=FIRST_WAIT_S,
            longest_wait_s=longest_wait_s,
        )

    def say(self, turn: Any) -> Json:
        return _said(self._speaker, turn)

    def given_out(self, body: Json) -> None:
        """A chat is given as it is."""

    def error(self, status: int, message: str, code: str = "") -> Any:
        return self.server.error(status, message, code or None)

    def counted(self, body: Json) -> Usage | None:
        usage = body.get("usage")
        if not isinstance(usage, dict):
            return None
        read, written = usage.get("prompt_tokens"), usage.get("completion_tokens")
        if not believable([read, written]):
            return None
        cached = usage.get("prompt_tokens_details", {}).get("cached_tokens", 0)
        return Usage(read - cached, written, cached)


def believable(counts: list[Any]) -> bool:
    """Say whether these can be tokens of one call."""
    return all(type(each) is int and 0 <= each < 10_000_000 for each in counts)


def voice(adapter: str) -> Voice:
    """Return a new server of that kind, with nothing said yet."""
    return ClaudeVoice() if adapter == "claude" else ChatVoice(adapter)


def calls_of(body: Json) -> list[Json]:
    """Return the calls in a reply, each as the object that holds its id."""
    if "choices" in body:
        return list(body["choices"][0]["message"].get("tool_calls") or [])
    return [block for block in body["content"] if block["type"] == "tool_use"]


def set_stop(body: Json, word: str) -> None:
    """Let a reply end for that reason."""
    if "choices" in body:
        body["choices"][0]["finish_reason"] = word
    else:
        body["stop_reason"] = word


def set_arguments(call: Json, given: Any) -> None:
    """Let a call have these arguments."""
    if "function" in call:
        call["function"]["arguments"] = given
    else:
        call["input"] = given


def set_usage(body: Json, draw: random.Random, odd: Any) -> None:
    """Replace one of the counts of a reply, or all of them where `odd` is None."""
    if odd is None:
        body.pop("usage", None)
    elif isinstance(body.get("usage"), dict):
        names = ("prompt_tokens", "completion_tokens", "input_tokens", "output_tokens")
        name = draw.choice([each for each in names if each in body["usage"]])
        body["usage"] = {**body["usage"], name: copy.deepcopy(odd)}


def is_about_a_verdict(request: Json) -> bool:
    """Say whether it is the judge who asks."""
    return "give_verdict" in json.dumps([request.get("tools"), request.get("messages")])
