"""`db-agent trail` tells what a run did, from the record that the bot keeps."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agent.database.demo import store_server
from agent.messages import AgentResult, Outcome, Step, Transition
from agent.state import AgentState, Event, Phase
from bot.store import Question, Store, Thread

DbAgent = Callable[..., subprocess.CompletedProcess[str]]
LOOKED = Step("get_schema", True, "film")


def keep_run(url: str, question: str = "how many \x1b[31mfilms?") -> str:
    """Record a run that failed after one step; its id."""
    now = datetime.now(UTC)
    trail = (
        Transition(
            now,
            Phase.OBSERVATION,
            Event.OBSERVED,
            Phase.THOUGHT,
            "I looked at film.",
            AgentState(Phase.THOUGHT, hop_count=1, model_calls=1),
            steps=(LOOKED,),
        ),
        Transition(
            now,
            Phase.THOUGHT,
            Event.TIMED_OUT,
            Phase.FAILED,
            "The time limit of 120 seconds was met.",
            AgentState(Phase.FAILED, hop_count=1, model_calls=1, failed=True),
        ),
    )
    store = Store(url)
    store.open()
    try:
        ts = f"{now.timestamp():.6f}"
        run_id = store.claim(Question(Thread("T1", "C1", ts), ts, "U1", question))
        assert run_id is not None
        result = AgentResult(
            question=question,
            outcome=Outcome.FAILED,
            failed=True,
            answer="",
            summary="The time limit of 120 seconds was met.",
            results=(),
            charts=(),
            warnings=(),
            trail=trail,
            model="offline",
            hops=1,
            duration_ms=120_000,
        )
        assert store.finish(run_id, result)
    finally:
        store.close()
    return run_id


@pytest.fixture
def run_id(scratch_database: str) -> str:
    return keep_run(scratch_database)


def test_a_run_is_told_by_a_beginning_of_its_id(
    fresh_db_agent: DbAgent, scratch_database: str, run_id: str
) -> None:
    done = fresh_db_agent("trail", run_id[:8], DB_AGENT_STORE_URL=scratch_database)
    assert done.returncode == 0, done.stderr
    assert f"Run {run_id}\n" in done.stdout
    assert "Ended: failed\n" in done.stdout
    assert "I looked at film" in done.stdout
    assert "\x1b" not in done.stdout
    assert "->" not in done.stdout


def test_each_transition_is_a_line_where_they_are_asked_for(
    db_agent: DbAgent, scratch_database: str, run_id: str
) -> None:
    done = db_agent("trail", run_id, "--steps", DB_AGENT_STORE_URL=scratch_database)
    first, last = done.stdout.rstrip().split("\n")[-2:]
    assert "observation -> thought (observed)" in first
    assert "I looked at film." in first
    assert "thought -> failed (timed_out)" in last


@pytest.mark.parametrize("name", ["ffffffff", "no id", "%", ""])
def test_an_unknown_run_is_said(
    db_agent: DbAgent, scratch_database: str, run_id: str, name: str
) -> None:
    done = db_agent("trail", name, DB_AGENT_STORE_URL=scratch_database)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "There is no run whose id begins with" in done.stderr
    assert "the record that `db-agent serve` keeps" in done.stderr
    assert "press Why under an answer" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_beginning_that_fits_several_runs_names_them(
    db_agent: DbAgent, scratch_database: str
) -> None:
    ids: dict[str, str] = {}
    while True:
        run_id = keep_run(scratch_database)
        if run_id[0] in ids:
            break
        ids[run_id[0]] = run_id
    done = db_agent("trail", run_id[0], DB_AGENT_STORE_URL=scratch_database)
    assert done.returncode == 1
    assert run_id in done.stderr
    assert ids[run_id[0]] in done.stderr
    assert "Write more of the id" in done.stderr


def test_a_record_out_of_reach_is_said(db_agent: DbAgent) -> None:
    url = "postgresql://bot:secret-word@127.0.0.1:1/store"
    done = db_agent("trail", "abc", DB_AGENT_STORE_URL=url)
    assert done.returncode == 1
    assert "DB_AGENT_STORE_URL" in done.stderr
    assert "secret-word" not in done.stderr


class TestRecordOfItsOwn:
    @pytest.fixture
    def data_dir(self) -> Iterator[Path]:
        """A folder that the server's own account can reach where we are root."""
        with tempfile.TemporaryDirectory(prefix="db-agent-test-") as name:
            Path(name).chmod(0o755)
            yield Path(name) / "data"

    def test_it_is_read_while_the_bot_serves_and_afterwards(
        self, db_agent: DbAgent, data_dir: Path
    ) -> None:
        with store_server(data_dir / "store") as url:
            run_id = keep_run(url)
            beside = db_agent("trail", run_id, DB_AGENT_DATA_DIR=str(data_dir))
        assert "Ended: failed" in beside.stdout, beside.stderr
        later = db_agent("trail", run_id, DB_AGENT_DATA_DIR=str(data_dir))
        assert later.stdout == beside.stdout
