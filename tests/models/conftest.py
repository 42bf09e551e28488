"""A stand-in for Anthropic's Messages API on loopback, as strict about requests as the real one."""

from __future__ import annotations

import json
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

KEY = "sk-ant-test-0123456789abcdef"
MODELS = {"claude-sonnet-5", "claude-opus-5"}
BODY_FIELDS = {
    *("model", "max_tokens", "messages", "system", "tools", "tool_choice", "cache_control"),
}
BLOCK_FIELDS = {
    "text": {"type", "text", "cache_control", "citations"},
    "tool_use": {"type", "id", "name", "input", "cache_control", "caller"},
    "tool_result": {"type", "tool_use_id", "content", "is_error", "cache_control"},
    "thinking": {"type", "thinking", "signature"},
    "redacted_thinking": {"type", "data"},
}
TYPES = {
    **{400: "invalid_request_error", 401: "authentication_error", 402: "billing_error"},
    **{403: "permission_error", 404: "not_found_error", 413: "request_too_large"},
    **{429: "rate_limit_error", 500: "api_error", 529: "overloaded_error"},
}


STRICT_KEYWORDS = {
    *("type", "properties", "required", "additionalProperties", "items", "enum", "const"),
    *("anyOf", "$ref", "$defs", "description"),
}
THOUGHTS = {"thinking", "redacted_thinking"}


def before(body: dict[str, Any]) -> list[list[Any]]:
    """All that a request tells the model, block by block, without the marks for the cache."""
    head = [["tool", each] for each in body.get("tools", [])]
    head += [["system", each] for each in body.get("system", [])]
    said = [[m["role"], block] for m in body["messages"] for block in m["content"]]
    return [[r, {k: v for k, v in b.items() if k != "cache_control"}] for r, b in head + said]


