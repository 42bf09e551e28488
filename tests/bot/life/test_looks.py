"""Looks that many want at the same time: none is older than the wish for it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from bot.last_look import Looks


def test_each_is_new_as_long_as_there_are_few():
    count = iter(range(1, 100))
    looks = Looks(lambda key: {"number": next(count)})
    assert [looks.get("C1")["number"] for _ in range(3)] == [1, 2, 3]


def test_many_at_the_same_time_share_the_next_one():
    asked, may_end, here = [], threading.Event(), threading.Semaphore(0)

    def ask(key):
        asked.append(key)
        assert may_end.wait(5)
        return {"at": len(asked)}

    looks = Looks(ask)

    def get(_):
        here.release()
        return looks.get("C1")["at"]

    with ThreadPoolExecutor(40) as pool:
        said = pool.map(get, range(40))
        assert all(here.acquire(timeout=5) for _ in range(40))
        may_end.set()
        assert len(list(said)) == 40
    assert len(asked) < 20


def test_looks_at_different_places_do_not_wait_for_each_other():
    both = threading.Barrier(2, timeout=5)
    looks = Looks(lambda key: {"key": key, "met": both.wait() >= 0})
    with ThreadPoolExecutor(2) as pool:
        assert {each["key"] for each in pool.map(looks.get, ["C1", "C2"])} == {"C1", "C2"}


def test_who_comes_while_one_is_under_way_gets_a_later_one():
    under_way, may_end, said = threading.Event(), threading.Event(), iter("ab")

    def ask(key):
        one = next(said)
        under_way.set()
        may_end.wait(5)
        return {"says": one}

    looks = Looks(ask)
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(looks.get, "C1")
        assert under_way.wait(5)
        second = pool.submit(looks.get, "C1")
        may_end.set()
        assert (first.result(5)["says"], second.result(5)["says"]) == ("a", "b")


def test_what_goes_wrong_is_told_to_each_and_not_kept():
    answers = iter([OSError("away"), {"says": "here"}])

    def ask(key):
        answer = next(answers)
        if isinstance(answer, OSError):
            raise answer
        return answer

    looks = Looks(ask)
    with pytest.raises(OSError, match="away"):
        looks.get("C1")
    assert looks.get("C1")["says"] == "here"
