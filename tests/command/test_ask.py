"""`db-agent ask` prints answer, table and warnings, and its exit code says how it went."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

DbAgent = Callable[..., subprocess.CompletedProcess[str]]
WriteScript = Callable[[Sequence[dict[str, Any]]], str]

LOOK = {"tool_calls": [{"name": "get_schema", "arguments": {"table_name": "category"}}]}
QUERY = {
    "tool_calls": [
        {
            "name": "execute_read_only_sql",
            "arguments": {
                "query": "SELECT name AS category, category_id AS id FROM category "
                "ORDER BY 1 LIMIT 2"
            },
        }
    ]
}
CHART = {
    "tool_calls": [
        {
            "name": "generate_chart",
            "arguments": {
                "spec": {
                    "title": "Categories",
                    "mark": "bar",
                    "encoding": {"x": {"field": "category"}, "y": {"field": "id"}},
                }
            },
        }
    ]
}
ANSWER = {"text": "Action and Animation come first."}


def test_an_answer_is_printed_with_its_table_and_exits_with_0(
    fresh_db_agent: DbAgent, write_script: WriteScript
) -> None:
    done = fresh_db_agent("ask", "first two?", "--model", write_script([LOOK, QUERY, ANSWER]))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Action and Animation come first.\n")
    assert "Animation │" in done.stdout
    assert re.search(r"^How: category · 1 query · (?:.* · )?2 steps · ", done.stdout, re.MULTILINE)


def test_json_holds_the_whole_result(db_agent: DbAgent, write_script: WriteScript) -> None:
    script = write_script([LOOK, QUERY, CHART, ANSWER])
    done = db_agent("ask", "first two?", "--json", "--model", script)
    result = json.loads(done.stdout)
    assert done.returncode == 0
    expected = {
        "question": "first two?",
        "answer": "Action and Animation come first.",
        "outcome": "answered",
        "failed": False,
        "n_queries": 1,
        "warnings": [],
        "model": "scripted:script.json",
        "hops": 3,
    }
    assert {name: result[name] for name in expected} == expected
    assert result["sql"] == [QUERY["tool_calls"][0]["arguments"]["query"]]
    assert result["results"][0]["columns"] == ["category", "id"]
    assert result["results"][0]["rows"][0][0] == "Action"
    assert result["results"][0]["truncated"] is False
    assert result["charts"][0]["result"] == 1
    assert 0 < result["duration_ms"] < 60_000


def test_a_chart_is_written_where_it_was_asked_for(
    db_agent: DbAgent, write_script: WriteScript, tmp_path: Path
) -> None:
    script = write_script([LOOK, QUERY, CHART, ANSWER])
    done = db_agent("ask", "first two?", "--chart", "out.png", "--model", script)
    assert done.returncode == 0
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
    assert "chart written to out.png" in done.stderr


def test_a_question_without_quotes_is_read_whole(
    db_agent: DbAgent, write_script: WriteScript
) -> None:
    script = write_script([LOOK, QUERY, ANSWER])
    done = db_agent("ask", "--json", "--model", script, "the", "first", "two?")
    assert json.loads(done.stdout)["question"] == "the first two?"


def test_its_version_is_said(db_agent: DbAgent) -> None:
    assert re.fullmatch(r"db-agent \d+\.\d+\.\d+\n", db_agent("--version").stdout)


def test_no_chart_is_said_and_nothing_is_written(
    db_agent: DbAgent, write_script: WriteScript, tmp_path: Path
) -> None:
    script = write_script([LOOK, QUERY, ANSWER])
    done = db_agent("ask", "first two?", "--chart", "out.png", "--model", script)
    assert done.returncode == 0
    assert "no chart was drawn" in done.stderr
    assert not (tmp_path / "out.png").exists()


def test_an_answer_without_a_query_warns_and_notes_it_on_stderr(
    db_agent: DbAgent, write_script: WriteScript
) -> None:
    done = db_agent("ask", "how many?", "--model", write_script([{"text": "About 42."}]))
    assert done.returncode == 0
    assert done.stdout.splitlines()[0].startswith("⚠️  No query was run for this answer")
    assert done.stderr == "note: no query was run\n"


def test_a_failed_run_warns_shows_what_was_found_and_exits_with_1(
    db_agent: DbAgent, write_script: WriteScript
) -> None:
    wrong = {"tool_calls": [{"name": "no_such_tool", "arguments": {}}]}
    done = db_agent("ask", "?", "--model", write_script([LOOK, QUERY, wrong, wrong, wrong]))
    assert done.returncode == 1
    assert done.stdout.startswith("⚠️  This run failed.")
    assert "Found so far:" in done.stdout
    assert "Animation │" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ask"], "QUESTION"),
        (["ask", "   "], "There is no question"),
        (["ask", "x" * 10_000], "10,000 characters"),
        (["ask", "how many?", "--model", "gpt-oops"], "There is no model 'gpt-oops'"),
        (["ask", "how many?", "--model", "claude-sonnet-5"], "ANTHROPIC_API_KEY"),
        (["ask", "how many?", "--model", "scripted:nowhere.json"], "cannot be read"),
        (["ask", "how many?", "--database-url", "nonsense"], "database URL"),
        (["ask", "how many?", "--database-url", "postgresql://u:\udce9@h/x"], "database URL"),
        (["ask", "how many?", "--chart", "nowhere/out.png"], "no such folder"),
        (["ask", "how many?", "--chart", "out.jpg"], "write --chart out.png"),
        (["ask", "how many?", "--colour"], "--colour"),
        (["ask", "how many?", "--model", "scripted:."], "Is a directory"),
        (["demo", "--port", "banana"], "'banana' is no port"),
        (["demo", "--port", "70000"], "no port"),
        ([], "COMMAND"),
    ],
)
def test_a_mistake_in_its_use_exits_with_2_and_says_what_to_do(
    db_agent: DbAgent, arguments: list[str], words: str
) -> None:
    done = db_agent(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_database_out_of_reach_is_said_and_exits_with_1(
    db_agent: DbAgent, write_script: WriteScript
) -> None:
    url = "postgresql://someone:secret-word@127.0.0.1:1/nowhere"
    done = db_agent("ask", "?", "--database-url", url, "--model", write_script([LOOK, ANSWER]))
    assert done.returncode == 1
    assert "cannot be reached" in done.stdout
    assert "secret-word" not in done.stdout + done.stderr


def test_a_login_that_may_write_is_refused_with_the_way_to_make_another(
    db_agent: DbAgent, write_script: WriteScript, demo_admin_url: str
) -> None:
    script = write_script([LOOK, QUERY, ANSWER])
    done = db_agent("ask", "first two?", "--database-url", demo_admin_url, "--model", script)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is a superuser" in done.stderr
    assert "db-agent provision" in done.stderr


def test_another_database_is_asked_by_its_url(
    db_agent: DbAgent, write_script: WriteScript, demo_database_url: str
) -> None:
    script = write_script([LOOK, QUERY, ANSWER])
    done = db_agent("ask", "first two?", "--model", script, DATABASE_URL=demo_database_url)
    assert (done.returncode, "Animation │" in done.stdout) == (0, True)


def test_several_at_once_do_not_disturb_each_other(
    db_agent: DbAgent, write_script: WriteScript
) -> None:
    script = write_script([LOOK, QUERY, ANSWER])
    with ThreadPoolExecutor() as threads:
        runs = [threads.submit(db_agent, "ask", "first two?", "--model", script) for _ in range(4)]
        assert [run.result().returncode for run in runs] == [0] * 4


def test_a_value_cannot_steer_the_terminal(db_agent: DbAgent, write_script: WriteScript) -> None:
    steering = "SELECT 'a' || chr(27) || '[31mred' AS \"x[bold]\" FROM category LIMIT 1"
    query = {"tool_calls": [{"name": "execute_read_only_sql", "arguments": {"query": steering}}]}
    done = db_agent("ask", "?", "--model", write_script([LOOK, query, {"text": "\x1b[2Jgone"}]))
    assert (done.returncode, "\x1b" in done.stdout) == (0, False)
    assert "x[bold]" in done.stdout


def test_a_value_cannot_steer_the_terminal_through_json_either(
    db_agent: DbAgent, write_script: WriteScript
) -> None:
    steering = "SELECT 'a' || chr(155) || '31m' || chr(8238) || 'b' AS v FROM category LIMIT 1"
    query = {"tool_calls": [{"name": "execute_read_only_sql", "arguments": {"query": steering}}]}
    script = write_script([LOOK, query, {"text": "There."}])
    done = db_agent("ask", "?", "--json", "--model", script)
    assert not {"\x9b", "\u202e"} & set(done.stdout)
    assert json.loads(done.stdout)["results"][0]["rows"] == [["a\x9b31m\u202eb"]]


def test_a_refused_run_says_why_and_not_what_was_refused(
    db_agent: DbAgent, write_script: WriteScript
) -> None:
    wrong = {
        "tool_calls": [
            {
                "name": "execute_read_only_sql",
                "arguments": {"query": "SELECT nothing FROM category"},
            }
        ]
    }
    # The same mistake again and again, with something sound between.
    turns = [LOOK, wrong, wrong, QUERY, wrong, wrong]
    done = db_agent("ask", "first two?", "--model", write_script(turns))
    assert done.returncode == 1
    assert "Ask for less at once" in done.stderr
    assert "There is no answer yet" in done.stdout
    assert "so I stopped" in done.stdout
    assert "Found so far:" in done.stdout
    assert "Animation │" in done.stdout
