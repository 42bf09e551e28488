"""The Claude adapter over the real SDK and real HTTP, against a strict stand-in."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
import time
import traceback
from typing import Any

import pytest

from agent.errors import ModelUnavailable, SettingsInvalid
from agent.messages import Observations, ToolCall, ToolResult, ToolSpec, Turn, Usage, UserMessage
from agent.models.claude import ClaudeModel

KEY = "sk-ant-test-0123456789abcdef"
TOOLS = (
    ToolSpec("find_tables", "Find tables.", {"type": "object", "properties": {}}),
    ToolSpec("get_schema", "Read a schema.", {"type": "object", "properties": {}}),
)
QUESTION = UserMessage("How many films are there?")


def make(api: Any, **options: Any) -> ClaudeModel:
    return ClaudeModel(**{"api_key": KEY, "base_url": api.url, "first_wait_s": 0.01, **options})


def ask(model: ClaudeModel, *messages: Any, tools: Any = TOOLS, timeout_s: float = 20.0) -> Turn:
    return model.respond("Answer.", messages or (QUESTION,), tools, timeout_s=timeout_s)


def call(name: str, call_id: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def failure(model: ClaudeModel, **options: Any) -> ModelUnavailable:
    with pytest.raises(ModelUnavailable) as caught:
        ask(model, **options)
    return caught.value


def test_a_plain_answer_becomes_a_turn_with_its_usage(api: Any) -> None:
    api.say("1,000 films.")
    turn = ask(make(api))
    assert (turn.text, turn.tool_calls, turn.stop_reason) == ("1,000 films.", (), "end_turn")
    assert turn.usage == Usage(11, 7, cache_read_tokens=100, cache_write_tokens=0)


def test_the_request_names_model_system_tools_and_a_token_limit(api: Any) -> None:
    api.say("Hi.")
    ask(make(api, max_tokens=777))
    request = api.requests[0]
    assert (request["model"], request["max_tokens"]) == ("claude-sonnet-5", 777)
    assert [tool["name"] for tool in request["tools"]] == ["find_tables", "get_schema"]
    assert request["system"][0]["text"] == "Answer."


def test_a_turn_without_tools_and_system_sends_neither(api: Any) -> None:
    api.say("Hi.")
    make(api).respond("", [QUESTION], (), timeout_s=20)
    assert not {"tools", "system"} & set(api.requests[0])


def test_past_the_last_tool_call_an_answer_is_asked_for_and_no_tool(api: Any) -> None:
    api.say(call("get_schema", "toolu_1", table_name="film"), stop="tool_use")
    api.say("Done.")
    model = make(api)
    turn = ask(model)
    results = Observations((ToolResult("toolu_1", "get_schema", "film: …"),))
    assert model.respond("", [QUESTION, turn, results], (), timeout_s=20).text == "Done."
    assert [tool["name"] for tool in api.requests[1]["tools"]] == ["get_schema"]
    assert api.requests[1]["tool_choice"] == {"type": "none"}


def test_a_tool_loop_gives_thinking_and_calls_back_unchanged_and_in_order(api: Any) -> None:
    blocks = (
        {"type": "thinking", "thinking": "Which tables?", "signature": "c2lnbmF0dXJl"},
        {"type": "redacted_thinking", "data": "b3BhcXVl"},
        {"type": "text", "text": "Let me look.", "citations": None},
        call("get_schema", "toolu_1", table_name="film"),
        call("find_tables", "toolu_2", words="rental"),
    )
    api.say(*blocks, stop="tool_use")
    api.say("Done.")
    model = make(api)
    turn = ask(model)
    assert [c.id for c in turn.tool_calls] == ["toolu_1", "toolu_2"]
    assert turn.tool_calls[0] == ToolCall("toolu_1", "get_schema", {"table_name": "film"})
    results = Observations(
        (
            ToolResult("toolu_1", "get_schema", "film: …"),
            ToolResult("toolu_2", "find_tables", "No such table.", is_error=True),
        )
    )
    assert ask(model, QUESTION, turn, results).text == "Done."
    assistant, user = api.requests[1]["messages"][1:]
    assert assistant == {"role": "assistant", "content": list(blocks)}
    assert [block.get("is_error", False) for block in user["content"]] == [False, True]


@pytest.mark.parametrize(
    "conversation",
    [
        # a correction instead of results, as after a turn that was cut off
        (QUESTION, Turn(tool_calls=(ToolCall("t1", "x", {}),)), UserMessage("Shorter.")),
        # an empty turn, and the correction after it
        (QUESTION, Turn(), UserMessage("That was empty.")),
        # a blank text of the API's own
        (QUESTION, Turn("", provider_content=({"type": "text", "text": " "},)), UserMessage("?")),
        # only one of two calls was answered
        (
            QUESTION,
            Turn(tool_calls=(ToolCall("t1", "x", {}), ToolCall("t2", "x", {}))),
            Observations((ToolResult("t2", "x", ""),)),
        ),
        # results in another order, with a correction behind them
        (
            QUESTION,
            Turn("Looking.", (ToolCall("t1", "x", {}), ToolCall("t2", "x", {}))),
            Observations((ToolResult("t2", "x", "2"), ToolResult("t1", "x", "1"))),
            UserMessage("Go on."),
        ),
        # a result that answers no call
        (QUESTION, Turn("Hm."), Observations((ToolResult("gone", "x", "12 rows"),))),
        # a conversation that ends in calls, or that begins with nothing
        (QUESTION, Turn(tool_calls=(ToolCall("t1", "x", {}),))),
        (UserMessage("  "),),
        # half of a character pair
        (UserMessage("films \ud83c of 2024"),),
        # earlier exchanges of a thread
        (QUESTION, Turn("1,000.", stop_reason="past"), UserMessage("And by rating?")),
    ],
)
def test_whatever_memory_holds_is_sent_as_the_api_takes_it(api: Any, conversation: Any) -> None:
    api.say("Fine.")
    assert ask(make(api), *conversation).text == "Fine."
    assert api.refusals == []


@pytest.mark.parametrize(
    ("said", "understood"),
    [
        ("end_turn", "end_turn"),
        ("stop_sequence", "stop_sequence"),
        ("max_tokens", "max_tokens"),
        ("model_context_window_exceeded", "max_tokens"),
        ("refusal", "refusal"),
        ("a_reason_of_2031", "a_reason_of_2031"),
        (None, "unknown"),
    ],
)
def test_each_stop_reason_has_its_plain_meaning(
    api: Any, said: str | None, understood: str
) -> None:
    api.say("…", stop=said)
    assert ask(make(api)).stop_reason == understood


def test_a_paused_turn_is_taken_up_until_it_is_done(api: Any) -> None:
    api.say("First half,", stop="pause_turn")
    api.say("second half.")
    turn = ask(make(api))
    assert (turn.text, turn.stop_reason) == ("First half,\n\nsecond half.", "end_turn")
    assert len(turn.provider_content) == 2
    assert turn.usage.output_tokens == 14
    assert api.requests[1]["messages"][-1]["role"] == "assistant"


def test_an_empty_message_is_an_empty_turn_and_no_error(api: Any) -> None:
    api.say()
    turn = ask(make(api))
    assert (turn.text, turn.tool_calls, turn.provider_content) == ("", (), ())
    assert turn.usage == Usage(11, 7, cache_read_tokens=100)


def test_arguments_that_are_no_object_are_told_to_the_loop(api: Any) -> None:
    api.say({"type": "tool_use", "id": "t1", "name": "get_schema", "input": ["film"]})
    (malformed,) = ask(make(api)).tool_calls
    assert (malformed.arguments, malformed.malformed) == ({}, '["film"]')


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_passing_trouble_is_tried_again(api: Any, status: int) -> None:
    api.fail(status)
    api.say("There you are.")
    assert ask(make(api)).text == "There you are."
    assert len(api.requests) == 2


@pytest.mark.parametrize(
    ("status", "message", "told"),
    [
        (401, "invalid x-api-key", "check ANTHROPIC_API_KEY"),
        (403, "not allowed", "check the key's permissions"),
        (404, "model: claude-sonnet-5", "check the model's name"),
        (404, "Not Found", "check ANTHROPIC_BASE_URL"),
        (402, "billing", "no credit left"),
        (400, "Your credit balance is too low to access the API.", "no credit left"),
        (400, "prompt is too long: 250000 tokens > 200000 maximum", "start a new thread"),
        (413, "Request exceeds the maximum size", "start a new thread"),
        (400, "messages.0: wrong", "a mistake of this program"),
    ],
)
def test_what_no_retry_cures_ends_at_once_and_says_what_to_do(
    api: Any, status: int, message: str, told: str
) -> None:
    api.fail(status, message)
    fault = failure(make(api))
    assert told in str(fault)
    assert str(fault).endswith(".")
    assert message in fault.detail
    assert "req_011" in fault.detail
    assert len(api.requests) == 1


@pytest.mark.parametrize(
    ("status", "told"), [(429, "limits how often"), (529, "overloaded"), (500, "has trouble")]
)
def test_trouble_that_stays_is_given_up_after_four_attempts(
    api: Any, status: int, told: str
) -> None:
    for _ in range(9):
        api.fail(status)
    assert told in str(failure(make(api)))
    assert len(api.requests) == 4


def test_the_server_says_how_long_to_wait(api: Any) -> None:
    api.fail(429, retry_after="1")
    api.say("Now.")
    started = time.monotonic()
    ask(make(api))
    assert 1.0 <= time.monotonic() - started < 5.0


@pytest.mark.parametrize(
    ("wait", "told"), [("60", "again in 60 seconds"), ("3600", "again in about 60 minutes")]
)
def test_a_wait_beyond_the_run_is_not_slept_but_told(api: Any, wait: str, told: str) -> None:
    api.fail(429, retry_after=wait)
    started = time.monotonic()
    assert told in str(failure(make(api), timeout_s=5))
    assert time.monotonic() - started < 4.5


@pytest.mark.parametrize("wait", ["-5", "nan", "Wed, 21 Oct 2026 07:28:00 GMT", "1e99"])
def test_a_senseless_wait_is_ignored(api: Any, wait: str) -> None:
    api.fail(529, retry_after=wait)
    api.say("Now.")
    assert ask(make(api)).text == "Now."


def test_a_server_that_is_silent_costs_the_time_that_was_given_and_no_more(api: Any) -> None:
    api.say("Too late.", delay_s=3.0)
    started = time.monotonic()
    assert "did not answer in time" in str(failure(make(api), timeout_s=0.5))
    assert time.monotonic() - started < 2.5


def test_a_server_that_drips_does_not_outlast_the_time_that_was_given(api: Any) -> None:
    api.say("Slow.", drip_s=0.05)
    started = time.monotonic()
    assert "did not answer in time" in str(failure(make(api), timeout_s=0.6))
    assert time.monotonic() - started < 1.5


@pytest.mark.parametrize("cut_after", [-1, 0, 20, 120])
def test_a_cut_connection_is_tried_again(api: Any, cut_after: int) -> None:
    api.say("Lost.", cut_after=cut_after)
    api.say("Whole.")
    assert ask(make(api)).text == "Whole."


def test_a_cut_error_body_is_tried_again(api: Any) -> None:
    api.fail(529)
    api.replies[0].cut_after = 10
    api.say("Whole.")
    assert ask(make(api)).text == "Whole."


@pytest.mark.parametrize(
    "body",
    [
        b"<html><body>Welcome to the hotel's network</body></html>",
        b'{"type": "message", "content": [{"type": "te',
        b"",
        b"null",
        b'{"ok": true}',
        b'{"content": [{"type": "tool_use", "name": "x", "input": {}}], "stop_reason": null}',
        b'{"content": ["text"]}',
        b"[" * 100_000,
    ],
)
def test_a_reply_that_is_no_message_is_told_as_such(api: Any, body: bytes) -> None:
    for _ in range(4):
        api.say()
        api.replies[-1].body = body
    fault = failure(make(api))
    assert "check ANTHROPIC_BASE_URL" in str(fault)


def test_an_error_that_is_no_json_is_understood_by_its_status(api: Any) -> None:
    api.fail(403)
    api.replies[0].body = b"<html>Forbidden by the gateway</html>"
    assert "permissions" in str(failure(make(api)))


def test_nobody_at_the_address_is_a_network_fault(api: Any) -> None:
    api.url = "http://127.0.0.1:9"  # the discard port: nothing listens
    fault = failure(make(api))
    assert "cannot be reached over the network" in str(fault)
    assert "127.0.0.1:9" in fault.detail


def test_the_key_is_in_no_repr_no_error_and_no_log(
    api: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    api.fail(529, f"key {KEY} is unwell")
    api.fail(401, f"invalid key {KEY}")
    model = make(api)
    fault = failure(model)
    told = "".join(traceback.format_exception(fault))
    chain = [fault, fault.__cause__, fault.__context__]
    for text in (repr(model), str(vars(model)), told, fault.detail, caplog.text, repr(chain)):
        assert KEY not in text
    assert "…" in fault.detail


def test_the_environment_of_the_sdk_has_no_say(api: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-other")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "other-token")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "x-api-key: sk-other\nx-extra: 1")
    api.say("Ours.")
    assert ask(make(api)).text == "Ours."
    assert "x-extra" not in api.headers[0]
    assert "sk-other" not in json.dumps(api.headers[0])


@pytest.mark.parametrize("key", ["", "  ", "sk-ant\nx: y", "sk-änt", "two words"])
def test_a_key_that_cannot_be_one_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(SettingsInvalid, match="ANTHROPIC_API_KEY") as caught:
        ClaudeModel(key)
    assert not key.strip() or key not in str(caught.value)


@pytest.mark.parametrize("url", ["https://me:secret@gateway", "api.anthropic.com", "ftp://x", ""])
def test_an_address_that_cannot_be_one_or_holds_a_password_is_refused(url: str) -> None:
    with pytest.raises(SettingsInvalid, match="ANTHROPIC_BASE_URL") as caught:
        ClaudeModel(KEY, base_url=url)
    assert "secret" not in str(caught.value)


def test_a_path_in_the_address_is_kept(api: Any) -> None:
    api.say("Through the gateway.")
    assert ask(make(api, base_url=f"{api.url}/proxy/claude")).text == "Through the gateway."


def test_one_model_serves_several_threads(api: Any) -> None:
    for number in range(24):
        api.say(f"answer {number}")
    model = make(api)
    texts: list[str] = []
    threads = [
        threading.Thread(target=lambda: texts.extend(ask(model).text for _ in range(3)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(texts) == sorted(f"answer {number}" for number in range(24))
    model.close()


def test_the_sdk_is_not_imported_before_the_first_turn() -> None:
    code = (
        "import sys; from agent.models.claude import ClaudeModel; ClaudeModel('k');"
        "sys.exit('anthropic' in sys.modules or 'httpx2' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"temperature": 0.5}, "unknown fields"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"messages": [{"role": "assistant", "content": [{"type": "text", "text": "a"}]}]}, "role"),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": " "}]}]}, "non-white"),
        (
            {
                "messages": [
                    {"role": "user", "content": [{"type": "text", "text": "a"}]},
                    {"role": "assistant", "content": [call("x", "t1")]},
                    {"role": "user", "content": [{"type": "text", "text": "b"}]},
                ]
            },
            "without `tool_result`",
        ),
        (
            {
                "messages": [
                    {"role": "user", "content": [{"type": "text", "text": "a"}]},
                    {
                        "role": "assistant",
                        "content": [{"type": "tool_use", "id": "x", "name": "y", "input": {}}],
                    },
                    {
                        "role": "user",
                        "content": [{"type": "tool_result", "tool_use_id": "x", "content": "z"}],
                    },
                ]
            },
            "must define tools",
        ),
        (
            {
                "messages": [
                    {"role": "user", "content": [{"type": "text", "text": "a"}]},
                    {
                        "role": "assistant",
                        "content": [{"type": "thinking", "thinking": "?", "signature": "forged"}],
                    },
                    {"role": "user", "content": [{"type": "text", "text": "b"}]},
                ]
            },
            "cannot be modified",
        ),
    ],
)
def test_the_stand_in_refuses_what_the_api_refuses(
    api: Any, body: dict[str, Any], why: str
) -> None:
    import anthropic

    good = {
        "model": "claude-sonnet-5",
        "max_tokens": 5,
        "messages": [{"role": "user", "content": [{"type": "text", "text": "a"}]}],
    }
    client = anthropic.Anthropic(api_key=KEY, base_url=api.url, max_retries=0)
    with client, pytest.raises(anthropic.BadRequestError, match=why):
        client.post("/v1/messages", body={**good, **body}, cast_to=object)
