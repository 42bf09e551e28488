"""What the doctor says of the machine: charts, fonts, clock; and how one check may end."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from agent.charts import drawing_process
from agent.errors import SettingsInvalid
from bot.doctor import Finding, Level
from bot.doctor.attempt import attempt
from bot.doctor.chart import SAMPLES, chart_findings
from bot.doctor.finding import ok
from bot.doctor.machine_area import clock_findings, machine_findings
from bot.doctor.secrets import without_secrets
from bot.doctor.set_up import SetUp

MakeSetUp = Callable[..., SetUp]
Said = Callable[[Iterable[Finding], Level], str]


def test_a_chart_is_drawn_and_scripts_without_a_font_are_named(said: Said) -> None:
    found = list(chart_findings())
    assert "a chart is drawn in" in said(found, Level.OK)
    fonts = found[-1]
    if fonts.level is Level.OK:
        assert f"{len(SAMPLES)} scripts" in fonts.what
        assert fonts.lines == ()
        return
    lacking = [script for script in SAMPLES if script in fonts.what]
    assert lacking
    assert "Latin" not in lacking
    assert " -m pip install " in fonts.lines[0]


def test_fonts_that_are_missing_are_named_by_the_packages_that_have_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("agent.charts.fonts.PACKAGES", ())
    fonts = list(chart_findings())[-1]
    if "Korean" not in fonts.what or "Thai" not in fonts.what:
        pytest.skip("the system has fonts of its own for these scripts")
    (line,) = fonts.lines
    assert {"manimgx-fonts", "noto-cjk-sans-jp-regular"} <= set(line.split())


def test_a_drawing_process_that_does_not_start_is_wrong(
    said: Said, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    broken = tmp_path / "worker.py"
    broken.write_text("raise SystemExit(1)")
    monkeypatch.setattr(drawing_process, "_WORKER", broken)
    assert "no chart can be drawn here" in said(chart_findings(), Level.WRONG)


def test_a_folder_for_temporary_files_that_is_gone_is_wrong(
    set_up: MakeSetUp, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/no/such/folder")
    wrong = said(machine_findings(set_up()), Level.WRONG)
    assert "no temporary file can be written" in wrong
    assert "set TMPDIR" in wrong


@pytest.mark.parametrize(
    ("ahead", "level", "words"),
    [
        ({"Slack": 1.0, "the database": -2.0}, Level.OK, "agrees with Slack within 5 s"),
        ({"Slack": 20.0}, Level.NOTE, "this machine's clock is 20 s behind, says Slack"),
        ({"Anthropic": -900.0}, Level.WRONG, "this machine's clock is 15 minutes ahead"),
        ({"Slack": 0.0, "the database": 300.0}, Level.NOTE, "the database server's clock is"),
        ({"the database": 1.0}, Level.OK, "agrees with the database"),
        ({}, Level.UNCHECKED, "no server said its time"),
    ],
)
def test_the_clock_is_compared_with_those_of_others(
    set_up: MakeSetUp, said: Said, ahead: dict[str, float], level: Level, words: str
) -> None:
    given = set_up()
    for whose, by in ahead.items():
        given.clocks.note(whose, time.time() + by, time.time())
    assert words in said(clock_findings(given), level)


def test_a_check_that_hangs_or_breaks_hides_nothing_and_shows_no_traceback() -> None:
    def hangs() -> Iterator[Finding]:
        yield ok("begun")
        time.sleep(5)

    def breaks() -> Iterator[Finding]:
        yield ok("begun")
        raise RuntimeError("postgresql://u:secret@host")

    def faulty() -> Iterator[Finding]:
        raise SettingsInvalid("DB_AGENT_X: it is broken. Mend it.")
        yield

    started = time.monotonic()
    begun, late = attempt("the test", 0.2, hangs)
    assert time.monotonic() - started < 4.5
    assert (begun.level, late.level) == (Level.OK, Level.WRONG)
    assert "no end after 0.2 s" in late.what
    begun, broken = attempt("the test", 2, breaks)
    assert (begun.level, broken.level) == (Level.OK, Level.WRONG)
    assert "RuntimeError" in broken.what
    assert "secret" not in str(broken)
    (fault,) = attempt("the test", 2, faulty)
    assert (fault.what, fault.todo) == ("DB_AGENT_X: it is broken", "mend it")


def test_secrets_of_the_settings_are_taken_out_of_what_is_printed(set_up: MakeSetUp) -> None:
    clean = without_secrets(
        set_up(
            DATABASE_URL="postgresql://agent_ro:pass%2Fword@db/sales",
            DB_AGENT_STORE_URL="postgresql://postgres:postgres@db/store",
            SLACK_BOT_TOKEN="xoxb-1-secret",
            ANTHROPIC_API_KEY="sk-ant-1",
        )
    )
    text = clean("pass/word xoxb-1-secret sk-ant-1 agent_ro sales postgres")
    assert text == "*** *** *** agent_ro sales postgres"
