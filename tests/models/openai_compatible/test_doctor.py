"""What the doctor says of a model behind an OpenAI-compatible server; and how strict ours is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.doctor import Finding, Level
from bot.doctor.model_area import model_findings
from bot.doctor.set_up import read_set_up

KEY = "sk-test-0123456789abcdef"


@pytest.fixture
def look(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Finding]:
    """Gives what the doctor finds about the model that answers."""
    monkeypatch.chdir(tmp_path)

    def at(server: Any, model: str, **environment: str) -> Finding:
        preset = model.partition(":")[0].upper()
        known = {"DB_AGENT_MODEL": model, f"{preset}_BASE_URL": server.url}
        for name, value in {**known, f"{preset}_API_KEY": KEY, **environment}.items():
            monkeypatch.setenv(name, value)
        return next(iter(model_findings(read_set_up())))

    return at


def test_a_model_that_answers_is_good_and_asked_for_little(
    server: Any, look: Callable[..., Finding]
) -> None:
    server.say("Hi", stop="length")
    found = look(server, "openai:small")
    assert (found.level, "openai:small answers, after" in found.what) == (Level.OK, True)
    assert server.requests[0]["max_completion_tokens"] < 100
    assert server.refusals == []


@pytest.mark.parametrize(
    ("status", "message", "level", "what", "todo"),
    [
        (401, "No.", Level.WRONG, "OpenAI does not accept", "copy OPENAI_API_KEY again"),
        (403, "No.", Level.WRONG, "our key may not use small", "platform.openai.com"),
        (404, "no model small", Level.WRONG, "there is no model small", "name one that there is"),
        (404, "Not Found", Level.WRONG, "the address of OpenAI is wrong", "end in /v1"),
        (402, "Pay.", Level.WRONG, "the account at OpenAI has no credit", "add credit"),
        (400, "What?", Level.WRONG, "refused our request as malformed", "What?"),
        (429, "Slowly.", Level.NOTE, "limits how often we may ask", "raise the limits"),
        (503, "Busy.", Level.NOTE, "is overloaded", "in a few minutes"),
    ],
)
def test_each_refusal_has_its_own_advice_and_is_not_repeated(
    server: Any,
    look: Callable[..., Finding],
    status: int,
    message: str,
    level: Level,
    what: str,
    todo: str,
) -> None:
    server.fail(status, message)
    found = look(server, "openai:small")
    assert found.level is level
    assert what in found.what
    assert todo in found.todo
    assert len(server.requests) == 1


def test_what_is_wrong_with_the_second_model_names_its_setting(
    server: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    server.fail(404, "no model small")
    for name, value in {
        "DB_AGENT_MODEL": "groq:small",
        "DB_AGENT_FALLBACK_MODEL": "openai:small",
        "OPENAI_API_KEY": KEY,
        "OPENAI_BASE_URL": server.url,
    }.items():
        monkeypatch.setenv(name, value)
    found = [each.what for each in model_findings(read_set_up()) if each.level is Level.WRONG]
    assert found[0].startswith("the model groq:small needs a key")
    assert found[1:] == ["there is no model small at OpenAI (DB_AGENT_FALLBACK_MODEL)"]


def test_a_local_server_that_does_not_run_is_to_be_started(
    server: Any, look: Callable[..., Finding]
) -> None:
    found = look(server, "ollama:qwen3:8b", OLLAMA_BASE_URL="http://127.0.0.1:9/v1")
    assert found.level is Level.WRONG
    assert "Ollama cannot be reached" in found.what
    assert found.todo == "start it, and check OLLAMA_BASE_URL (http://127.0.0.1:9/v1)"


def test_a_key_that_is_not_set_is_named(server: Any, look: Callable[..., Finding]) -> None:
    found = look(server, "groq:small", GROQ_API_KEY="")
    assert found.level is Level.WRONG
    assert "GROQ_API_KEY" in f"{found.what} {found.todo}"


USER = {"role": "user", "content": "a"}
CALL = {"id": "c1", "type": "function", "function": {"name": "x", "arguments": "{}"}}
CALLING = {"role": "assistant", "content": "", "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "1"}
BAD_ARGUMENTS = {**CALL, "function": {"name": "x", "arguments": "film"}}


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"frobnicate": 1}, "Unrecognized request arguments"),
        ({"messages": []}, "too short"),
        ({"messages": [{**USER, "note": "x"}]}, "additional properties"),
        ({"messages": [{"role": "user"}]}, "content"),
        ({"messages": [USER, RESULT]}, "must be a response to a preceeding message"),
        ({"messages": [USER, CALLING, USER]}, "did not have response messages"),
        ({"messages": [USER, CALLING, RESULT, RESULT]}, "must be a response"),
        ({"messages": [USER, {**CALLING, "tool_calls": [{**CALL, "id": ""}]}]}, "id"),
        ({"messages": [USER, {**CALLING, "tool_calls": [BAD_ARGUMENTS]}]}, "JSON object"),
        ({"messages": [USER, {"role": "system", "content": "b"}]}, "must come first"),
        ({"tools": []}, "empty array"),
        ({"tool_choice": "none"}, "only allowed when tools"),
        ({"tools": [{"type": "function", "function": {"name": "x"}}]}, "parameters"),
        ({"max_tokens": 5}, "max_completion_tokens"),
    ],
)
def test_the_stand_in_refuses_what_the_servers_refuse(
    server: Any, body: dict[str, Any], why: str
) -> None:
    import openai

    client = openai.OpenAI(api_key=KEY, base_url=server.url, max_retries=0)
    with client, pytest.raises(openai.BadRequestError, match=why):
        client.post(
            "/chat/completions",
            body={"model": "small", "messages": [USER], **body},
            cast_to=object,
        )
