"""A second model that takes over where the first is out of reach."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from agent.errors import ModelUnavailable
from agent.giving_up import given_up
from agent.messages import Message, ToolSpec, Turn
from agent.protocols import Model

FAILURES_IN_A_ROW: Final = 3
REST_S: Final = 60.0
"""How long the first model is not asked after so many failures in a row."""
RESERVE_S: Final = 45.0
"""What the first model leaves of the time for the second; half of it, where less is left."""
FAIR_S: Final = 20.0
"""A first model that was given less and did not answer is not to blame."""
LONGEST_WAIT_S: Final = 5.0
"""A first model that asks for more patience than this before a retry is given none."""

RESTS: Final = "The model is out of reach at the moment; try again in a minute."

log = logging.getLogger(__name__)


class Reach:
    """Whether the first model is worth asking; shared by all runs of a process."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures = 0
        self._rests_until = 0.0

    def may_be_asked(self) -> bool:
        """Say whether to ask it; of those who come after a rest, the first one finds out."""
        with self._lock:
            if self._failures < FAILURES_IN_A_ROW:
                return True
            if self._clock() < self._rests_until:
                return False
            self._rests_until = self._clock() + REST_S
            return True

    def failed(self) -> None:
        """It gave no turn."""
        with self._lock:
            self._failures += 1
            self._rests_until = self._clock() + REST_S

    def answered(self) -> None:
        """It is there."""
        with self._lock:
            self._failures = 0


@dataclass(frozen=True)
class TakingOver:
    """Two models as one. Safe to share between threads; each run goes on with one of its own."""

    first: Model
    second: Model
    reach: Reach = field(default_factory=Reach)

    @property
    def name(self) -> str:
        return self.first.name

    def in_one_run(self) -> InOneRun:
        """Return the model of one run, which stays with the second once that has taken over."""
        return InOneRun(self.first, self.second, self.reach)

    def respond(
        self,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        *,
        timeout_s: float,
    ) -> Turn:
        """Return a turn as in a run that has only this one. Raises `ModelUnavailable`."""
        return self.in_one_run().respond(system, messages, tools, timeout_s=timeout_s)


class InOneRun:
    """The two models as one run sees them; its name is that of the one that answers now."""

    def __init__(self, first: Model, second: Model, reach: Reach) -> None:
        self._first = first
        self._second = second
        self._reach = reach
        self.took_over = False
        """Whether the second is the one that answers, for the rest of the run."""

    @property
    def name(self) -> str:
        return (self._second if self.took_over else self._first).name

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models that may still answer."""
        second = self._second.name
        return (second,) if self.took_over else (self._first.name, second)

    def respond(
        self,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        *,
        timeout_s: float,
    ) -> Turn:
        """Return the next turn within `timeout_s` seconds, of which the second has its share.

        `Turn.model` says whose it is. Raises `ModelUnavailable` where neither gives one, or where
        the first refuses what it was asked and so no other model would help.
        """
        deadline = time.monotonic() + timeout_s
        why: ModelUnavailable | None = None
        if not self.took_over:
            try:
                return self.ask_first(system, messages, tools, timeout_s=timeout_s)
            except ModelUnavailable as fault:
                if fault.about_request or given_up():
                    raise
                log.error("%s takes over: %s", self._second.name, fault.detail or fault)
                why = fault
        self.took_over = True
        readable = [_readable(message, self._second.name) for message in messages]
        try:
            left_s = deadline - time.monotonic()
            turn = self._second.respond(system, readable, tools, timeout_s=left_s)
        except ModelUnavailable as fault:
            if fault.about_request:
                raise
            detail = f"{why.detail}; then {fault.detail}" if why else fault.detail
            raise ModelUnavailable(str(why or fault), detail=detail) from fault
        return replace(turn, model=self._second.name)

    def ask_first(
        self,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        *,
        timeout_s: float,
    ) -> Turn:
        """Return the first model's turn, in its share of the time. Raises `ModelUnavailable`."""
        name = self._first.name
        if not self._reach.may_be_asked():
            raise ModelUnavailable(RESTS, detail=f"{name}: not asked, since it failed of late")
        first_s = timeout_s - min(RESERVE_S, timeout_s / 2)
        try:
            turn = self._first.respond(system, messages, tools, timeout_s=first_s)
        except ModelUnavailable as fault:
            if fault.about_request:
                self._reach.answered()
            elif first_s >= FAIR_S and not given_up():
                self._reach.failed()
            raise
        self._reach.answered()
        return replace(turn, model=name)


class WithoutSecond:
    """The first model alone, and only as long as it is the one that answers in its run."""

    def __init__(self, both: InOneRun) -> None:
        self._both = both

    @property
    def name(self) -> str:
        return self._both.name

    def respond(
        self,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        *,
        timeout_s: float,
    ) -> Turn:
        """Return the first model's turn. Raises `ModelUnavailable`."""
        if self._both.took_over:
            raise ModelUnavailable(RESTS, detail=f"{self.name} answers, and cannot do this")
        return self._both.ask_first(system, messages, tools, timeout_s=timeout_s)


def one_run(model: Model, answering: str = "") -> Model:
    """Return what stands for `model` in one run.

    `answering` is the name of the model that answered last in the same run, elsewhere.
    """
    if not isinstance(model, TakingOver):
        return model
    in_run = model.in_one_run()
    in_run.took_over = answering == model.second.name
    return in_run


def names_of(model: Model) -> tuple[str, ...]:
    """Return the names of all models that may answer in `model`'s place, its own first."""
    if isinstance(model, TakingOver):
        return (model.first.name, model.second.name)
    if isinstance(model, InOneRun):
        return model.names
    return (model.name,)


def _readable(message: Message, reader: str) -> Message:
    """Take out what only the model that said it can read: another's signed thoughts, above all."""
    if isinstance(message, Turn) and message.model != reader and message.provider_content:
        return replace(message, provider_content=())
    return message
