"""Processes that work on the line are killed, frozen and stopped; nothing is lost."""

from __future__ import annotations

import signal

from tests.bot.conftest import eventually


def test_job_of_a_killed_process_is_taken_over_in_its_turn(line):
    first = line.work()
    line.put("wait-1", "2", "3")
    assert line.begun("wait-1") == first.pid
    ((job, *_),) = [each for each in line.jobs() if each[1] == "doing"]
    second = line.work()
    first.kill()
    assert line.begun("wait-1", times=2) == second.pid
    ((again, *_),) = [each for each in line.jobs() if each[1] == "doing"]
    assert again == job
    assert line.notes("ends") == []
    line.open("wait-1")
    line.ended("wait-1", "2", "3")
    assert line.notes("ends") == ["wait-1", "2", "3"]


def test_process_that_wakes_up_ends_nothing_of_the_one_that_took_over(line):
    frozen = line.work()
    line.put("wait-1", "2")
    assert line.begun("wait-1") == frozen.pid
    frozen.send_signal(signal.SIGSTOP)
    other = line.work()
    assert line.begun("wait-1", times=2) == other.pid
    other.send_signal(signal.SIGSTOP)  # it cannot end it either
    line.open("wait-1")
    frozen.send_signal(signal.SIGCONT)
    eventually(lambda: line.notes("ends") == ["wait-1"])
    line.put("3", thread="elsewhere")
    assert line.begun("3") == frozen.pid  # it has come through, and works on
    assert line.whose("2") == []
    assert [status for _, status, _ in line.jobs()].count("doing") >= 1
    other.send_signal(signal.SIGCONT)
    line.ended("wait-1", "2", "3")
    assert frozen.poll() is None
    assert other.poll() is None


def test_what_a_stopped_process_leaves_goes_on_at_once_and_it_ends_by_itself(line):
    first = line.work(lease_s=600)  # nobody waits for that
    line.put("wait-1", "2")
    assert line.begun("wait-1") == first.pid
    second = line.work(lease_s=600)
    first.terminate()
    assert first.wait(20) == 0  # though a question of its own goes on for ever
    assert line.begun("wait-1", times=2) == second.pid
    line.open("wait-1")
    line.ended("wait-1", "2")
    assert line.notes("ends") == ["wait-1", "2"]
