"""What a model reads stays within a number of tokens, and what matters is never lost."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from agent.digest import MAX_TOKENS, SHRUNK, fit, tokens
from agent.messages import (
    PAST,
    Column,
    Exchange,
    Message,
    Observations,
    QueryResult,
    ToolCall,
    ToolResult,
    Turn,
    UserMessage,
)
from agent.run import Agent
from agent.testing import RecordingModel, ScriptedModel, call, text
from agent.tools.sql import describe_result

MakeAgent = Callable[..., Agent]

QUESTION = UserMessage("how many films are there of each rating, and why?")
SCHEMA = "table film (about 1000 rows)\ncolumns:\n" + "- title text\n" * 60


def result_text(number: int, rows: int = 60) -> str:
    columns = (Column("title", "text"), Column("n", "bigint"))
    values = tuple((f"A film with a long title, number {row}", row) for row in range(rows))
    return describe_result(
        QueryResult(
            "SELECT 1", columns, values, truncated=True, notes=("only the first 60 rows were read",)
        ),
        number,
    )


def observed(tool: str, content: str, *, error: bool = False) -> list[Message]:
    made = ToolCall("c", tool, {})
    return [
        Turn(tool_calls=(made,), stop_reason="tool_use"),
        Observations((ToolResult("c", tool, content, is_error=error),)),
    ]


def contents(messages: tuple[Message, ...]) -> list[str]:
    return [
        result.content
        for message in messages
        if isinstance(message, Observations)
        for result in message.results
    ]


def test_what_fits_is_left_as_it_is() -> None:
    messages = [QUESTION, *observed("get_schema", SCHEMA), *observed("x", result_text(1))]
    assert fit(messages, MAX_TOKENS) == tuple(messages)


def test_old_rows_shrink_to_a_digest_and_the_newest_stay_whole() -> None:
    messages: list[Message] = [QUESTION]
    for number in range(1, 5):
        messages += observed("execute_read_only_sql", result_text(number))
    kept = contents(fit(messages, tokens(messages) - 200))
    assert SHRUNK in kept[0]
    assert len(kept[0]) < 600
    assert kept[0].startswith(
        "result 1: 60 rows in 0 ms\ncolumns: title (text), n (bigint)\n<data>"
    )
    assert "number 0" in kept[0]
    assert "number 1" not in kept[0]
    assert kept[0].count("<data>") == kept[0].count("</data>") == 1
    assert "note: only the first 60 rows were read" in kept[0]
    assert kept[-1] == result_text(4)


def test_what_was_read_once_changes_seldom_and_never_back() -> None:
    """Each change costs what the provider's cache holds behind it."""
    messages: list[Message] = [QUESTION, *observed("get_schema", SCHEMA)]
    read: list[tuple[Message, ...]] = []
    for number in range(1, 31):
        messages += observed("execute_read_only_sql", result_text(number))
        read.append(fit(messages, 6_000))
        assert tokens(read[-1]) <= 6_000
    changes = sum(later[: len(earlier)] != earlier for earlier, later in pairwise(read))
    assert 0 < changes <= 10
    for earlier, later in pairwise(map(contents, read)):
        assert not any(
            SHRUNK in before and SHRUNK not in after
            for before, after in zip(earlier, later, strict=False)
        )


def test_question_schema_and_last_error_are_never_lost() -> None:
    error = "PostgreSQL error 42703: no column total. " + "Columns: amount. " * 100
    messages = [
        QUESTION,
        *observed("get_schema", SCHEMA),
        *observed("execute_read_only_sql", error, error=True),
        UserMessage("Your last attempt was refused and taken back."),
        *observed("find_tables", "3 of 21 tables fit:\n" + "- film\n" * 400),
        *observed("execute_read_only_sql", result_text(1)),
    ]
    kept = fit(messages, 1)
    assert kept[0] == QUESTION
    assert [m for m in kept if isinstance(m, UserMessage)] == [messages[0], messages[5]]
    assert contents(kept)[:2] == [SCHEMA, error]
    assert len(contents(kept)[2]) < 600
    assert contents(kept)[3] == result_text(1)


def test_a_schema_is_kept_once() -> None:
    messages = [QUESTION, *observed("get_schema", SCHEMA), *observed("get_schema", SCHEMA)]
    assert contents(fit(messages, MAX_TOKENS)) == [SCHEMA, "This schema stands above already."]


def test_earlier_answers_shrink_before_anything_of_this_run() -> None:
    past = Turn("There are 1,000 films. " * 200, stop_reason=PAST)
    messages = [
        UserMessage("how many films?"),
        past,
        QUESTION,
        *observed("find_tables", "- film\n" * 200),
        *observed("get_schema", SCHEMA),
    ]
    kept = fit(messages, tokens(messages) - 300)
    assert isinstance(kept[1], Turn)
    assert len(kept[1].text) < 700
    assert kept[2:] == tuple(messages[2:])


def test_no_call_loses_its_result() -> None:
    messages: list[Message] = [QUESTION]
    for number in range(1, 9):
        messages += observed("execute_read_only_sql", result_text(number))
    kept = fit(messages, 1)
    assert [type(message) for message in kept] == [type(message) for message in messages]


@pytest.mark.parametrize("together", [False, True])
def test_many_schemas_of_hundreds_of_columns_stay_within_the_tokens(together: bool) -> None:
    columns = "".join(f"- column_{n} integer not null: what it holds\n" for n in range(350))
    schemas = [f"table t{n} (about 5 rows)\ncolumns:\n{columns}" for n in range(8)]
    looks = [observed("get_schema", schema) for schema in schemas]
    if together:
        results = tuple(ToolResult("c", "get_schema", schema) for schema in schemas)
        looks = [[looks[0][0], Observations(results)]]
    messages = [QUESTION, *(message for look in looks for message in look)]
    kept = fit(messages, MAX_TOKENS)
    assert tokens(messages) > 1.5 * MAX_TOKENS
    assert tokens(kept) <= MAX_TOKENS
    for number, content in enumerate(contents(kept)):
        assert content.startswith(f"table t{number}")
        assert "- column_200 integer not null\n" in content


@pytest.mark.parametrize("width", [1, 40])
def test_a_run_of_wide_results_stays_within_its_tokens(make_agent: MakeAgent, width: int) -> None:
    looks = [
        call(
            "execute_read_only_sql",
            query=f"SELECT repeat(title, {width}) AS t, {n} AS n FROM film ORDER BY film_id",
        )
        for n in range(7)
    ]
    model = RecordingModel(
        ScriptedModel(call("get_schema", table_name="film"), *looks, text("Many."))
    )
    long_ago = [Exchange(f"question {n}", "An answer. " * 150) for n in range(6)]
    make_agent(model).run("list the titles", history=long_ago)
    assert len(model.heard) == 9
    assert all(tokens(heard) <= MAX_TOKENS for heard in model.heard)
    assert model.heard[-1][12] == UserMessage("list the titles")
