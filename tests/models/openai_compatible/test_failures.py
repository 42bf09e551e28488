"""Trouble with an OpenAI-compatible server: tried again, or told with what to do."""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable
from typing import Any

import pytest

from agent.errors import ModelUnavailable, SettingsInvalid
from agent.messages import Turn, UserMessage
from agent.models import make_model
from agent.models.openai_compatible import PRESETS
from agent.models.openai_compatible.model import OpenAICompatibleModel
from agent.settings import AgentSettings

KEY = "sk-test-0123456789abcdef"


def make(server: Any, preset: str = "openai", **options: Any) -> OpenAICompatibleModel:
    given = {"api_key": KEY, "base_url": server.url, "first_wait_s": 0.01, **options}
    return OpenAICompatibleModel(PRESETS[preset], "small", **given)


def ask(model: Any, timeout_s: float = 20.0) -> Turn:
    return model.respond("Answer.", [UserMessage("How many films?")], (), timeout_s=timeout_s)


def failure(model: Any, timeout_s: float = 20.0) -> ModelUnavailable:
    with pytest.raises(ModelUnavailable) as caught:
        ask(model, timeout_s)
    return caught.value


@pytest.mark.parametrize("status", [408, 409, 429, 498, 500, 502, 503, 504])
def test_passing_trouble_is_tried_again(server: Any, status: int) -> None:
    server.fail(status)
    server.say("There you are.")
    assert ask(make(server)).text == "There you are."
    assert len(server.requests) == 2


FINAL = [
    (401, "Incorrect API key provided", "invalid_api_key", "check OPENAI_API_KEY"),
    (403, "not allowed", None, "check the key's permissions"),
    (404, "The model `small` does not exist", "model_not_found", "check the model's name"),
    (404, "404 page not found", None, "check OPENAI_BASE_URL"),
    (400, "The model `small` has been decommissioned", "model_decommissioned", "model's name"),
    (429, "You exceeded your current quota", "insufficient_quota", "no credit left"),
    (402, "Insufficient Balance", None, "no credit left"),
    (400, "maximum context length is 4096 tokens", "context_length_exceeded", "a new thread"),
    (400, "the request exceeds the available context size", None, "start a new thread"),
    (413, "Request too large for model `small`", "rate_limit_exceeded", "start a new thread"),
    (400, "messages[0]: wrong", None, "look at the log"),
]


@pytest.mark.parametrize("flavour", ["openai", "nvidia", "vllm", "sloppy"])
@pytest.mark.parametrize(("status", "message", "code", "told"), FINAL)
def test_what_no_retry_cures_ends_at_once_and_says_what_to_do(
    start_server: Callable[[str], Any],
    flavour: str,
    status: int,
    message: str,
    code: str | None,
    told: str,
) -> None:
    server = start_server(flavour)
    server.flavour = "vllm"  # takes any request; only its words are those of the flavour
    server.fail(status, message, code)
    fault = failure(make(server))
    assert told in str(fault)
    assert str(fault).endswith(".")
    assert message in fault.detail
    assert "req_011" in fault.detail
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "told"), [(429, "limits how often"), (503, "overloaded"), (500, "has trouble")]
)
def test_trouble_that_stays_is_given_up_after_four_attempts(
    server: Any, status: int, told: str
) -> None:
    for _ in range(9):
        server.fail(status)
    assert told in str(failure(make(server)))
    assert len(server.requests) == 4


@pytest.mark.parametrize(
    ("message", "headers"),
    [
        ("Slowly.", {"retry_after": "0.4"}),
        ("Slowly.", {"retry_after_ms": "400"}),
        ("Limit reached. Please try again in 0.4s. Visit us.", {}),
        ("Please retry after 0.4 seconds.", {}),
        (
            "Slowly.",
            {
                "x_ratelimit_remaining_requests": "12",
                "x_ratelimit_reset_requests": "2m59.56s",
                "x_ratelimit_remaining_tokens": "0",
                "x_ratelimit_reset_tokens": "400ms",
            },
        ),
    ],
)
def test_the_server_says_how_long_to_wait(server: Any, message: str, headers: Any) -> None:
    server.fail(429, message, "rate_limit_exceeded", **headers)
    server.say("Now.")
    started = time.monotonic()
    ask(make(server))
    assert 0.4 <= time.monotonic() - started < 6.0


