"""What is sent to an OpenAI-compatible server, over the real SDK and real HTTP."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from agent.messages import Observations, ToolCall, ToolResult, ToolSpec, Turn, UserMessage
from agent.models.openai_compatible import PRESETS
from agent.models.openai_compatible.model import OpenAICompatibleModel

KEY = "sk-test-0123456789abcdef"
EMPTY = {"type": "object", "properties": {}}
TOOLS = (
    ToolSpec("find_tables", "Find tables.", EMPTY),
    ToolSpec("get_schema", "Read a schema.", EMPTY),
)
QUESTION = UserMessage("How many films are there?")
CALLS = (ToolCall("t1", "get_schema", {"table_name": "film"}), ToolCall("t2", "find_tables", {}))
RESULTS = Observations(
    (ToolResult("t1", "get_schema", "film: …"), ToolResult("t2", "x", "Not so.", is_error=True))
)
TWO_CALLS = (QUESTION, Turn("Looking.", CALLS), RESULTS)


def make(server: Any, preset: str = "", **options: Any) -> OpenAICompatibleModel:
    named = PRESETS[preset or (server.flavour if server.flavour in PRESETS else "compatible")]
    given = {"api_key": KEY, "base_url": server.url, "first_wait_s": 0.01, **options}
    return OpenAICompatibleModel(named, "small", **given)


def ask(model: Any, *messages: Any, tools: Any = TOOLS) -> Turn:
    return model.respond("Answer.", messages or (QUESTION,), tools, timeout_s=20.0)


def test_the_request_names_model_system_tools_and_a_token_limit(server: Any) -> None:
    server.say("Hi.")
    ask(make(server, max_tokens=777))
    request = server.requests[0]
    assert (request["model"], request["max_completion_tokens"]) == ("small", 777)
    assert request["messages"][0] == {"role": "system", "content": "Answer."}
    assert [tool["function"]["name"] for tool in request["tools"]] == ["find_tables", "get_schema"]


@pytest.mark.parametrize("flavour", ["openai", "groq", "nvidia", "ollama", "vllm", "sloppy"])
def test_a_tool_loop_is_sent_as_each_server_takes_it(
    start_server: Callable[[str], Any], flavour: str
) -> None:
    server = start_server(flavour)
    server.say("Done.")
    assert ask(make(server), *TWO_CALLS).text == "Done."
    assert server.refusals == []
    _, _, assistant, first, second = server.requests[0]["messages"]
    assert assistant["content"] == "Looking."
    assert [json.loads(c["function"]["arguments"]) for c in assistant["tool_calls"]] == [
        {"table_name": "film"},
        {},
    ]
    assert (first["tool_call_id"], first["content"]) == ("t1", "film: …")
    assert (second["tool_call_id"], second["content"]) == ("t2", "Error: Not so.")


@pytest.mark.parametrize(
    "conversation",
    [
        # a correction instead of results, as after a turn that was cut off
        (QUESTION, Turn(tool_calls=CALLS), UserMessage("Shorter.")),
        # an empty turn, and the correction after it
        (QUESTION, Turn(), UserMessage("That was empty.")),
        # only one of two calls was answered
        (QUESTION, Turn(tool_calls=CALLS), Observations((ToolResult("t2", "x", ""),))),
        # results in another order, with a correction behind them
        (QUESTION, Turn("Hm.", CALLS), Observations(RESULTS.results[::-1]), UserMessage("On.")),
        # a result that answers no call
        (QUESTION, Turn("Hm."), Observations((ToolResult("gone", "x", "12 rows"),))),
        # a conversation that ends in calls, or that begins with nothing
        (QUESTION, Turn(tool_calls=CALLS)),
        (UserMessage("  "),),
        # half of a character pair
        (UserMessage("films \ud83c of 2024"),),
        # a call whose arguments were no JSON, of a tool with a name that no server takes
        (QUESTION, Turn(tool_calls=(ToolCall("t1", "the tool!", {}, malformed="{"),))),
        # another server's long id
        (QUESTION, Turn(tool_calls=(ToolCall("chatcmpl-tool-" + 32 * "a", "x", {}),))),
        # earlier exchanges of a thread
        (QUESTION, Turn("1,000.", stop_reason="past"), UserMessage("And by rating?")),
    ],
)
def test_whatever_memory_holds_is_sent_as_the_api_takes_it(server: Any, conversation: Any) -> None:
    server.say("Fine.")
    assert ask(make(server), *conversation).text == "Fine."
    assert server.refusals == []
    roles = [message["role"] for message in server.requests[0]["messages"]]
    assert all(one != other or one == "tool" for one, other in pairwise(roles))


def test_past_the_last_tool_call_an_answer_is_asked_for_and_no_tool(server: Any) -> None:
    server.say("Done.")
    ask(make(server), *TWO_CALLS, tools=())
    assert server.requests[0]["tool_choice"] == "none"
    names = [tool["function"]["name"] for tool in server.requests[0]["tools"]]
    assert names == ["get_schema", "find_tables"]


TEMPLATE = "TemplateError: "
REFUSALS = [
    ("no tool_choice", "tool_choice is not supported"),
    ("no tools", "registry.ollama.ai/library/small:latest does not support tools"),
    ("no tools", '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser'),
    ("no tools", "[{'type': 'extra_forbidden', 'loc': ('body', 'tools'), 'msg': 'Extra inputs'}]"),
    ("one call", TEMPLATE + "This model only supports single tool-calls at once!"),
    ("no system", TEMPLATE + "System role not supported"),
    ("no user after tool", "Unexpected role 'user' after role 'tool'"),
    ("roles alternate", "Conversation roles must alternate user/assistant/user/assistant/..."),
    ("no limit", "'max_tokens' is too large: 8000. The maximum context length is 4096 tokens"),
    (
        "no limit",
        "However, you requested 8500 tokens (500 in the messages, 8000 in the completion)",
    ),
]


@pytest.mark.parametrize(("quirk", "words"), REFUSALS)
def test_what_a_server_refuses_is_left_out_and_remembered(
    start_server: Callable[[str], Any], quirk: str, words: str
) -> None:
    server = start_server("vllm")
    server.quirks = {quirk: words}
    model = make(server)
    conversation = (*TWO_CALLS, UserMessage("Go on."))
    for _ in range(2):
        server.say("Done.")
        tools = () if quirk == "no tool_choice" else TOOLS
        assert ask(model, *conversation, tools=tools).text == "Done."
        before, server.refusals = server.refusals, []
        assert set(before) <= {words}
    assert before == []


def test_a_word_about_the_load_is_not_taken_for_one_about_the_request(server: Any) -> None:
    server.fail(429, "The limit of max_completion_tokens a minute is met.", retry_after="0.01")
    server.say("Done.")
    ask(make(server))
    assert all("max_completion_tokens" in request for request in server.requests)


@pytest.mark.parametrize("preset", ["openai", "compatible"])
def test_the_two_names_of_the_token_limit_are_both_known(
    start_server: Callable[[str], Any], preset: str
) -> None:
    server = start_server("openai" if preset == "compatible" else "sloppy")
    server.say("Hi.")
    ask(make(server, preset, max_tokens=99))
    sent = [set(request) & {"max_tokens", "max_completion_tokens"} for request in server.requests]
    assert len(sent) == 2
    assert sent[0] != sent[1]
    assert 99 in server.requests[1].values()


def test_a_server_without_tools_gets_and_gives_them_in_words(
    start_server: Callable[[str], Any],
) -> None:
    server = start_server("ollama")
    server.quirks = {"no tools": "small does not support tools"}
    server.say('<tool_call>{"name": "get_schema", "arguments": {"table_name": "a"}}</tool_call>')
    turn = ask(make(server), *TWO_CALLS)
    assert turn.tool_calls == (ToolCall("call00002", "get_schema", {"table_name": "a"}),)
    system, _, assistant, user = server.requests[-1]["messages"]
    assert "Read a schema." in system["content"]
    assert (
        '<tool_call>{"name": "get_schema", "arguments": {"table_name": "film"}}'
        in (assistant["content"])
    )
    assert "<tool_response>\nfilm: …" in user["content"]


def test_the_environment_of_the_sdk_has_no_say(
    server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("API_KEY", "ORG_ID", "PROJECT_ID", "ADMIN_KEY"):
        monkeypatch.setenv(f"OPENAI_{name}", "of-another")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "authorization: of-another\nx-extra: 1")
    server.say("Ours.")
    assert ask(make(server)).text == "Ours."
    assert "x-extra" not in server.headers[0]
    assert "of-another" not in json.dumps(server.headers[0])


def test_one_model_serves_several_threads(server: Any) -> None:
    for number in range(24):
        server.say(f"answer {number}")
    model = make(server)
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
        "import sys; from agent.models import make_model; from agent.settings import AgentSettings;"
        "make_model(AgentSettings(DB_AGENT_MODEL='ollama:small'));"
        "sys.exit('openai' in sys.modules or 'httpx2' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
