"""The steps of a run as they happen: what is shown of them, how often, and until when."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

import pytest

from agent.messages import Transition
from agent.state import AgentState, Event, Phase
from bot.allowance import Allowance
from bot.progress import BEGUN, Progress

THINKING = "⏳ Thinking about the next step."


class Screen:
    """What was shown, and when."""

    def __init__(self):
        self.shown, self.times, self.plans = [], [], []
        self.begun = threading.Event()

    def show(self, steps, plan):
        self.times.append(time.monotonic())
        self.plans.append(plan)
        self.shown.append([f"{step.mark} {step.words}" for step in steps])
        self.begun.set()
        return True

    def ends_with(self, *lines):
        """Wait until that is shown."""
        deadline = time.monotonic() + 10
        while not self.shown or tuple(self.shown[-1][-len(lines) :]) != lines:
            assert time.monotonic() < deadline, self.shown[-1:]
            time.sleep(0.005)


@pytest.fixture
def screen():
    return Screen()


def happened(source, event, target, trigger="", plan=()):
    now = datetime.now(UTC)
    return Transition(now, source, event, target, trigger, AgentState(), plan=plan)


ASKED = happened(Phase.THOUGHT, Event.TOOLS_REQUESTED, Phase.ACTION, "Running a query.")
CALLED = happened(Phase.ACTION, Event.TOOLS_DONE, Phase.OBSERVATION, "I ran a query.")
OBSERVED = happened(Phase.OBSERVATION, Event.OBSERVED, Phase.THOUGHT)
DRAFTED = happened(Phase.THOUGHT, Event.DRAFT_READY, Phase.CRITIQUE, "I wrote an answer.")
REFUSED = happened(Phase.CRITIQUE, Event.REJECTED, Phase.BACKTRACK, "It did not pass.")
BACK = happened(Phase.BACKTRACK, Event.RESUMED, Phase.THOUGHT, "I went back.")


def step(trail, words):
    trail.begin(f"Doing {words}.")
    trail.end(f"Did {words}.", ok=True)


def test_each_turn_and_each_call_is_shown_as_it_begins_and_in_its_place_as_it_ends(screen):
    plan = ("Look.", "Count.")
    with Progress(screen.show, Allowance(1_000), every_s=0) as trail:
        trail.record(replace(ASKED, source=Phase.PLANNING, plan=plan))
        screen.ends_with("✓ I made a plan.")
        trail.begin("Looking at film.")
        screen.ends_with("✓ I made a plan.", "⏳ Looking at film.")
        trail.end("I looked at film.", ok=True)
        trail.begin("Running a query.")
        screen.ends_with("✓ I looked at film.", "⏳ Running a query.")
        trail.end("My query failed.", ok=False)
        screen.ends_with("✓ I looked at film.", "✗ My query failed.")
        trail.record(CALLED)
        screen.ends_with("✗ My query failed.", "⏳ Looking over what came back.")
        trail.record(OBSERVED)
        screen.ends_with("✗ My query failed.", THINKING)
        trail.record(DRAFTED)
        screen.ends_with("✓ I wrote an answer.", "⏳ Checking my answer.")
        trail.record(REFUSED)
        screen.ends_with("✓ I wrote an answer.", "✗ It did not pass.")
        trail.record(BACK)
        screen.ends_with("✗ It did not pass.", "✓ I went back.", THINKING)
    assert screen.plans[-1] == plan


def test_end_of_a_step_and_the_beginning_of_the_next_are_shown_together(screen):
    with Progress(screen.show, Allowance(), every_s=60) as trail:
        trail.record(ASKED)
        trail.begin("Running a query.")
        screen.begun.wait(10)
    assert screen.shown == [["✓ I chose the next step.", "⏳ Running a query."]]


def test_model_that_takes_over_is_named(screen):
    words = "small was out of reach, so offline took over. Running a query."
    with Progress(screen.show, Allowance(), every_s=0) as trail:
        trail.record(replace(ASKED, trigger=words))
        screen.ends_with("✓ small was out of reach, so offline took over. I chose the next step.")


def test_slow_step_says_how_long_it_took(screen, monkeypatch):
    monkeypatch.setattr("bot.progress.SLOW_S", 0.01)
    with Progress(screen.show, Allowance(1_000), every_s=0) as trail:
        trail.begin("Drawing a chart.")
        time.sleep(0.02)
        trail.end("I drew a chart.", ok=True)
        while not screen.shown or screen.shown[-1][-1] == "⏳ Drawing a chart.":
            time.sleep(0.005)
        trail.begin("Running a query.")
        time.sleep(0.02)
        trail.end("I ran a query: 2 rows in 20 ms.", ok=True)
        screen.ends_with("✓ I ran a query: 2 rows in 20 ms.")
    assert screen.shown[-1][-2].startswith("✓ I drew a chart (")


def test_first_message_of_a_run_says_that_it_has_begun(screen):
    assert [f"{step.mark} {step.words}" for step in BEGUN] == ["⏳ Thinking about your question."]
    with Progress(screen.show, Allowance(), every_s=0):
        time.sleep(0.05)
    assert screen.shown == []


def test_progress_is_shown_at_once_and_then_not_too_often(screen):
    with Progress(screen.show, Allowance(), every_s=0.3) as trail:
        step(trail, "step 0")
        screen.begun.wait(10)
        for number in range(1, 10):
            step(trail, f"step {number}")
            time.sleep(0.1)
    assert 2 <= len(screen.shown) <= 1 + (screen.times[-1] - screen.times[0]) / 0.29
    assert all(later - earlier >= 0.29 for earlier, later in pairwise(screen.times))
    assert screen.shown[-1][:3] == ["✓ Did step 0.", "✓ Did step 1.", "✓ Did step 2."]


def test_last_step_is_shown_though_nothing_follows_it(screen):
    with Progress(screen.show, Allowance(), every_s=0.1) as trail:
        step(trail, "first")
        screen.begun.wait(10)
        step(trail, "second")
        screen.ends_with("✓ Did first.", "✓ Did second.")


def test_what_did_not_come_through_is_shown_again_though_nothing_follows_it(screen):
    refusals = [False, False]

    def show(steps, plan):
        screen.show(steps, plan)
        return not refusals or refusals.pop()

    with Progress(show, Allowance(), every_s=0) as trail:
        step(trail, "first")
        while len(screen.shown) < 3:
            time.sleep(0.005)
        time.sleep(0.05)
    assert screen.shown == [["✓ Did first."]] * 3


def test_nothing_is_shown_after_the_end(screen):
    with Progress(screen.show, Allowance(), every_s=60) as trail:
        step(trail, "first")
        screen.begun.wait(10)
        before = len(screen.shown)
        step(trail, "second")
    step(trail, "third")
    time.sleep(0.05)
    assert len(screen.shown) == before


def test_end_waits_for_what_is_being_shown():
    begun, ended = [], []

    def show(steps, plan):
        begun.append(steps)
        time.sleep(0.2)
        ended.append(steps)
        return True

    with Progress(show, Allowance()) as trail:
        step(trail, "first")
        while not begun:
            time.sleep(0.01)
    assert ended == begun


def test_slow_slack_does_not_hold_the_run_up():
    go_on = threading.Event()
    with Progress(lambda steps, plan: go_on.wait(30), Allowance()) as trail:
        for number in range(50):
            step(trail, f"step {number}")  # would never come back if it waited
        trail.record(CALLED)
        go_on.set()


def test_what_only_repeats_the_last_line_is_shown_once(screen):
    broken = happened(Phase.ACTION, Event.TOOL_FAILED, Phase.FAILED, "My query failed.")
    with Progress(screen.show, Allowance(), every_s=0) as trail:
        trail.begin("Running a query.")
        trail.end("My query failed.", ok=False)
        trail.record(broken)
        trail.record(replace(broken, trigger=""))
        step(trail, "other")
        screen.ends_with("✗ My query failed.", "✓ Did other.")
    assert screen.shown[-1].count("✗ My query failed.") == 1


def test_progress_of_all_runs_together_stays_within_the_allowance(screen):
    allowance = Allowance(per_minute=3)
    for run in range(6):
        screen.begun.clear()
        with Progress(screen.show, allowance, every_s=0.02) as trail:
            step(trail, f"run {run}")
            screen.begun.wait(10 if len(screen.shown) < 3 else 0.05)
    assert len(screen.shown) == 3
