"""A stand-in for chat completions on loopback, as strict about requests as the servers it plays.

What a request may hold is read off the SDK's own types, which are made from OpenAI's description of
its API. What a server refuses beyond that is its flavour.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

KEY = "sk-test-0123456789abcdef"
MODELS = {"small", "meta/large"}


class Refused(Exception):
    def __init__(self, status: int, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.code = status, message, code


def is_trial(body: dict[str, Any]) -> bool:
    """Say whether a request only tries whether its tools are dropped."""
    return "say yes, and nothing else" in str(body["messages"][-1]["content"])


def need(condition: object, message: str, status: int = 400, code: str | None = None) -> None:
    if not condition:
        raise Refused(status, message, code)


@dataclass
class Reply:
    """What the server does with one well-formed request."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    cut_after: int | None = None
    """Bytes of the body after which the connection is reset."""
    drip_s: float = 0.0
    """Seconds between single bytes of the body."""


@dataclass
class ChatServer:
    """The stand-in: replies in the order in which they were queued, and what it was sent."""

    url: str
    flavour: str = "openai"
    """openai, groq, nvidia, ollama, vllm, or sloppy."""
    quirks: dict[str, str] = field(default_factory=dict)
    """What it refuses beyond its flavour, and in which words; see `check_quirks`."""
    replies: list[Reply] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    key: str = KEY
    drops_tools: bool = False
    """It takes tools, and shows its model none."""
    cuts_trials: bool = False
    """It hangs up on requests that try whether it does."""
    trials: int = 0
    """Requests that tried whether it does; they are answered at once, and stand nowhere else."""

    def say(
        self, text: Any = None, *calls: Any, stop: str | None = "", usage: Any = (), **options: Any
    ) -> None:
        """Queue a message, with tool calls as the protocol has them; options are `Reply`'s."""
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if calls:
            message["tool_calls"] = list(calls)
        self.say_message(message, stop=stop, usage=usage, **options)

    def say_message(
        self, message: Any, *, stop: str | None = "", usage: Any = (), **options: Any
    ) -> None:
        """Queue a message as it is given."""
        ends = "tool_calls" if isinstance(message, dict) and message.get("tool_calls") else "stop"
        body = {
            "id": f"chatcmpl-{len(self.replies)}",
            "object": "chat.completion",
            "created": 1_790_000_000,
            "model": "small",
            "choices": [
                {"index": 0, "message": message, "finish_reason": ends if stop == "" else stop}
            ],
        }
        counts = {"prompt_tokens": 111, "completion_tokens": 7, "total_tokens": 118}
        body["usage"] = {**counts, "prompt_tokens_details": {"cached_tokens": 100}}
        if usage != ():
            body["usage"] = usage
        self.replies.append(Reply(body, **options))

    def fail(self, status: int, message: str = "No.", code: Any = None, **options: Any) -> None:
        """Queue an error as this flavour words it; `retry_after` and its like become headers."""
        headers = {name.replace("_", "-"): value for name, value in options.items()}
        self.replies.append(Reply(self.error(status, message, code), status, headers))

    def error(self, status: int, message: str, code: Any = None) -> Any:
        if self.flavour == "vllm":
            return {"object": "error", "message": message, "type": "Error", "code": code or status}
        if self.flavour == "nvidia":
            return {"type": "about:blank", "status": status, "title": code, "detail": message}
        if self.flavour == "sloppy":
            return {"error": f"{code or ''} {message}".strip()}
        error = {"message": message, "type": "invalid_request_error", "param": None, "code": code}
        return {"error": error}

    def answer(self, path: str, headers: dict[str, str], raw: bytes) -> Reply:
        try:
            self.check(path, headers, raw)
            if is_trial(self.requests[-1]):
                return self.count_trial()
            return self.replies.pop(0)
        except Refused as no:
            self.refusals.append(no.message)
            return Reply(self.error(no.status, no.message, no.code), no.status)

    def count_trial(self) -> Reply:
        request = self.requests.pop()
        self.trials += 1
        shown = [] if self.drops_tools else request.get("tools", [])
        read = len(json.dumps([request["messages"], shown])) // 4
        message = {"role": "assistant", "content": "Yes"}
        choices = [{"index": 0, "message": message, "finish_reason": "length"}]
        cut = 0 if self.cuts_trials else None
        usage = {"prompt_tokens": read, "completion_tokens": 1}
        return Reply({"choices": choices, "usage": usage}, cut_after=cut)

    def check(self, path: str, headers: dict[str, str], raw: bytes) -> None:
        """Raise `Refused` for what the real server would refuse."""
        if self.flavour not in ("ollama", "vllm"):
            given = headers.get("authorization")
            need(given == f"Bearer {self.key}", "Incorrect API key", 401, "invalid_api_key")
        need(path.endswith("/v1/chat/completions"), "404 page not found", 404)
        need(headers.get("content-type") == "application/json", "content-type")
        body = json.loads(raw.decode("utf-8", "strict"))
        self.requests.append(body)
        check_fields(body)
        name = body.get("model")
        need(name in MODELS, f"The model `{name}` does not exist", 404, "model_not_found")
        check_tools(body)
        check_order(body["messages"])
        self.check_flavour(body)
        self.check_quirks(body)

    def check_flavour(self, body: dict[str, Any]) -> None:
        if self.flavour == "openai":
            hint = "Unsupported parameter: 'max_tokens' is not supported with this model. Use"
            need("max_tokens" not in body, f"{hint} 'max_completion_tokens' instead.")
        if self.flavour in ("ollama", "sloppy"):
            strange = {"max_completion_tokens"} & set(body)
            need(not strange, f"unknown field {strange}")
        for message in body["messages"]:
            if self.flavour in ("ollama", "sloppy", "nvidia"):
                need(isinstance(message["content"], str), "invalid message content type: <nil>")

    def check_quirks(self, body: dict[str, Any]) -> None:
        roles = [message["role"] for message in body["messages"]]
        calls = [len(message.get("tool_calls", [])) for message in body["messages"]]
        pairs = list(pairwise(roles))
        broken = {
            "no tools": "tools" in body or "tool" in roles,
            "no tool_choice": "tool_choice" in body,
            "one call": any(number > 1 for number in calls),
            "no system": "system" in roles,
            "no user after tool": ("tool", "user") in pairs,
            "roles alternate": "tool" in roles or any(a == b for a, b in pairs),
            "no limit": bool({"max_tokens", "max_completion_tokens"} & set(body)),
            "no max_tokens": "max_tokens" in body,
        }
        for quirk, words in self.quirks.items():
            need(not broken[quirk], words, 500 if "Template" in words else 400)


