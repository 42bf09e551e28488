"""The model servers of one run: they draw what goes wrong, and keep a log of what they did."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from agent.messages import Usage

from .catalogue import GOOD, HANG, Fault, Manner, Sort, faults_of
from .script import Script
from .stand_ins import chat_api, claude_api, speaking
from .transport import Door, Sending, as_bytes
from .voices import Json, Voice, calls_of, is_about_a_verdict, voice

AFTER_PAUSE = 0.6
"""How likely a fault is where a piece of a turn has come and the rest has not."""
_ARRIVES = (Manner.WHOLE, Manner.SLOW, Manner.DOOR_SHUT, Manner.HANGS_UP)
_REFUSED = (claude_api.Refused, chat_api.Refused)


@dataclass
class Served:
    """What became of one request."""

    server: str
    """The model's name."""
    fault: Fault
    judging: bool
    usable: bool
    """The turn in it is one that the loop can go on from."""
    usage: Usage | None = None
    """What a reply that was sent whole tells of its tokens; None where it tells nothing."""
    estimate: tuple[int, int] = (0, 0)
    """The most tokens, in and out, that it may be taken for where it tells nothing."""
    counts: bool = False
    """It is a reply that costs something, once it has arrived."""
    calls: int = 0
    whole: bool = False
    left: float = 0.0
    """When a client hung up that waited in vain, by `time.monotonic`."""

    @property
    def is_billed(self) -> bool:
        return self.counts and self.whole


@dataclass
class Log:
    """What all servers of a run did, in order. Safe between threads."""

    served: list[Served] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    """What a strict server did not take, beyond what it is known not to take."""
    asides: Usage = field(default_factory=Usage)
    """What trials took that are no turn: they may be on the bill."""
    arrivals: int = 0
    on_arrival: Callable[[int], None] = lambda number: None
    """Told of each request that is taken, counted from 1."""


@dataclass(frozen=True)
class Troubles:
    """What goes wrong with a server."""

    rate: float
    """How likely it is for a call."""
    first: Fault | None = None
    first_at: int = 0
    """The call at which `first` comes for certain; 0: it is the first that is drawn."""
    hang_at: int = 0
    """The call that is never answered; 0 for none."""
    may_be_late: bool = False
    is_storm: bool = False
    """All that is drawn would pass."""


class Server:
    """One model's server: strict, and faulty."""

    def __init__(
        self, adapter: str, script: Script, log: Log, draw: random.Random, troubles: Troubles
    ) -> None:
        self.voice: Voice = voice(adapter)
        self._script, self._log, self._draw = script, log, draw
        faults = faults_of(adapter, may_be_late=troubles.may_be_late)
        first = troubles.first if troubles.first in faults else None
        if troubles.is_storm:
            faults = [each for each in faults if each.sort is Sort.PASSES]
        self._troubles = replace(troubles, first=first)
        self._faults = faults
        self._lock = threading.Lock()
        self.door = Door(self.answer)

    @property
    def name(self) -> str:
        return self.voice.name

    def answer(self, path: str, headers: dict[str, str], raw: bytes) -> Sending:
        """Check a request as strictly as the real server would, and answer it, or not."""
        with self._lock:
            try:
                self.voice.server.check(path, headers, raw)
                check_further(json.loads(raw))
            except _REFUSED as no:
                if not getattr(self.voice.server, "quirks", None):
                    self._log.refusals.append(no.message)
                code = getattr(no, "code", None) or ""
                return Sending(no.status, as_bytes(self.voice.error(no.status, no.message, code)))
            request = json.loads(raw)
            if 1 in (request.get("max_tokens"), request.get("max_completion_tokens")):
                return self._aside(request)
            if chat_api.is_trial(json.loads(raw)):
                # Whether tools are dropped is no part of a run; without a count, nothing is shown.
                return Sending(200, as_bytes({"choices": [{"message": {"content": "Yes."}}]}))
            self._log.arrivals += 1
            return self._drawn(request, len(raw), self._log.arrivals)

    def _aside(self, request: Json) -> Sending:
        """Answer a trial of what the server can do, which is no turn of the run."""
        body = self.voice.say(speaking.Says("Yes"))
        read = len(as_bytes(request)) // 3
        body["usage"] = {"prompt_tokens": read, "completion_tokens": 1}
        self._log.asides += Usage(read, 1)
        return Sending(200, as_bytes(body))

    def _drawn(self, request: Json, length: int, number: int) -> Sending:
        fault = self._fault(number)
        served = Served(self.name, fault, is_about_a_verdict(request), usable=False)
        self._log.served.append(served)
        sending = self._failing(fault) if fault.status else self._saying(served, fault, length)
        sending.manner = fault.manner
        if fault.manner is Manner.DOOR_SHUT:
            sending.then_shut = True
        sending.before = lambda: self._log.on_arrival(number)
        sending.done = lambda whole: self._done(served, whole)
        return sending

    def _fault(self, number: int) -> Fault:
        troubles = self._troubles
        if number == troubles.hang_at:
            return HANG
        is_due = troubles.first is not None and number == troubles.first_at
        rate = max(troubles.rate, AFTER_PAUSE) if self._script.is_paused else troubles.rate
        if not is_due and self._draw.random() >= rate:
            return GOOD
        if troubles.first is None or (troubles.first_at and not is_due):
            return self._draw.choice(self._faults)
        self._troubles = replace(troubles, first=None)
        return troubles.first

    def _failing(self, fault: Fault) -> Sending:
        if fault.raw is not None:
            return Sending(fault.status, fault.raw, dict(fault.headers))
        message = fault.message.format(key=self.voice.key)
        error = self.voice.error(fault.status, message, fault.code)
        return Sending(fault.status, as_bytes(error), dict(fault.headers))

    def _saying(self, served: Served, fault: Fault, sent: int) -> Sending:
        arrives = fault.manner in _ARRIVES
        body, usable = self._script.body(self.voice, fault, judging=served.judging)
        self.voice.given_out(body)
        raw = as_bytes(body)
        served.usage = self.voice.counted(body)
        served.estimate = (sent // 2 + 20, len(raw) // 2 + 20)
        served.counts, served.usable = arrives, arrives and usable
        served.calls = max(len(calls_of(body)), raw.count(b"<tool_call>"))
        if served.usable and not served.judging:
            self._script.on()
        return Sending(200, raw, dict(fault.headers))

    def _done(self, served: Served, whole: bool) -> None:
        served.whole = whole
        if not whole:
            served.left = time.monotonic()


def check_further(body: dict[str, Any]) -> None:
    """Raise `Refused` for what the Messages API refuses beyond what the stand-in looks at."""
    if "max_tokens" not in body or "anthropic" in body:
        return
    blocks = [b for m in body["messages"] if isinstance(m["content"], list) for b in m["content"]]
    uses = [block for block in blocks if block.get("type") == "tool_use"]
    ids = [block["id"] for block in uses]
    if len(set(ids)) != len(ids):
        raise claude_api.Refused(400, "`tool_use` ids must be unique")
    if not all(isinstance(block["input"], dict) for block in uses):
        raise claude_api.Refused(400, "tool_use.input: Input should be a valid dictionary")
