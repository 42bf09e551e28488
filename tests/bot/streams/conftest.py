"""A run whose steps come when a test says so, and what is seen of them."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field

import pytest

from bot.progress import Progress
from tests.bot.conftest import GivenAgent


@dataclass
class SteppedAgent(GivenAgent):
    """Takes the steps that it is given, and answers once its gate is open."""

    steps: tuple[str, ...] = ()
    gate: threading.Event = field(default_factory=threading.Event)
    to_do: deque[str] = field(default_factory=deque)

    def take(self, *steps):
        """Let the run take these steps."""
        self.to_do.extend(steps)

    def run(self, question, *, trail=None, cancelled=None, **given):
        self._trail = trail
        return super().run(
            question, trail=trail, cancelled=_Working(self, trail, cancelled), **given
        )


class _Working:
    """Looked at again and again while a run waits: a good time to take steps."""

    def __init__(self, agent, trail, cancelled):
        self._agent, self._trail, self._cancelled = agent, trail, cancelled

    def is_set(self):
        while self._agent.to_do:
            step = self._agent.to_do.popleft()
            self._trail.begin(f"Doing {step}.")
            self._trail.end(f"Did {step}.", ok=True)
        return self._cancelled.is_set()


@pytest.fixture
def agent(monkeypatch):
    monkeypatch.setitem(Progress.__init__.__kwdefaults__, "every_s", 0.0)
    monkeypatch.setattr("bot.allowance.APPENDS_PER_MINUTE", 100_000)
    return SteppedAgent()


@pytest.fixture
def streams(you):
    """Reads the streamed message of a thread: whether it goes on, and its steps."""
    return Streams(you)


class Streams:
    """What a person sees of a run that goes on."""

    def __init__(self, person):
        self._person = person

    def message(self, channel, ts):
        """Wait for the bot's one message in a thread."""
        found = self._person.eventually(lambda: self._person.from_bot(channel, ts))
        assert len(found) == 1
        return found[0]

    def streamed(self, channel, ts):
        """Wait until the thread's message is streamed, and return it."""
        message = self.message(channel, ts)
        assert message.get("streaming_state") == "in_progress"
        return message

    def shows(self, channel, ts, *steps):
        """Wait until the message shows these steps, in a stream or not, as its last ones."""

        def seen():
            message = self.message(channel, ts)
            return message if steps_of(message)[-len(steps) :] == list(steps) else None

        return self._person.eventually(seen)


def steps_of(message):
    """The lines of a message that says how far a run is."""
    first = message["blocks"][0]
    if first["type"] == "plan":
        marks = {"in_progress": "⏳", "complete": "✓", "error": "✗"}
        return [f"{marks[each['status']]} {each['title']}" for each in first["tasks"]]
    return str(first["text"]["text"]).split("\n")[1:]
