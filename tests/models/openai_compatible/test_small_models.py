"""What small models on servers of one's own do: shapes that a llama.cpp server gave for real."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agent.errors import ModelUnavailable
from agent.messages import Directive, ToolCall, ToolSpec, Turn, Usage, UserMessage
from agent.models.openai_compatible import PRESETS
from agent.models.openai_compatible.model import OpenAICompatibleModel
from agent.models.openai_compatible.pace import Pace
from agent.prompts import say_directive

EMPTY = {"type": "object", "properties": {}}
TOOLS = (
    ToolSpec("find_tables", "Find tables.", EMPTY),
    ToolSpec("get_schema", "Read a schema.", EMPTY),
)
QUESTION = UserMessage("How many films are there?")


def make(server: Any, preset: str = "compatible") -> OpenAICompatibleModel:
    return OpenAICompatibleModel(
        PRESETS[preset], "small", api_key=server.key, base_url=server.url, first_wait_s=0.01
    )


def ask(server: Any, preset: str = "compatible") -> Turn:
    model = make(server, preset)
    turn = model.respond("Answer.", (QUESTION,), TOOLS, timeout_s=20.0)
    model.close()
    return turn


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("44 films.<|im_end|>\n<|im_start|>user\nAnd in 2025?<|im_end|>", "44 films."),
        ("44 films.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nThanks", "44 films."),
        ("44 films.<end_of_turn>\n<start_of_turn>user\nThanks", "44 films."),
        ("44 films.</s>", "44 films."),
        ("<|im_start|>assistant\n44 films.<|im_end|>", "44 films."),
        ("<start_of_turn>model\n44 films.<end_of_turn>", "44 films."),
        ("44 films.\n<tool_response>\n[44]\n</tool_response>", "44 films."),
        ("<|im_end|>\n<|im_start|>tool\nresult 2: 1 row\n[69]<|im_end|>", ""),
        ("<|im_end|><|im_end|>\n<|im_start|>user\n<|im_end|>user", ""),
    ],
)
@pytest.mark.parametrize("stop", ["stop", "length"])
def test_what_a_model_writes_after_its_turn_is_not_its_turn(
    server: Any, written: str, meant: str, stop: str
) -> None:
    server.say(written, stop=stop)
    turn = ask(server, "openai")
    assert (turn.text, turn.tool_calls, turn.stop_reason) == (meant, (), "end_turn")


def test_a_call_is_read_and_the_result_that_the_model_made_up_for_it_is_not(server: Any) -> None:
    call = '<tool_call>{"name": "get_schema", "arguments": {"table_name": "film"}}</tool_call>'
    made_up = '<tool_response>film(film_id)</tool_response>\nThere are 200 films.<tool_call>{"name"'
    server.say(f"{call}\n{made_up}", stop="length")
    turn = ask(server, "openai")
    assert [call.name for call in turn.tool_calls] == ["get_schema"]
    assert (turn.text, turn.stop_reason) == ("", "tool_use")


def test_our_own_words_to_the_model_are_no_words_of_the_model(server: Any) -> None:
    ours = say_directive(Directive("acting", ("get_schema",)), {"acting"})
    server.say(f"44 films.\n\n{ours}")
    assert ask(server, "openai").text == "44 films."


def test_a_text_that_runs_on_without_a_mark_stays_cut_off(server: Any) -> None:
    server.say("A question is a question. A question is a", stop="length")
    assert ask(server, "openai").stop_reason == "max_tokens"


def test_a_call_that_is_json_over_many_lines_is_read(server: Any) -> None:
    server.say('{\n\n"name"\n\n:\n\n"find_tables",\n"arguments"\n:\n{\n"words"\n:\n"film"\n}\n\n}')
    assert ask(server, "openai").tool_calls == (
        ToolCall("call00000", "find_tables", {"words": "film"}),
    )


def test_tools_that_a_server_drops_are_told_in_words(start_server: Callable[[str], Any]) -> None:
    server = start_server("vllm")
    server.drops_tools = True
    server.say("1. Action\n2. Comedy")
    server.say('<tool_call>{"name": "find_tables", "arguments": {}}</tool_call>')
    server.say("There are 1,000.")
    model = make(server)
    turn = model.respond("Answer.", (QUESTION,), TOOLS, timeout_s=20.0)
    assert [call.name for call in turn.tool_calls] == ["find_tables"]
    first, again = server.requests
    assert "tools" in first
    assert "tools" not in again
    assert "find_tables" in again["messages"][0]["content"]
    model.respond("Answer.", (QUESTION,), TOOLS, timeout_s=20.0)
    assert "tools" not in server.requests[-1]
    assert server.trials == 2, "what is known is not tried again"
    model.close()


def test_what_it_took_to_find_out_is_on_the_bill(start_server: Callable[[str], Any]) -> None:
    server = start_server("vllm")
    server.drops_tools = True
    for _ in range(2):
        server.say("Comedy", usage={"prompt_tokens": 1000, "completion_tokens": 5})
    usage = ask(server).usage
    assert usage.output_tokens == 5 + 5 + 1 + 1
    assert 2000 < usage.input_tokens < 2100


@pytest.mark.parametrize("counts", [{}, {"usage": None}])
def test_a_server_that_shows_its_tools_is_asked_no_second_time(
    start_server: Callable[[str], Any], counts: dict[str, Any]
) -> None:
    server = start_server("vllm")
    server.say("Hello.", **counts)
    assert ask(server).text == "Hello."
    assert (len(server.requests), server.trials) == (1, 2)


def test_a_trial_that_was_not_answered_is_made_again(start_server: Callable[[str], Any]) -> None:
    server = start_server("vllm")
    server.drops_tools, server.cuts_trials = True, True
    server.say("Comedy")
    model = make(server)
    assert model.respond("Answer.", (QUESTION,), TOOLS, timeout_s=20.0).text == "Comedy"
    server.cuts_trials = False
    server.say("Comedy")
    server.say("Again.")
    assert model.respond("Answer.", (QUESTION,), TOOLS, timeout_s=20.0).text == "Again."
    assert "tools" not in server.requests[-1]
    model.close()


def test_a_model_that_calls_is_not_put_on_trial(start_server: Callable[[str], Any]) -> None:
    server = start_server("vllm")
    function = {"name": "find_tables", "arguments": "{}"}
    server.say(None, {"id": "t1", "type": "function", "function": function})
    server.say("44 films.")
    model = make(server)
    for _ in range(2):
        model.respond("Answer.", (QUESTION,), TOOLS, timeout_s=20.0)
    model.close()
    assert server.trials == 0


def test_a_provider_that_refuses_what_it_cannot_do_is_not_put_on_trial(server: Any) -> None:
    server.say("Hello.")
    assert ask(server, "openai").text == "Hello."
    assert server.trials == 0


def test_a_slow_server_is_asked_for_no_more_than_it_can_write_in_time() -> None:
    pace = Pace(may_be_slow=True)
    assert pace.bound(8000, 100) == 800, "nothing is known yet"
    pace.learn(1000, 10)
    assert pace.bound(8000, 100) == 4000
    pace.learn(150, 10)
    assert pace.bound(8000, 100) == 600
    assert pace.bound(8000, 2) == 500, "an answer needs some"
    assert pace.bound(64, 100) == 64
    pace.learn(3, 10)
    assert pace.bound(8000, 100) == 600, "three tokens tell no speed"


def test_a_turn_after_a_slow_one_is_bounded(start_server: Callable[[str], Any]) -> None:
    server = start_server("vllm")
    for tokens in (40, 2):
        usage = {"prompt_tokens": 900, "completion_tokens": tokens}
        server.say("44 films.", usage=usage, delay_s=0.4)
    model = make(server)
    for _ in range(2):
        model.respond("Answer.", (QUESTION,), (), timeout_s=75.0)
    model.close()
    first, second = (request["max_tokens"] for request in server.requests)
    assert 595 <= first <= 600, "twenty tokens a second are assumed"
    assert 500 <= second <= 40 / 0.4 * 75 * 0.4


def test_a_provider_is_fast_enough(server: Any) -> None:
    server.say("44 films.", delay_s=0.1)
    ask(server, "openai")
    assert server.requests[-1]["max_completion_tokens"] == 8000


def test_no_tokens_at_all_are_an_empty_turn(server: Any) -> None:
    counts = {"prompt_tokens": 1169, "completion_tokens": 0, "total_tokens": 1169}
    server.say("", stop="stop", usage=counts)
    assert ask(server, "openai") == Turn("", (), "end_turn", Usage(1169, 0))


@pytest.mark.parametrize(
    ("said", "window"),
    [
        ("request (2031 tokens) exceeds the available context size (768 tokens)", "768"),
        (
            "This model's maximum context length is 4096 tokens. However, you requested 5061 "
            "tokens (5031 in the messages, 30 in the completion). Please reduce the length of "
            "the messages or completion.",
            "4,096",
        ),
    ],
)
def test_a_server_that_reads_too_little_is_told_of_with_what_it_reads(
    start_server: Callable[[str], Any], said: str, window: str
) -> None:
    server = start_server("vllm")
    for _ in range(2):
        server.fail(400, said)
    with pytest.raises(ModelUnavailable) as caught:
        ask(server)
    assert f"which reads {window} tokens at once" in str(caught.value)
    assert "ask your administrator" in str(caught.value)


def test_the_window_of_a_provider_is_no_matter_of_the_administrator(server: Any) -> None:
    server.fail(400, "the request exceeds the available context size (768 tokens)")
    with pytest.raises(ModelUnavailable, match="start a new thread") as caught:
        ask(server, "openai")
    assert "administrator" not in str(caught.value)
