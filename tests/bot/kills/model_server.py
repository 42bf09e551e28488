"""A strict stand-in for the Messages API, which counts what each question makes it say."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.models.conftest import KEY, Handler, MessagesApi, Reply, Server

from .stories import CASE, STORIES, Block, Story

VERDICT_TOOL = "give_verdict"
__all__ = ["KEY", "Case", "ModelServer"]


@dataclass
class Case:
    """One question, as the server hears of it."""

    name: str
    story: Story
    slow_s: float = 0.0
    """How long each answer to it takes, in seconds."""
    turns: int = 0
    verdicts: int = 0
    api: MessagesApi = field(default_factory=lambda: MessagesApi(""))

    @property
    def repeated(self) -> int:
        """How many requests came beyond those that its story takes."""
        return self.turns + self.verdicts - self.story.turns_in_all

    def says(self, body: dict[str, Any]) -> tuple[Sequence[Block | str], str]:
        """Return what is said to a conversation, and why the turn ends there."""
        if any(tool["name"] == VERDICT_TOOL for tool in body.get("tools", ())):
            self.verdicts += 1
            reason = "" if self.story.is_judged_right else "It leaves out who sold most."
            given = {"reason": reason, "valid": self.story.is_judged_right, "severity": "minor"}
            return [{"type": "tool_use", "name": VERDICT_TOOL, "input": given}], "tool_use"
        self.turns += 1
        at = min(_said_so_far(body, self.name), len(self.story.says) - 1)
        said = self.story.says[at](self.name)
        if isinstance(said, str):
            return [f"{said}{' Really.' * (self.turns - at - 1)}"], "end_turn"
        thought = {"type": "thinking", "thinking": f"Step {at}.", "signature": "c2ln"}
        return [thought, *(said if isinstance(said, list) else [said])], "tool_use"


class ModelServer:
    """Serves cases on loopback until it is stopped; can be stopped and started again."""

    def __init__(self) -> None:
        self.cases: dict[str, Case] = {}
        self.strange: list[str] = []
        """What no real model would be asked."""
        self.headers: deque[Any] = deque(maxlen=1)
        self._lock = threading.Lock()
        self._port = 0
        self._server: Server | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        handler = type("CaseHandler", (Handler,), {"api": self})
        self._server = Server(("127.0.0.1", self._port), handler)
        self._port = self._server.server_port
        serve = self._server.serve_forever
        threading.Thread(target=serve, args=(0.05,), name="models", daemon=True).start()

    def stop(self) -> None:
        """From now on connections are refused."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def open(self, name: str, story: str, slow_s: float = 0.0) -> Case:
        """Expect the question of a case from now on."""
        case = Case(name, STORIES[story], slow_s)
        with self._lock:
            self.cases[name] = case
        return case

    def answer(self, path: str, headers: dict[str, str], raw: bytes) -> Reply:
        """Answer one request, as `Handler` asks for it."""
        body = json.loads(raw)
        with self._lock:
            case = self.cases.get(_case_in(body))
            if case is None:
                self.strange.append(f"no case: {raw[:300]!r}")
                return Reply({"type": "error", "error": {"type": "api_error"}}, 500)
            said, stop = case.says(body)
            case.api.say(*_with_ids(said, f"t{case.turns}_{case.verdicts}"), stop=stop)
            reply = case.api.answer(path, headers, raw)
            case.api.replies.clear()
            self.strange += [f"{case.name}: {each}" for each in case.api.refusals]
            case.api.refusals.clear()
        time.sleep(case.slow_s)
        return reply


def _with_ids(said: Sequence[Block | str], name: str) -> list[Block | str]:
    """Give each call of a tool an id of its own."""
    return [
        {**each, "id": f"{name}_{at}"} if isinstance(each, dict) and "input" in each else each
        for at, each in enumerate(said)
    ]


def _case_in(body: dict[str, Any]) -> str:
    """The case that was named last by a person: earlier ones are a thread's earlier questions."""
    for message in reversed(body["messages"]):
        for block in reversed(message["content"] if message["role"] == "user" else ()):
            found = CASE.findall(block["text"]) if block["type"] == "text" else ()
            if found:
                return str(found[-1])
    return ""


def _said_so_far(body: dict[str, Any], case: str) -> int:
    """How many turns of the case's own the conversation holds."""
    own = 0
    for message in body["messages"]:
        if message["role"] == "assistant":
            own += any(block["type"] == "tool_use" for block in message["content"])
        elif any(case in block.get("text", "") for block in message["content"]):
            own = 0 if _is_question(message, case) else own
    return own


def _is_question(message: dict[str, Any], case: str) -> bool:
    first = message["content"][0]
    return first["type"] == "text" and case in first["text"].split("\n", 1)[0]
