"""Shows the steps of a run as they happen, without holding the run up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType, TracebackType
from typing import Final

from agent.messages import Transition
from agent.protocols import Trail
from agent.state import Event, Phase
from agent.story.taking_over import tell_taking_over
from agent.story.words import took
from agent.watching import thread_of
from bot.allowance import Permission
from bot.render import Doing, Mark
from bot.render.working import MADE_A_PLAN

EDIT_EVERY_S = 2.0
"""Between two edits of one message, in seconds."""
SETTLE_S: Final = 0.05
"""What follows a change this quickly is shown with it: the end of one step, and the next one."""
SLOW_S: Final = 1.0
"""A step that took this long says how long it took."""

BEGUN: Final = (Doing("Thinking about your question."),)
"""The steps of a run that has just begun."""
_BEGINNINGS: Final[Mapping[Phase, str]] = MappingProxyType(
    {
        Phase.THOUGHT: "Thinking about the next step.",
        Phase.OBSERVATION: "Looking over what came back.",
        Phase.CRITIQUE: "Checking my answer.",
    }
)
_MARKS: Final[Mapping[Event, Mark]] = MappingProxyType(
    dict.fromkeys(
        (
            *(Event.MODEL_OUTPUT_INVALID, Event.MODEL_FAILED, Event.TOOL_FAILED),
            *(Event.RETRY_CEILING, Event.HOP_CEILING, Event.BUDGET_SPENT, Event.TIMED_OUT),
            *(Event.REJECTED, Event.ESCALATE, Event.BACKTRACK, Event.BACKTRACK_CEILING),
            Event.CANCELLED,
        ),
        Mark.FAILED,
    )
)


class Progress(Trail):
    """A trail whose steps are shown from a thread of its own while the block lasts.

    Each turn of the model and each tool call is shown as it begins, and in its place as it ends;
    where they are quicker than messages may be edited, only as it ended. After the block nothing
    is shown any more, so that the last word is the card's.
    """

    def __init__(
        self,
        show: Callable[[Sequence[Doing], Sequence[str]], bool],
        allowance: Permission,
        *,
        every_s: float = EDIT_EVERY_S,
    ) -> None:
        """`show` is given the steps so far, and the plan, () as long as there is none.

        It returns False where that did not come through and is to be tried again.
        That a run has begun, with `BEGUN`, is for its first message to say.
        """
        self._show = show
        self._allowance = allowance
        self._every_s = every_s
        self._changed = threading.Condition()
        self._steps = [*BEGUN]
        self._began = time.monotonic()
        self._said = ""
        self._plan: Sequence[str] = ()
        self._version = self._shown = 0
        self._over = False
        self._thread = thread_of(self._run, "progress")

    def record(self, transition: Transition) -> None:
        """Show the end of a phase and the beginning of the next. Never waits for Slack."""
        with self._changed:
            self._plan = transition.plan or self._plan
            if transition.event is not Event.TOOLS_DONE:  # each call has been shown
                self._end(_ended(transition), _MARKS.get(transition.event, Mark.DONE))
            if transition.target in _BEGINNINGS:
                self._begin(_BEGINNINGS[transition.target])

    def begin(self, doing: str) -> None:
        """Show that a tool call begins. Never waits for Slack."""
        with self._changed:
            self._begin(doing)

    def end(self, done: str, *, ok: bool) -> None:
        """Show how a tool call ended. Never waits for Slack."""
        with self._changed:
            self._end(done, Mark.DONE if ok else Mark.FAILED)

    def __enter__(self) -> Progress:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._changed:
            self._over = True
            self._changed.notify_all()
        self._thread.join()

    def _begin(self, words: str) -> None:
        self._take_last()
        self._steps.append(Doing(words))
        self._began, self._said = time.monotonic(), ""
        self._note()

    def _end(self, words: str, mark: Mark) -> None:
        """Put `words` in the place of the step under way; without any, it is as if never begun."""
        took_s = time.monotonic() - self._began if self._take_last() else 0.0
        if words and words != self._said:
            self._steps.append(Doing(_with_time(words, took_s), mark))
            self._said = words
        self._note()

    def _take_last(self) -> bool:
        """Take away the step under way; False where none is."""
        is_there = bool(self._steps) and self._steps[-1].mark is Mark.UNDER_WAY
        if is_there:
            self._steps.pop()
        return is_there

    def _note(self) -> None:
        self._version += 1
        self._changed.notify_all()

    def _run(self) -> None:
        not_before = 0.0
        while (due := self._next(not_before)) is not None:
            version, steps, plan = due
            if self._allowance.take() and self._show(steps, plan):
                self._shown = version
            not_before = time.monotonic() + self._every_s

    def _next(self, not_before: float) -> tuple[int, list[Doing], Sequence[str]] | None:
        """Wait until there is something new and its time has come; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._over or self._version > self._shown)
            wait_s = max(SETTLE_S, not_before - time.monotonic())
            self._changed.wait_for(lambda: self._over, wait_s)
            if self._over:
                return None
            return self._version, list(self._steps), self._plan


def _ended(transition: Transition) -> str:
    """Return what came of the phase that ended; "" where that is not worth a line."""
    if transition.event is not Event.TOOLS_REQUESTED:
        return transition.trigger
    made = MADE_A_PLAN if transition.plan else "I chose the next step."
    return " ".join([*tell_taking_over([transition]), made])


def _with_time(words: str, seconds: float) -> str:
    """Return the words with the time that a slow step took, unless they tell it."""
    if seconds < SLOW_S or words.rstrip(".").endswith((" s", " ms")):
        return words
    return f"{words.rstrip('.')} ({took(seconds * 1_000)})."
