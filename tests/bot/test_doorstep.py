"""Who comes in goes before who is served."""

from __future__ import annotations

import threading
import time

from bot.doorstep import LONGEST_S, QUIET_S, Doorstep


def waited(doorstep: Doorstep) -> float:
    began = time.monotonic()
    doorstep.wait()
    return time.monotonic() - began


def test_an_answer_begins_at_once_where_nobody_comes():
    assert waited(Doorstep()) < QUIET_S


def test_an_answer_waits_until_nobody_has_come_for_a_moment():
    doorstep = Doorstep()
    doorstep.come()
    assert waited(doorstep) >= QUIET_S * 0.9


def test_an_answer_begins_though_somebody_comes_all_the_time():
    doorstep, over = Doorstep(), threading.Event()

    def crowd():
        while not over.wait(QUIET_S / 10):
            doorstep.come()

    thread = threading.Thread(target=crowd)
    thread.start()
    try:
        assert waited(doorstep) < LONGEST_S + 10
    finally:
        over.set()
        thread.join()
