"""Servers that say a little now and then, and so never let a single wait run out."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from agent import giving_up
from agent.errors import ModelUnavailable
from agent.giving_up import in_time
from agent.messages import UserMessage
from agent.models.claude import ClaudeModel
from agent.models.claude.probe import probe
from agent.models.openai_compatible import PRESETS
from agent.models.openai_compatible.model import OpenAICompatibleModel
from agent.protocols import Model

TIME_S = 2.0
LATEST_S = 10.0
"""When it has to have ended on a busy machine."""
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 999999\r\n\r\n"


def drip_headers(client: socket.socket, over: threading.Event) -> None:
    client.sendall(b"HTTP/1.1 200 OK\r\nx-wait: ")
    while not over.wait(0.1):
        client.sendall(b"x")


def hang_in_body(client: socket.socket, over: threading.Event) -> None:
    """Say something shortly before whoever counts from the last word gives up, ten times."""
    client.sendall(HEAD)
    for _ in range(10):
        if over.wait(TIME_S * 0.9):
            return
        client.sendall(b" ")
    over.wait(30)


@pytest.fixture
def listen() -> Iterator[Callable[[Callable[[socket.socket, threading.Event], None]], str]]:
    over, doors = threading.Event(), []

    def start(speak: Callable[[socket.socket, threading.Event], None]) -> str:
        door = socket.create_server(("127.0.0.1", 0))
        doors.append(door)

        def serve(client: socket.socket) -> None:
            with client, suppress(OSError):
                client.recv(65_536)
                speak(client, over)

        def accept() -> None:
            with suppress(OSError):
                while True:
                    client, _ = door.accept()
                    threading.Thread(target=serve, args=(client,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        return f"http://127.0.0.1:{door.getsockname()[1]}"

    yield start
    over.set()
    for door in doors:
        door.close()


MAKERS: dict[str, Callable[[str], Model]] = {
    "claude": lambda url: ClaudeModel("sk-ant-x", base_url=url),
    "compatible": lambda url: OpenAICompatibleModel(PRESETS["vllm"], "small", base_url=url),
}


@pytest.mark.parametrize("speak", [drip_headers, hang_in_body])
@pytest.mark.parametrize("who", MAKERS)
def test_no_server_holds_a_run_beyond_its_time(who: str, speak: object, listen: object) -> None:
    model = MAKERS[who](listen(speak))  # type: ignore[operator]
    with pytest.raises(ModelUnavailable):  # what there is to import is no part of what is timed
        model.respond("", [UserMessage("Hi")], (), timeout_s=0.01)
    started = time.monotonic()
    with pytest.raises(ModelUnavailable, match="did not answer in time"):
        model.respond("", [UserMessage("Hi")], (), timeout_s=TIME_S)
    assert time.monotonic() - started < LATEST_S


@pytest.mark.parametrize("who", MAKERS)
def test_no_server_holds_a_trial_beyond_its_time(who: str, listen: object) -> None:
    url = listen(drip_headers)  # type: ignore[operator]

    def trial(time_s: float) -> str:
        if who == "claude":
            return probe("sk-x", "claude-sonnet-5", base_url=url, timeout_s=time_s).detail
        model = OpenAICompatibleModel(PRESETS["vllm"], "small", base_url=url)
        failure = model.try_once(timeout_s=time_s)
        return failure.detail if failure is not None else ""

    trial(0.01)
    started = time.monotonic()
    assert "answer" in trial(0.5)
    assert time.monotonic() - started < LATEST_S


def test_where_too_many_calls_hang_no_further_one_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(giving_up, "_out_of_time", threading.BoundedSemaphore(1))
    over, begun = threading.Event(), []

    def hang() -> None:
        begun.append(1)
        over.wait(30)

    with pytest.raises(TimeoutError):
        in_time(hang, time.monotonic())
    started = time.monotonic()
    with pytest.raises(TimeoutError):
        in_time(hang, started + 30)
    assert time.monotonic() - started < 10
    assert begun == [1]
    over.set()
    while time.monotonic() - started < 30:
        with suppress(TimeoutError):
            assert in_time(lambda: "Back.", time.monotonic() + 30) == "Back."
            return
        time.sleep(0.01)
    pytest.fail("its place was not given back")


def test_a_call_for_which_there_is_no_place_is_left_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    places, over = threading.BoundedSemaphore(1), threading.Event()
    monkeypatch.setattr(giving_up, "_out_of_time", places)

    def take_the_place_and_hang() -> None:
        places.acquire()
        over.wait(30)

    started = time.monotonic()
    with pytest.raises(TimeoutError):
        in_time(take_the_place_and_hang, started)
    assert time.monotonic() - started < 10
    over.set()