def types() -> tuple[Any, dict[str, TypeAdapter[Any]], dict[str, Any]]:
    """Return the SDK's own types of a request, and of the messages by role."""
    from openai.types import chat
    from openai.types.chat import completion_create_params as create

    roles = {
        "system": chat.ChatCompletionSystemMessageParam,
        "user": chat.ChatCompletionUserMessageParam,
        "assistant": chat.ChatCompletionAssistantMessageParam,
        "tool": chat.ChatCompletionToolMessageParam,
    }
    adapters = {role: TypeAdapter(kind) for role, kind in roles.items()}
    return create.CompletionCreateParamsNonStreaming, adapters, roles


def check_fields(body: dict[str, Any]) -> None:
    request, adapters, roles = types()
    unknown = set(body) - set(request.__annotations__)
    need(not unknown, f"Unrecognized request arguments supplied: {unknown}")
    need(isinstance(body.get("messages"), list) and body["messages"], "messages: too short")
    for place, message in enumerate(body["messages"]):
        role = message.get("role")
        need(role in adapters, f"messages[{place}].role: {role}")
        extra = set(message) - set(roles[role].__annotations__)
        need(not extra, f"messages[{place}]: additional properties {extra}")
        try:
            adapters[role].validate_python(message, strict=True)
        except ValidationError as error:
            raise Refused(400, f"messages[{place}]: {error}") from None
        for call in message.get("tool_calls", ()):
            need(set(call) == {"id", "type", "function"}, "tool_calls: wrong fields")
            need(set(call["function"]) == {"name", "arguments"}, "function: wrong fields")
            need(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", call["function"]["name"]), "name: pattern")
            need(1 <= len(call["id"]) <= 40, "id: string too long")
            need(is_object(call["function"]["arguments"]), "arguments: must be a JSON object")


def is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def check_tools(body: dict[str, Any]) -> None:
    tools = body.get("tools", [])
    need("tools" not in body or tools, "tools: empty array")
    need("tool_choice" not in body or tools, "tool_choice is only allowed when tools are given")
    names = [tool["function"]["name"] for tool in tools]
    need(len(set(names)) == len(names), "tools: names must be unique")
    for tool in tools:
        need(set(tool) == {"type", "function"} and tool["type"] == "function", "tools: type")
        need(set(tool["function"]) <= {"name", "description", "parameters", "strict"}, "function")
        schema = tool["function"].get("parameters")
        need(isinstance(schema, dict) and schema.get("type") == "object", "tools: parameters")


def check_order(messages: list[dict[str, Any]]) -> None:
    open_ids: list[str] = []
    for place, message in enumerate(messages):
        if message["role"] == "tool":
            need(
                message["tool_call_id"] in open_ids,
                "messages with role 'tool' must be a response to a preceeding message with "
                "'tool_calls'",
            )
            open_ids.remove(message["tool_call_id"])
            continue
        need(not open_ids, f"tool_call_ids did not have response messages: {open_ids}")
        need(message["role"] != "system" or place == 0, "the system message must come first")
        open_ids = [call["id"] for call in message.get("tool_calls", ())]
        need(len(set(open_ids)) == len(open_ids), "duplicate tool call ids")
    need(not open_ids, f"tool_call_ids did not have response messages: {open_ids}")
    need(messages[-1]["role"] != "assistant", "the last message must be of the user or a tool")


@pytest.fixture
def start_server(serve: Callable[[Any], str]) -> Callable[[str], ChatServer]:
    """Starts stand-ins of a flavour; they stop with the test."""

    def start(flavour: str = "openai") -> ChatServer:
        server = ChatServer("", flavour)
        server.url = f"{serve(server)}/v1"
        return server

    return start


@pytest.fixture
def server(start_server: Callable[[str], ChatServer]) -> ChatServer:
    """One stand-in that plays OpenAI, with nothing queued."""
    return start_server("openai")


@pytest.fixture(scope="session")
def check_request() -> Callable[[dict[str, Any]], None]:
    """Raises for a body that no server takes."""

    def check(body: dict[str, Any]) -> None:
        for each in (check_fields, check_tools):
            each(body)
        check_order(body["messages"])

    return check
