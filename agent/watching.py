"""What a run does, told to whoever measures it: each act as it begins and as it ends.

Who starts a run sets the watch; threads that work for the run take it along with their context.
Without a watch nothing is told, and nothing is slower for it.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final, Protocol

from agent.errors import AgentError
from agent.messages import Usage

logger = logging.getLogger(__name__)

_WORDS: Final = re.compile(r"(?<!^)(?=[A-Z])")
BUG: Final = "bug"
"""The error of an act that our own code broke."""


class Kind(StrEnum):
    """The sorts of acts that a run is made of; whoever runs it has others of their own."""

    PHASE = "phase"
    MODEL = "model"
    """One call of a model, with the tries that it took."""
    TOOL = "tool"
    QUERY = "query"
    CHART = "chart"


@dataclass
class Act:
    """Something that takes time. What comes of it is noted while it goes on."""

    kind: str
    name: str
    facts: dict[str, Any] = field(default_factory=dict)
    """Plain values by name: tokens, rows, the statement."""
    error: str = ""
    """A stable word of what went wrong, such as "sql_rejected"; "" where nothing did."""


class Watch(Protocol):
    """Whoever measures runs. It may be called in several threads at once."""

    def during(self, act: Act) -> AbstractContextManager[None]:
        """Return what lasts as long as the act; at its end the act is whole."""

    def spent(self, model: str, usage: Usage, cost_usd: Decimal | None) -> None:
        """Take note of what a call took; `cost_usd` is None where the price is not known."""

    def tried_again(self, what: str) -> None:
        """Take note that something failed and is tried once more."""


_watch: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched_by(watch: Watch) -> Iterator[None]:
    """Have `watch` told of all that is done in the block."""
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)


@contextmanager
def doing(kind: str, name: str, facts: Mapping[str, Any] | None = None) -> Iterator[Act]:
    """Tell the watch of an act; an exception that leaves the block is its error."""
    act, watch = Act(kind, name, dict(facts or {})), _watch.get()
    with ExitStack() as stack:
        if watch is not None:
            _unharmed(lambda: stack.enter_context(watch.during(act)))
        try:
            yield act
        except BaseException as error:
            act.error = act.error or word_for(error)
            raise


def spent(model: str, usage: Usage, cost_usd: Decimal | None) -> None:
    """Tell the watch what a call of a model took."""
    watch = _watch.get()
    if watch is not None and usage != Usage():
        _unharmed(lambda: watch.spent(model, usage, cost_usd))


def tried_again(what: str) -> None:
    """Tell the watch that something failed and is tried once more."""
    watch = _watch.get()
    if watch is not None:
        _unharmed(lambda: watch.tried_again(what))


def thread_of(work: Callable[[], object], name: str) -> threading.Thread:
    """Return a daemon thread, not yet started, that works in the context of whoever makes it."""
    return threading.Thread(target=copy_context().run, args=(work,), name=name, daemon=True)


def word_for(error: BaseException) -> str:
    """Return the stable word for an exception: the name of its class where that is ours."""
    if not isinstance(error, AgentError):
        return BUG if isinstance(error, Exception) else "stopped"
    return _WORDS.sub("_", type(error).__name__).lower()


def _unharmed(tell: Callable[[], object]) -> None:
    """A watch that breaks costs no run."""
    try:
        tell()
    except Exception:
        logger.exception("a run could not be measured")