@pytest.mark.parametrize(
    ("message", "wait", "told"),
    [
        ("No.", {"retry_after": "60"}, "again in 60 seconds"),
        ("No.", {"retry_after": "3600"}, "again in about 60 minutes"),
        ("Please try again in 7m12.48s.", {}, "again in about 7 minutes"),
        ("Please try again in 1h2m.", {}, "again in about 62 minutes"),
    ],
)
def test_a_wait_beyond_the_run_is_not_slept_but_told(
    server: Any, message: str, wait: Any, told: str
) -> None:
    server.fail(429, message, **wait)
    started = time.monotonic()
    assert told in str(failure(make(server), timeout_s=5))
    assert time.monotonic() - started < 6.0


@pytest.mark.parametrize("wait", ["-5", "nan", "Wed, 21 Oct 2026 07:28:00 GMT", "1e99"])
def test_a_senseless_wait_is_ignored(server: Any, wait: str) -> None:
    server.fail(503, retry_after=wait)
    server.say("Now.")
    assert ask(make(server)).text == "Now."


@pytest.mark.parametrize("slow", [{"delay_s": 3.0}, {"drip_s": 0.05}])
def test_a_slow_server_costs_the_time_that_was_given_and_no_more(server: Any, slow: Any) -> None:
    server.say("Too late.", **slow)
    started = time.monotonic()
    assert "did not answer in time" in str(failure(make(server), timeout_s=0.5))
    assert time.monotonic() - started < 6.0


@pytest.mark.parametrize("cut_after", [-1, 0, 20, 120])
def test_a_cut_connection_is_tried_again(server: Any, cut_after: int) -> None:
    server.say("Lost.", cut_after=cut_after)
    server.fail(503)
    server.replies[-1].cut_after = 10
    server.say("Whole.")
    assert ask(make(server)).text == "Whole."


@pytest.mark.parametrize(
    "body",
    [
        b"<html><body>Welcome to the hotel's network</body></html>",
        b'{"choices": [{"message": {"content": "1,0',
        *(b"", b"null", b'{"ok": true}', b'{"choices": []}', b'{"choices": [{"text": "a"}]}'),
        b'{"choices": "none"}',
        b"[" * 100_000,
    ],
)
def test_a_reply_that_is_no_completion_is_told_as_such(server: Any, body: bytes) -> None:
    for _ in range(4):
        server.say()
        server.replies[-1].body = body
    assert "check OPENAI_BASE_URL" in str(failure(make(server)))


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ({"error": {"code": 402, "message": "Insufficient credits"}}, "no credit left"),
        ({"error": {"code": 401, "message": "No auth"}}, "does not accept our key"),
        ({"error": "context length exceeded"}, "start a new thread"),
        ({"error": "Something broke"}, "has trouble"),
        ({"choices": [{"error": {"code": 502, "message": "Upstream"}, "message": {}}]}, "trouble"),
    ],
)
def test_an_error_in_a_reply_with_status_200_is_one(server: Any, error: Any, told: str) -> None:
    for _ in range(4):
        server.say()
        server.replies[-1].body = error
    assert told in str(failure(make(server)))


@pytest.mark.parametrize(
    "body",
    [
        {"detail": [{"loc": ["body", "x"], "msg": "Not so", "type": "value_error"}]},
        {"detail": "Not so"},
        {"message": "Not so", "request_id": "7"},
        {"errors": [{"message": "Not so"}]},
        [{"error": {"code": 400, "message": "Not so", "status": "INVALID"}}],
        {"error": {"message": {"detail": "Not so"}}},
        b"Not so",
        b"<html>Not so</html>",
    ],
)
def test_the_servers_words_are_found_in_each_shape_of_error(server: Any, body: Any) -> None:
    server.fail(400)
    server.replies[0].body = body
    assert "Not so" in failure(make(server)).detail


