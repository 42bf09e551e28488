"""Trying a call again for as long as that can help and there is time; any model's adapter may."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from agent.errors import ModelUnavailable

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
    is_load: bool = False
    """The server is there and knows us, and has too much to do."""


def until_answered(
    attempt: Callable[[], T | Failure],
    *,
    deadline: float,
    first_wait_s: float,
    clean: Callable[[str], str],
) -> T:
    """Return what `attempt` gives, the first time that it gives no `Failure`.

    `deadline` is a moment of `time.monotonic()`; no pause goes beyond it. `first_wait_s` is the
    pause before the first retry, in seconds, where the server asks for none; it doubles with each
    further one. `clean` takes the key out of what is logged. Raises `ModelUnavailable` for a
    failure that no retry cures, after four attempts, or where no time is left.
    """
    wait_s = first_wait_s
    number = 0
    while True:
        number += 1
        outcome = attempt()
        if not isinstance(outcome, Failure):
            return outcome
        detail = clean(f"{outcome.detail} (attempt {number})")
        # Spread out, so that many runs do not come back in step.
        pause = (
            outcome.wait_s if outcome.wait_s is not None else wait_s * random.uniform(0.75, 1.25)
        )
        out_of_time = time.monotonic() + pause >= deadline
        if not outcome.retry or out_of_time or number >= MAX_ATTEMPTS:
            raise ModelUnavailable(outcome.message, detail=detail)
        log.warning("no turn, next attempt in %.1f s: %s", pause, detail)
        time.sleep(pause)
        wait_s = min(2 * wait_s, MAX_WAIT_S)
