"""A key that a server echoes is told nobody, also where what it said was cut in the middle."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest

from agent.errors import ModelUnavailable, SettingsInvalid
from agent.messages import UserMessage
from agent.models import make_model
from agent.models.claude import ClaudeModel
from agent.models.claude.probe import probe
from agent.models.openai_compatible import PRESETS
from agent.models.openai_compatible.model import OpenAICompatibleModel
from agent.protocols import Model
from agent.settings import AgentSettings

KEY = "sk-ant-test-0123456789abcdef"
PART = KEY[:16]

MAKERS: dict[str, Callable[[Any], Model]] = {
    "claude": lambda api: ClaudeModel(KEY, base_url=api.url, first_wait_s=0.01),
    "compatible": lambda api: OpenAICompatibleModel(
        PRESETS["openai"], "small", api_key=KEY, base_url=f"{api.url}/v1", first_wait_s=0.01
    ),
}


@pytest.mark.parametrize("who", MAKERS)
@pytest.mark.parametrize("before", [0, 40, 60, 180, 520, 540, 560, 580])
@pytest.mark.parametrize("status", [200, 401, 500])
def test_no_part_of_a_key_is_told(
    who: str, before: int, status: int, api: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for _ in range(4):
        api.fail(status, f"{'x' * before} key {KEY} is unwell")
        if status == 200:
            api.replies[-1].body = f"{'x' * before} Bearer {KEY}".encode()
    model = MAKERS[who](api)
    if who == "compatible":
        api.check = lambda *_: None  # the stand-in of another protocol
    with pytest.raises(ModelUnavailable) as caught:
        model.respond("", [UserMessage("Hi")], (), timeout_s=20)
    assert PART not in f"{caught.value} {caught.value.detail} {caplog.text}"


@pytest.mark.parametrize("before", [0, 540, 560, 580])
def test_no_part_of_a_key_is_told_by_a_trial(before: int, api: Any) -> None:
    api.fail(401, f"{'x' * before} key {KEY} is unwell")
    found = probe(KEY, "claude-sonnet-5", base_url=api.url, timeout_s=10)
    assert found.detail
    assert PART not in found.detail


def test_no_part_of_a_key_is_in_the_advice_after_a_trial(api: Any) -> None:
    api.fail(400, f"messages: wrong, and your key is {KEY}")
    api.check = lambda *_: None
    failure = MAKERS["compatible"](api).try_once(timeout_s=10)  # type: ignore[attr-defined]
    assert "read what the server said" in failure.advice
    assert PART not in str(failure)


@pytest.mark.parametrize("start", ["sk-", "gsk_", "nvapi-"])
def test_a_key_in_the_place_of_a_model_is_not_quoted(start: str) -> None:
    with pytest.raises(SettingsInvalid, match="There is no model") as caught:
        make_model(AgentSettings(model=f"{start}0123456789abcdef"))
    assert "0123" not in str(caught.value)
