"""What is done once for each key, whoever asks for it at the same time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from bot.listeners.recent import Once


def test_copy_that_comes_meanwhile_is_told_nothing_before_it_is_done():
    once, begun, may_end = Once(10), threading.Event(), threading.Event()
    done = []

    def work():
        begun.set()
        may_end.wait(10)
        done.append("work")

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(once.do, "key", work)
        begun.wait(10)
        copy = pool.submit(once.do, "key", lambda: done.append("copy"))
        once.do("another key", lambda: done.append("another"))
        assert not copy.done()
        may_end.set()
        first.result(10)
        copy.result(10)
    assert done == ["another", "work"]


def test_copy_of_what_failed_is_no_copy():
    once, begun, may_fail, done = Once(10), threading.Event(), threading.Event(), []

    def fail():
        begun.set()
        may_fail.wait(10)
        raise RuntimeError("the store is away")

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(once.do, "key", fail)
        begun.wait(10)
        copy = pool.submit(once.do, "key", lambda: done.append("copy"))
        may_fail.set()
        with pytest.raises(RuntimeError):
            first.result(10)
        copy.result(10)
    assert done == ["copy"]