def hash_of(value: Any) -> str:
    return sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def nodes_of(
    schema: dict[str, Any], defs: dict[str, Any] | None = None
) -> Iterator[dict[str, Any]]:
    """Each schema within one; a definition counts once for each use."""
    defs = defs if defs is not None else schema.get("$defs", {})
    yield schema
    if "$ref" in schema:
        yield from nodes_of(defs[schema["$ref"].removeprefix("#/$defs/")], defs)
    parts = [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    for part in [*parts, *([schema["items"]] if "items" in schema else [])]:
        yield from nodes_of(part, defs)


class Refused(Exception):
    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message


def need(condition: object, message: str, status: int = 400) -> None:
    if not condition:
        raise Refused(status, message)


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
class MessagesApi:
    """The stand-in: replies in the order in which they were queued, and what it was sent."""

    url: str
    replies: list[Reply] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    given: list[list[dict[str, Any]]] = field(default_factory=list)
    """The contents of messages that were given out, to check that they come back unchanged."""
    bound: set[tuple[str, str]] = field(default_factory=set)
    """Each thought that was given out, with what had been said before it."""
    key: str = KEY

    def say(self, *blocks: Any, stop: str | None = "end_turn", **options: Any) -> None:
        """Queue a message; a string is a text block."""
        content = [{"type": "text", "text": b} if isinstance(b, str) else b for b in blocks]
        usage = {"input_tokens": 11, "output_tokens": 7, "cache_read_input_tokens": 100}
        body = {
            "id": f"msg_{len(self.replies)}",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-5",
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": {**usage, "cache_creation_input_tokens": None},
        }
        self.given.append(content)
        self.replies.append(Reply(body, **options))

    def fail(self, status: int, message: str = "No.", **headers: str) -> None:
        """Queue an error as the API words it; `retry_after` becomes the header."""
        kind = TYPES.get(status, "api_error")
        body = {"type": "error", "error": {"type": kind, "message": message}}
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.replies.append(Reply(body, status, named))

    def answer(self, path: str, headers: dict[str, str], raw: bytes) -> Reply:
        try:
            self.check(path, headers, raw)
            reply = self.replies.pop(0)
            self.bind(reply.body)
            return reply
        except Refused as refused:
            self.refusals.append(refused.message)
            error = {"type": TYPES[refused.status], "message": refused.message}
            return Reply({"type": "error", "error": error}, refused.status)

    def check(self, path: str, headers: dict[str, str], raw: bytes) -> None:
        """Raise `Refused` for what the real API would refuse."""
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        need(self.key in (bearer, headers.get("x-api-key")), "invalid x-api-key", 401)
        need(path.endswith("/v1/messages"), "Not found", 404)
        need(re.fullmatch(r"\d{4}-\d\d-\d\d", headers.get("anthropic-version", "")), "version")
        need(headers.get("content-type") == "application/json", "content-type")
        body = json.loads(raw.decode("utf-8", "strict"))
        self.requests.append(body)
        need(set(body) <= BODY_FIELDS, f"unknown fields {set(body) - BODY_FIELDS}")
        need(body.get("model") in MODELS, f"model: {body.get('model')}", 404)
        need(isinstance(body.get("max_tokens"), int) and body["max_tokens"] > 0, "max_tokens")
        self.check_tools(body.get("tools", []))
        for block in body.get("system", []):
            self.check_block(block, {"text"})
        self.check_messages(body.get("messages"))
        blocks = json.dumps(body["messages"])
        uses_tools = '"type": "tool_use"' in blocks or '"type": "tool_result"' in blocks
        need(
            "tools" in body or not uses_tools,
            "Requests which include `tool_use` or `tool_result` blocks must define tools",
        )
        self.check_thoughts(body)
        choice = body.get("tool_choice", {"type": "auto"})
        need(choice in ({"type": "auto"}, {"type": "none"}), "forced tool use is not supported")
        marks = json.dumps(body).count('"cache_control"')
        need(marks <= 4, f"A maximum of 4 blocks with cache_control may be provided. Found {marks}")

    def check_tools(self, tools: list[dict[str, Any]]) -> None:
        names = [tool["name"] for tool in tools]
        need(len(set(names)) == len(names), "Tool names must be unique.")
        for tool in tools:
            known = {"name", "description", "input_schema", "cache_control", "strict"}
            need(set(tool) <= known, f"tools: extra inputs are not permitted: {set(tool) - known}")
            need(re.fullmatch(r"[a-zA-Z0-9_-]{1,128}", tool["name"]), "tool name")
            need(tool["input_schema"].get("type") == "object", "input_schema.type")
        nodes = [n for t in tools if t.get("strict") for n in nodes_of(t["input_schema"])]
        for node in nodes:
            need(set(node) <= STRICT_KEYWORDS, f"tools.strict: not supported: {set(node)}")
            closed = node.get("type") != "object" or node.get("additionalProperties") is False
            need(closed, "tools.strict: additionalProperties must be false")
        optional = sum(
            len(set(n.get("properties", {})) - set(n.get("required", ()))) for n in nodes
        )
        need(optional <= 24, "Schemas contain too many optional parameters")
        unions = sum("anyOf" in node or isinstance(node.get("type"), list) for node in nodes)
        need(unions <= 16, "Schemas contain too many unions")

    def bind(self, body: Any) -> None:
        """Remember what each thought of a reply comes after."""
        content = body.get("content") if isinstance(body, dict) else None
        for place, block in enumerate(content if isinstance(content, list) else ()):
            if isinstance(block, dict) and block.get("type") in THOUGHTS:
                said = before(self.requests[-1]) + [["assistant", each] for each in content[:place]]
                self.bound.add((hash_of(block), hash_of(said)))

    def check_thoughts(self, body: dict[str, Any]) -> None:
        """A thought comes back only behind exactly what it came after."""
        said = before(body)
        for place, (role, block) in enumerate(said):
            if role == "assistant" and block.get("type") in THOUGHTS:
                same = (hash_of(block), hash_of(said[:place])) in self.bound
                need(
                    same,
                    "Invalid `signature` in `thinking` block. The block is bound to a "
                    "different conversation.",
                )

    def check_messages(self, messages: Any) -> None:
        need(isinstance(messages, list) and messages, "messages: at least one message is required")
        open_ids: list[str] = []
        for place, message in enumerate(messages):
            role = "assistant" if place % 2 else "user"
            need(message["role"] == role, f"messages.{place}: role must be {role}")
            need(set(message) == {"role", "content"} and message["content"], "empty content")
            allowed = {"text", "tool_result"} if role == "user" else set(BLOCK_FIELDS)
            for block in message["content"]:
                self.check_block(block, allowed - ({"tool_result"} if role != "user" else set()))
            ends = message["content"][-1]["type"]
            need(ends not in THOUGHTS, f"The final block of an assistant message is `{ends}`.")
            open_ids = self.check_pairs(role, message["content"], open_ids)
        last = messages[-1]
        paused = last["role"] == "assistant" and last["content"] in self.given
        need(last["role"] == "user" or paused, "This model does not support prefill.")

    def check_block(self, block: dict[str, Any], allowed: set[str]) -> None:
        kind = block.get("type")
        need(kind in allowed, f"block type {kind}")
        unknown = set(block) - BLOCK_FIELDS[kind]
        need(not unknown, f"{kind}: extra inputs are not permitted: {unknown}")
        if kind == "text":
            need(block["text"].strip(), "text content blocks must contain non-whitespace text")
        if kind == "tool_use":
            need(re.fullmatch(r"[a-zA-Z0-9_-]+", block["id"]), "tool_use.id: wrong pattern")
            need(re.fullmatch(r"[a-zA-Z0-9_-]{1,128}", block["name"]), "tool_use.name")
        if kind in ("thinking", "redacted_thinking"):
            known = [each for content in self.given for each in content]
            need(block in known, "`thinking` blocks in the latest turn cannot be modified")

    def check_pairs(
        self, role: str, blocks: list[dict[str, Any]], open_ids: list[str]
    ) -> list[str]:
        if role == "assistant":
            return [block["id"] for block in blocks if block["type"] == "tool_use"]
        kinds = [block["type"] for block in blocks]
        need(kinds == sorted(kinds, key=lambda kind: kind == "text"), "tool_result comes first")
        answered = [b["tool_use_id"] for b in blocks if b["type"] == "tool_result"]
        missing = [call for call in open_ids if call not in answered]
        need(not missing, f"`tool_use` ids were found without `tool_result` blocks: {missing}")
        need(sorted(answered) == sorted(open_ids), f"unexpected `tool_use_id`: {answered}")
        return []


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    api: Any
    """A stand-in: it keeps `headers`, and has `answer`, which gives a `Reply`."""

    def do_POST(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.api.headers.append(headers)
        raw = self.rfile.read(int(headers["content-length"]))
        self.send(self.api.answer(self.path, headers, raw))

    def send(self, reply: Reply) -> None:
        time.sleep(reply.delay_s)
        body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        if reply.cut_after is not None and reply.cut_after < 0:
            return self.reset()
        self.send_response(reply.status)
        kind = "text/html" if body.startswith(b"<") else "application/json"
        ids = dict.fromkeys(("request-id", "x-request-id"), "req_011")
        named = {"content-type": kind, **ids, **reply.headers}
        for name, value in {**named, "content-length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        for place in range(len(body)) if reply.drip_s else ():
            time.sleep(reply.drip_s)
            self.wfile.write(body[place : place + 1])
        if not reply.drip_s:
            self.wfile.write(body[: reply.cut_after])
        return self.reset() if reply.cut_after is not None else None

    def reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is what some tests are about."""


def serving() -> Iterator[Callable[[Any], str]]:
    servers: list[Server] = []

    def start(api: Any) -> str:
        server = Server(("127.0.0.1", 0), type("BoundHandler", (Handler,), {"api": api}))
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def serve() -> Iterator[Callable[[Any], str]]:
    """Serves stand-ins, each at the address that it returns; they stop with the test."""
    yield from serving()


@pytest.fixture(scope="module")
def serve_throughout() -> Iterator[Callable[[Any], str]]:
    """Serves stand-ins that stop with the last test of the file."""
    yield from serving()


@pytest.fixture
def start_api(serve: Callable[[Any], str]) -> Callable[[], MessagesApi]:
    """Starts stand-ins of the Messages API."""

    def start() -> MessagesApi:
        api = MessagesApi("")
        api.url = serve(api)
        return api

    return start


@pytest.fixture
def api(start_api: Callable[[], MessagesApi]) -> MessagesApi:
    """One stand-in, with nothing queued."""
    return start_api()
