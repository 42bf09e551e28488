"""`db-agent ask` gives its result whatever the streams, the letters and the signals are like."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

DbAgent = Callable[..., subprocess.CompletedProcess[str]]
WriteScript = Callable[[Sequence[dict[str, Any]]], str]

LOOK = {"tool_calls": [{"name": "get_schema", "arguments": {"table_name": "category"}}]}


def query(sql: str) -> dict[str, Any]:
    return {"tool_calls": [{"name": "execute_read_only_sql", "arguments": {"query": sql}}]}


def strict_json(text: str) -> Any:
    def refuse(word: str) -> None:
        raise ValueError(f"{word} is no JSON")

    return json.loads(text, parse_constant=refuse)


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A temporary folder whose name is short enough for the server's socket."""
    with tempfile.TemporaryDirectory(prefix="t-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def redirected(script: str, redirection: str, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bot.cli", "ask", "?", "--model", script, *options]
    return subprocess.run(
        ["/bin/sh", "-c", f'"$@" {redirection}', "sh", *command],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_terminal_with_few_letters_still_gets_the_answer(
    fresh_db_agent: DbAgent, write_script: WriteScript
) -> None:
    script = write_script([LOOK, query("SELECT 'Größe' AS x"), {"text": "Größe ✓"}])
    done = fresh_db_agent("ask", "?", "--model", script, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Gr??e ?\n")


def test_json_keeps_every_letter_where_the_output_has_few(
    fresh_db_agent: DbAgent, write_script: WriteScript
) -> None:
    script = write_script([LOOK, query("SELECT 'Größe' AS x"), {"text": "Größe ✓"}])
    done = fresh_db_agent("ask", "?", "--json", "--model", script, PYTHONIOENCODING="ascii")
    result = strict_json(done.stdout)
    assert (result["answer"], result["results"][0]["rows"]) == ("Größe ✓", [["Größe"]])


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_half_a_letter_costs_no_answer(
    db_agent: DbAgent, write_script: WriteScript, options: tuple[str, ...]
) -> None:
    done = db_agent("ask", "?", *options, "--model", write_script([{"text": "lone \ud800 half"}]))
    assert (done.returncode, done.stderr) == (0, "note: no query was run\n")
    assert "lone ? half" in done.stdout or "lone   half" in done.stdout


def test_json_holds_what_no_json_number_can(db_agent: DbAgent, write_script: WriteScript) -> None:
    values = {
        "'NaN'::float8": "NaN",
        "'-Infinity'::float4": "-Infinity",
        "'Infinity'::numeric": "Infinity",
        "repeat('9', 100)::numeric": "9" * 100,
        "'infinity'::date": "infinity",
        "interval '1 year -3 days'": "1 year -3 days",
        "ARRAY['a\"b', NULL]": '{"a\\"b",NULL}',
        "'{\"a\": [1]}'::jsonb": '{"a": [1]}',
        "'\\xdeadbeef'::bytea": "(4 bytes)",
        "'PG-13'::mpaa_rating": "PG-13",
        "9223372036854775807": 9223372036854775807,
    }
    sql = f"SELECT {', '.join(f'{each} AS same' for each in values)}"
    script = write_script([LOOK, query(sql), {"text": "done"}])
    result = strict_json(db_agent("ask", "?", "--json", "--model", script).stdout)
    assert result["results"][0]["rows"] == [list(values.values())]
    assert result["results"][0]["columns"][:3] == ["same", "same (2)", "same (3)"]


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_closed_output_ends_quietly(write_script: WriteScript, options: tuple[str, ...]) -> None:
    done = redirected(write_script([{"text": "hello"}]), ">&-", *options)
    assert (done.returncode, done.stderr) == (0, "note: no query was run\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_full_disk_is_said_in_one_line(
    write_script: WriteScript, options: tuple[str, ...]
) -> None:
    done = redirected(write_script([{"text": "hello"}]), ">/dev/full", *options)
    assert done.returncode == 1
    assert done.stderr == ("db-agent: The result cannot be written: No space left on device.\n")


def test_a_reader_that_goes_away_ends_it_without_a_trace(write_script: WriteScript) -> None:
    long = query("SELECT repeat('x', 9000) FROM generate_series(1, 100)")
    done = redirected(write_script([LOOK, long, {"text": "hello"}]), "| head -c 1", "--json")
    assert (done.stdout, done.stderr) == ("{", "")


@pytest.mark.parametrize("signal_sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_in_mid_run_leaves_nothing_behind(
    write_script: WriteScript, short_folder: Path, signal_sent: signal.Signals
) -> None:
    slow = query("SELECT count(*) FROM rental a, rental b, rental c")
    script = write_script([LOOK, slow, {"text": "never"}])
    with subprocess.Popen(
        [sys.executable, "-m", "bot.cli", "ask", "?", "--model", script],
        env={**os.environ, "TMPDIR": str(short_folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),  # whoever runs us: nohup
    ) as process:
        deadline = time.monotonic() + 30
        while process.poll() is None and time.monotonic() < deadline:
            if list(short_folder.glob("db-agent-run-*/cluster/data/postmaster.pid")):
                break
            time.sleep(0.02)
        process.send_signal(signal_sent)
        output, errors = process.communicate(timeout=30)
    assert (process.returncode, output, errors) == (130, "", "stopped\n")
    assert list(short_folder.iterdir()) == []


def test_a_script_without_end_of_nesting_is_a_mistake_in_its_use(
    db_agent: DbAgent, tmp_path: Path
) -> None:
    (tmp_path / "deep.json").write_text("[" * 100_000)
    done = db_agent("ask", "?", "--model", "scripted:deep.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "nested too deeply" in done.stderr


def test_a_long_cell_is_cut_on_the_terminal_only(
    db_agent: DbAgent, write_script: WriteScript
) -> None:
    script = write_script([LOOK, query("SELECT repeat('x', 1900) AS long"), {"text": "done"}])
    assert 450 < db_agent("ask", "?", "--model", script).stdout.count("x") < 600
    result = strict_json(db_agent("ask", "?", "--json", "--model", script).stdout)
    assert result["results"][0]["rows"] == [["x" * 1900]]
