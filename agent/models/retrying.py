"""Trying a call again for as long as that can help and there is time; any model's adapter may."""

from __future__ import annotations

import logging
import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from agent.errors import ModelUnavailable
from agent.giving_up import go_on_after, in_time
from agent.watching import Kind, tried_again

MAX_ATTEMPTS: Final = 4
MAX_WAIT_S: Final = 8.0

log = logging.getLogger(__name__)
T = TypeVar("T")


@dataclass(frozen=True)
class Failure:
    """A call that gave no turn."""

    message: str
    """For the person: one sentence, and what to do."""
    detail: str
    """For the operator."""
    retry: bool = False
    wait_s: float | None = None
    """How long the server asks us to wait, in seconds."""
    advice: str = ""
    """For whoever sets the bot up: what to do about it."""
    about_request: bool = False
    """What is refused is what was asked; another model would hardly take it."""
    is_load: bool = False
    """The server is there and knows us, and has too much to do."""


def until_answered(
    attempt: Callable[[], T | Failure],
    *,
    deadline: float,
    first_wait_s: float,
    clean: Callable[[str], str],
    longest_wait_s: float = math.inf,
) -> T:
    """Return what `attempt` gives, the first time that it gives no `Failure`.

    `deadline` is a moment of `time.monotonic()`; no pause goes beyond it. `first_wait_s` is the
    pause before the first retry, in seconds, where the server asks for none; it doubles with each
    further one. `clean` takes the key out of what is logged. Where the server asks for more than
    `longest_wait_s` seconds, it is not asked again. Raises `ModelUnavailable` for a failure that no
    retry cures, after four attempts, where no time is left, and where the run is cancelled.
    """
    wait_s = first_wait_s
    number = 0
    while True:
        number += 1
        outcome = once(attempt, deadline)
        if not isinstance(outcome, Failure):
            return outcome
        detail = clean(f"{outcome.detail} (attempt {number})")
        # Spread out, so that many runs do not come back in step.
        pause = (
            outcome.wait_s if outcome.wait_s is not None else wait_s * random.uniform(0.75, 1.25)
        )
        out_of_time = time.monotonic() + pause >= deadline
        hopeless = not outcome.retry or number >= MAX_ATTEMPTS or pause > longest_wait_s
        if hopeless or out_of_time:
            raise _out_of_reach(outcome, detail)
        log.warning("no turn, next attempt in %.1f s: %s", pause, detail)
        tried_again(Kind.MODEL)
        if not go_on_after(pause):
            raise _out_of_reach(outcome, detail)
        wait_s = min(2 * wait_s, MAX_WAIT_S)


def once(attempt: Callable[[], T | Failure], deadline: float) -> T | Failure:
    """Return what `attempt` gives; a `Failure` where it gives nothing by `deadline`."""
    try:
        return in_time(attempt, deadline)
    except TimeoutError:
        return Failure(
            "The model did not answer in time; try again, or ask a simpler question.",
            "no whole answer in the time that was left",
        )


def _out_of_reach(failure: Failure, detail: str) -> ModelUnavailable:
    return ModelUnavailable(failure.message, detail=detail, about_request=failure.about_request)