@pytest.mark.parametrize(
    ("preset", "told"),
    [("ollama", "Ollama cannot be"), ("compatible", "The model's server cannot")],
)
def test_nobody_at_the_address_is_a_network_fault(server: Any, preset: str, told: str) -> None:
    server.url = "http://127.0.0.1:9/v1"  # the discard port: nothing listens
    fault = failure(make(server, preset))
    assert told in str(fault)
    assert "127.0.0.1:9" in fault.detail


def test_the_key_is_in_no_repr_no_error_and_no_log(
    server: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.fail(400, f"max_completion_tokens not supported for {KEY}")
    server.fail(503, f"key {KEY} is unwell")
    server.fail(401, f"invalid key {KEY}")
    model = make(server)
    fault = failure(model)
    told = "".join(traceback.format_exception(fault))
    chain = [fault, fault.__cause__, fault.__context__]
    for text in (repr(model), str(vars(model)), told, fault.detail, caplog.text, repr(chain)):
        assert KEY not in text
    assert "…" in fault.detail


def test_a_server_without_a_key_is_asked_without_one(start_server: Callable[[str], Any]) -> None:
    server = start_server("ollama")
    server.say("Hi.")
    assert ask(make(server, "ollama", api_key="")).text == "Hi."
    assert server.headers[0]["authorization"] == "Bearer none"


@pytest.mark.parametrize("key", ["", "  ", "sk\nx: y", "sk-änt", "two words"])
def test_a_key_that_cannot_be_one_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(SettingsInvalid, match="GROQ_API_KEY") as caught:
        OpenAICompatibleModel(PRESETS["groq"], "small", api_key=key)
    assert not key.strip() or key not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["https://me:secret@gateway/v1", "localhost:80", "ftp://x", "http://["]
)
def test_an_address_that_cannot_be_one_or_holds_a_password_is_refused(url: str) -> None:
    with pytest.raises(SettingsInvalid, match="OLLAMA_BASE_URL") as caught:
        OpenAICompatibleModel(PRESETS["ollama"], "small", base_url=url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"DB_AGENT_MODEL": "groq:x"}, "Set GROQ_API_KEY"),
        ({"DB_AGENT_MODEL": "nvidia:a/b"}, "Set NVIDIA_API_KEY"),
        ({"DB_AGENT_MODEL": "openai:", "OPENAI_API_KEY": KEY}, "names no model"),
        ({"DB_AGENT_MODEL": "compatible:x"}, "Set DB_AGENT_COMPATIBLE_BASE_URL"),
        ({"DB_AGENT_MODEL": "mistral:x"}, "nvidia:MODEL, groq:MODEL"),
        ({"DB_AGENT_MODEL": "vllm:x", "VLLM_BASE_URL": "here"}, "VLLM_BASE_URL must be"),
    ],
)
def test_a_setting_that_is_missing_or_wrong_is_named(settings: Any, told: str) -> None:
    with pytest.raises(SettingsInvalid, match=told):
        make_model(AgentSettings(**settings))


@pytest.mark.parametrize("name", ["nvidia", "groq", "openai", "ollama", "vllm", "compatible"])
def test_each_server_is_reached_by_its_settings_alone(
    start_server: Callable[[str], Any], name: str
) -> None:
    server = start_server(name if name in PRESETS and name != "compatible" else "sloppy")
    server.say("Hi.")
    preset = PRESETS[name]
    settings = {preset.key_variable: KEY, preset.url_variable: server.url}
    model = make_model(AgentSettings(DB_AGENT_MODEL=f"{name}:small", **settings))
    assert ask(model).text == "Hi."
    assert model.name == f"{name}:small"
    model.close()  # type: ignore[attr-defined]
