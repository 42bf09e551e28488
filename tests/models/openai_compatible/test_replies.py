"""What comes back from an OpenAI-compatible server, with all that servers do differently."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent.messages import ToolCall, ToolSpec, Turn, Usage, UserMessage
from agent.models.openai_compatible import PRESETS
from agent.models.openai_compatible.model import OpenAICompatibleModel

KEY = "sk-test-0123456789abcdef"
EMPTY = {"type": "object", "properties": {}}
TOOLS = (
    ToolSpec("find_tables", "Find tables.", EMPTY),
    ToolSpec("get_schema", "Read a schema.", EMPTY),
)
FILM = {"table_name": "film"}
COUNTED = Usage(11, 7, cache_read_tokens=100)


def ask(server: Any, *messages: Any) -> Turn:
    model = OpenAICompatibleModel(
        PRESETS["openai"], "small", api_key=KEY, base_url=server.url, first_wait_s=0.01
    )
    said = messages or (UserMessage("How many films are there?"),)
    turn = model.respond("Answer.", said, TOOLS, timeout_s=20.0)
    model.close()
    return turn


def call(arguments: Any, call_id: Any = "t1", name: str = "get_schema") -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"id": call_id, "type": "function", "function": function}


def test_a_plain_answer_becomes_a_turn_with_its_usage(server: Any) -> None:
    server.say("1,000 films.")
    assert ask(server) == Turn("1,000 films.", (), "end_turn", COUNTED)


def test_calls_become_a_turn_that_waits_for_them(server: Any) -> None:
    server.say(None, call(json.dumps(FILM)), call("{}", "t2", "find_tables"))
    made = (ToolCall("t1", "get_schema", FILM), ToolCall("t2", "find_tables", {}))
    assert ask(server) == Turn("", made, "tool_use", COUNTED)


@pytest.mark.parametrize(
    "arguments",
    [
        FILM,
        json.dumps(json.dumps(FILM)),
        '```json\n{"table_name": "film"}\n```',
        ' {"table_name": "film"}\n',
    ],
)
def test_arguments_are_read_however_they_are_wrapped(server: Any, arguments: Any) -> None:
    server.say("", call(arguments))
    assert ask(server).tool_calls == (ToolCall("t1", "get_schema", FILM),)


@pytest.mark.parametrize("arguments", ["", "  ", None, "null", "{}", {}])
def test_no_arguments_are_no_fault(server: Any, arguments: Any) -> None:
    server.say("", call(arguments))
    assert ask(server).tool_calls == (ToolCall("t1", "get_schema", {}),)


def test_a_line_break_within_an_argument_is_read(server: Any) -> None:
    server.say("", call('{"query": "SELECT 1\nFROM film"}'))
    assert ask(server).tool_calls[0].arguments == {"query": "SELECT 1\nFROM film"}


@pytest.mark.parametrize(
    "arguments",
    ["film", '{"table_name": ', '["film"]', '{"a": NaN}', "[" * 50_000, 7, ["film"], "8"],
)
def test_arguments_that_are_no_object_are_told_to_the_loop(server: Any, arguments: Any) -> None:
    server.say("", call(arguments))
    (malformed,) = ask(server).tool_calls
    written = arguments if isinstance(arguments, str) else json.dumps(arguments)
    assert (malformed.name, malformed.arguments) == ("get_schema", {})
    assert malformed.malformed == written


def test_missing_and_repeated_ids_are_replaced_by_ids_of_their_own(server: Any) -> None:
    earlier = Turn(tool_calls=(ToolCall("t1", "get_schema", FILM),))
    server.say("", call("{}", None), call("{}", ""), call("{}", "t1"), call("{}", "t2"))
    ids = [each.id for each in ask(server, UserMessage("?"), earlier).tool_calls]
    assert len(set(ids)) == 4
    assert "t1" not in ids
    assert ids[3] == "t2"
    assert server.refusals == []


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        (["1,000", " films."], "1,000 films."),
        ([{"type": "text", "text": "1,000."}], "1,000."),
        ([{"type": "reasoning", "summary": "Hm."}, {"type": "output_text", "text": "A."}], "A."),
        ("<think>Which table?</think>\n\n1,000.", "1,000."),
        ("Which table? It is film.</think>1,000.", "1,000."),
        ("<think>I never come to an end", ""),
        ({"type": "text", "text": "A."}, "A."),
        (7, ""),
    ],
)
def test_content_is_read_in_each_of_its_shapes_and_thoughts_are_left_out(
    server: Any, content: Any, text: str
) -> None:
    server.say(content)
    assert ask(server).text == text


def test_reasoning_beside_the_content_is_not_said(server: Any) -> None:
    server.say_message(
        {"role": "assistant", "content": "1,000.", "reasoning_content": "Hm.", "reasoning": "Hm."}
    )
    assert ask(server).text == "1,000."


def test_the_call_of_the_older_protocol_is_one(server: Any) -> None:
    function = {"name": "get_schema", "arguments": json.dumps(FILM)}
    message = {"role": "assistant", "content": None, "function_call": function}
    server.say_message(message, stop="function_call")
    turn = ask(server)
    assert [(each.name, each.arguments) for each in turn.tool_calls] == [("get_schema", FILM)]
    assert turn.stop_reason == "tool_use"


JSON_CALL = '{"name": "get_schema", "arguments": {"table_name": "film"}}'


@pytest.mark.parametrize(
    "text",
    [
        f"<tool_call>\n{JSON_CALL}\n</tool_call>",
        f"<tool_call>{JSON_CALL}",
        f"```json\n{JSON_CALL}\n```",
        f"```\n[{JSON_CALL}]\n```",
        JSON_CALL,
        f"[TOOL_CALLS][{JSON_CALL}]",
        '[TOOL_CALLS]get_schema[ARGS]{"table_name": "film"}',
        '<|python_tag|>{"name": "get_schema", "parameters": {"table_name": "film"}}<|eom_id|>',
        '<function=get_schema>{"table_name": "film"}</function>',
        '<function=get_schema{"table_name": "film"}</function>',
        "<tool_call>\n<function=get_schema>\n<parameter=table_name>\nfilm\n</parameter>\n"
        "</function>\n</tool_call>",
        '<tool_call>{"function": {"name": "get_schema"}, "parameters": {"table_name": "film"}}',
        '{"tool_calls": [{"id": "x", "type": "function", "function": {"name": "get_schema", '
        '"arguments": "{\\"table_name\\": \\"film\\"}"}}]}',
    ],
)
def test_a_call_that_is_written_into_the_text_is_one(server: Any, text: str) -> None:
    server.say(text)
    turn = ask(server)
    assert [(each.name, each.arguments) for each in turn.tool_calls] == [("get_schema", FILM)]
    assert (turn.text, turn.stop_reason) == ("", "tool_use")


def test_words_and_several_written_calls_are_told_apart(server: Any) -> None:
    second = '{"name": "find_tables", "arguments": {"words": "rental"}}'
    server.say(
        f"Plan:\n1. Look.\n<tool_call>{JSON_CALL}</tool_call><tool_call>{second}</tool_call>"
    )
    turn = ask(server)
    assert turn.text == "Plan:\n1. Look."
    assert [each.name for each in turn.tool_calls] == ["get_schema", "find_tables"]
    assert len({each.id for each in turn.tool_calls}) == 2


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('<tool_call>{"name": "get_schema", "arguments": {"table_na', "get_schema"),
        ("<tool_call>film, please</tool_call>", "unknown"),
        ("[TOOL_CALLS] nothing", "unknown"),
    ],
)
def test_a_written_call_that_cannot_be_read_is_told_to_the_loop(
    server: Any, text: str, name: str
) -> None:
    server.say(text)
    (made,) = ask(server).tool_calls
    assert (made.name, made.arguments) == (name, {})
    assert made.malformed


@pytest.mark.parametrize(
    "text",
    [
        'The row is {"name": "ACADEMY DINOSAUR", "arguments": 1}.',
        '```json\n{"name": "ACADEMY DINOSAUR", "input": "film"}\n```',
        "```sql\nSELECT count(*) FROM film\n```\nThere are 1,000.",
        "a < b, and <b>bold</b>",
    ],
)
def test_an_answer_that_only_looks_like_a_call_stays_an_answer(server: Any, text: str) -> None:
    server.say(text)
    assert ask(server) == Turn(text, usage=COUNTED)


@pytest.mark.parametrize(
    "name", ["functions.get_schema", "get_schema<|channel|>json", "get_schema "]
)
def test_marks_that_stick_to_a_name_are_taken_off(server: Any, name: str) -> None:
    server.say("", call("{}", name=name))
    assert ask(server).tool_calls[0].name == "get_schema"


@pytest.mark.parametrize("entry", ["get_schema", 7, {}, {"function": {"arguments": "{}"}}])
def test_an_entry_that_is_no_call_is_told_to_the_loop(server: Any, entry: Any) -> None:
    server.say("", entry)
    assert ask(server).tool_calls[0].name == "unknown"


@pytest.mark.parametrize(
    ("said", "understood"),
    [
        ("stop", "end_turn"),
        ("STOP", "end_turn"),
        ("eos", "end_turn"),
        ("tool_calls", "end_turn"),
        (None, "end_turn"),
        ("length", "max_tokens"),
        ("content_filter", "refusal"),
        ("a_reason_of_2031", "a_reason_of_2031"),
    ],
)
def test_each_finish_reason_has_its_plain_meaning(
    server: Any, said: str | None, understood: str
) -> None:
    server.say("…", stop=said)
    assert ask(server).stop_reason == understood


@pytest.mark.parametrize("said", ["stop", "tool_calls", None, "eos"])
def test_a_turn_with_calls_waits_for_them_whatever_the_reason(server: Any, said: Any) -> None:
    server.say("", call("{}"), stop=said)
    assert ask(server).stop_reason == "tool_use"


def test_a_call_that_was_cut_off_is_a_turn_that_was_cut_off(server: Any) -> None:
    server.say("", call('{"table_na'), stop="length")
    assert ask(server).stop_reason == "max_tokens"


def test_a_refusal_beside_the_content_is_one(server: Any) -> None:
    server.say_message({"role": "assistant", "content": None, "refusal": "I cannot help."})
    assert ask(server) == Turn("I cannot help.", (), "refusal", COUNTED)


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": None}, "many"])
def test_tokens_that_are_not_counted_are_estimated_and_said_once(
    server: Any, usage: Any, caplog: pytest.LogCaptureFixture
) -> None:
    server.say("1,000 films.", usage=usage)
    counted = ask(server).usage
    assert 50 < counted.input_tokens < 500
    assert 0 < counted.output_tokens < 100
    assert caplog.text.count("does not count tokens") == 1


def test_other_places_for_the_counts_are_known(server: Any) -> None:
    server.say("A.", usage={"prompt_tokens": 50, "completion_tokens": 3})
    server.say(
        "A.", usage={"prompt_tokens": 9, "completion_tokens": 1, "prompt_cache_hit_tokens": 4}
    )
    server.say("A.", usage=None)
    server.replies[-1].body["x_groq"] = {"usage": {"prompt_tokens": 8, "completion_tokens": 2}}
    seen = [ask(server).usage for _ in range(3)]
    assert seen == [Usage(50, 3), Usage(5, 1, cache_read_tokens=4), Usage(8, 2)]


def test_a_call_that_the_server_gave_up_on_is_read_after_all(server: Any) -> None:
    server.fail(400, "Failed to call a function.", "tool_use_failed")
    error = server.replies[0].body["error"]
    error["failed_generation"] = 'get_schema{"table_name": "film"}</function>'
    (made,) = ask(server).tool_calls
    assert (made.name, made.arguments) == ("get_schema", FILM)
    server.fail(400, "Failed to call a function.", "tool_use_failed")
    server.replies[0].body["error"]["failed_generation"] = "I would call get_schema."
    turn = ask(server)
    assert (turn.tool_calls, turn.stop_reason) == ((), "malformed_call")


def test_a_question_that_the_server_will_not_have_answered_is_a_refusal(server: Any) -> None:
    server.fail(400, "The response was filtered.", "content_filter")
    assert ask(server).stop_reason == "refusal"
