"""One check with a time limit of its own: it may hang or break without hiding the others."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable, Iterable

from agent.errors import Fault
from bot.doctor.finding import Finding, wrong

_TWO_PARTS = re.compile(r"(?P<what>(?:[A-Z_]+: )?.+?)(?:[:.] )(?P<todo>.+?)\.?")
"""A fault's words: what is wrong, perhaps after a variable's name, and what to do."""

log = logging.getLogger(__name__)


def attempt(name: str, limit_s: float, check: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """Return what `check` finds within `limit_s` seconds, and that it ended badly where it did.

    `name` says what is checked, such as "the rights of the login". Raises nothing.
    """
    found: list[Finding] = []
    ended: list[Finding] = []

    def look() -> None:
        try:
            # One by one, so that what was found before a trouble is kept.
            for finding in check():
                found.append(finding)
        except Fault as fault:
            ended.append(said(fault, name))
        except Exception as error:
            # A traceback or a message may hold a secret; the kind of error holds none.
            ended.append(_broken(name, error))
            log.debug("%s broke down at %s", name, _place(error))

    # A daemon: a check that hangs in the network must not keep the command from ending.
    worker = threading.Thread(target=look, name=f"doctor: {name}", daemon=True)
    worker.start()
    worker.join(limit_s)
    if worker.is_alive():
        late = wrong(
            f"{name}: no end after {limit_s:g} s",
            "see whether the network or the machine is overloaded, and run the check again",
        )
        return [*found, late]
    return found + ended


def said(fault: Fault, name: str) -> Finding:
    """Return what a fault says: half a sentence on what is wrong, and what to do about it."""
    if fault.detail:
        log.debug("%s: %s", name, fault.detail)
    sentence = _uncapitalised(str(fault))
    match = _TWO_PARTS.fullmatch(sentence)
    if match is None:
        more = f"; --verbose says more of {name}" if fault.detail else ""
        return wrong(sentence.rstrip("."), f"put that right, and run this again{more}")
    return wrong(match["what"], _uncapitalised(match["todo"]))


def _uncapitalised(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _broken(name: str, error: Exception) -> Finding:
    return wrong(
        f"{name}: the check itself broke down ({type(error).__name__})",
        "run it again with --verbose, which says where, and report that",
    )


def _place(error: Exception) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else "?"
