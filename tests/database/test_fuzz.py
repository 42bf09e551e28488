"""The fuzzer's short run, and that its judges would notice: `make fuzz` is the long one."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from fuzz.arena import arena
from fuzz.composed import composed_texts
from fuzz.runner import Fuzz
from fuzz.texts import Text

SEED = 7

WEAKENED: list[tuple[dict[str, Any], str, str]] = [
    ({"functions": {"nextval"}}, "SELECT nextval('trap_seq')", "sequences"),
    ({"functions": {"pg_notify"}}, "SELECT pg_notify('fuzz', 'x')", "notifications"),
    ({"functions": {"set_config"}}, "SELECT set_config('work_mem', '1MB', true)", "settings"),
    ({"functions": {"pg_advisory_lock"}}, "SELECT pg_advisory_lock(1)", "locks"),
    (
        {"functions": {"pg_advisory_lock"}},
        "SELECT pg_advisory_lock(1), 1 / (a - a) FROM generate_series(1, 2) AS a",
        "locks",
    ),
    ({"functions": {"lo_create"}}, "SELECT lo_create(0)", "large_objects"),
    ({"functions": {"txid_current"}}, "SELECT txid_current()", "transactions"),
    (
        {"functions": {"pg_logical_emit_message"}},
        "SELECT pg_logical_emit_message(false, 'a', 'b')",
        "wal",
    ),
    ({"functions": {"pg_stat_reset"}}, "SELECT pg_stat_reset()", "statistics"),
    ({"functions": {"pg_cancel_backend"}}, "SELECT pg_cancel_backend({sleeper})", "sleeper"),
    ({"functions": {"dblink_connect"}}, "SELECT dblink_connect('c', '{dblink}')", "backends"),
    (
        {"functions": {"dblink_exec"}},
        "SELECT dblink_exec('{dblink}', 'INSERT INTO trap_log VALUES (1)')",
        "traps",
    ),
    (
        {"functions": {"lo_export"}},
        "SELECT lo_export(4242, 'exported')",
        "files",
    ),
    ({"functions": {"pg_read_file"}}, "SELECT pg_read_file('PG_VERSION')", "calls"),
    ({"functions": {"trap_text"}}, "SELECT trap_text('a')", "traps"),
    ({"unsafe_attributes": None}, "SELECT ('trap_seq'::text).nextval", "sequences"),
    ({"unsafe_attributes": None}, "SELECT f.trap_row FROM film f", "traps"),
    ({"unsafe_attributes": None}, "SELECT ('film'::text)._regclass", "casts to"),
    ({"operators": {"@@!"}}, "SELECT 'a' @@! 'b'", "traps"),
    ({"types": {"trap_over"}}, "SELECT 1::trap_over", "traps"),
    ({"types": {"regclass"}}, "SELECT 'film'::regclass", "casts to"),
]


@pytest.fixture(scope="module")
def fuzz() -> Iterator[Fuzz]:
    """The judges, in an arena of their own: some texts would do harm."""
    bin_dir = os.environ.get("PG_BIN")
    with arena(Path(bin_dir) if bin_dir else None) as place, Fuzz(place) as fuzz:
        yield fuzz


def test_nothing_that_the_guard_accepts_leaves_a_trace(fuzz: Fuzz) -> None:
    fuzz.run(composed_texts(SEED, 60))
    report = fuzz.run(islice(fuzz.texts.drawn(SEED), 500))
    assert not report.findings, "\n".join(map(str, report.findings))
    # What is never accepted, or never runs, proves nothing.
    assert report.counts["accepted"] > 0.25 * report.counts["texts"]
    assert report.counts["ran"] > 0.4 * report.counts["accepted"]
    assert report.counts["timed out"] < 0.05 * report.counts["accepted"]
    assert fuzz.reader.could_read > 0.5 * report.counts["accepted"]
    assert all(report.by_family[family, "texts"] for family in fuzz.texts.families)


NOTICED_WITHIN_S = 20.0


@pytest.mark.parametrize(("allow", "sql", "what"), WEAKENED, ids=[row[1] for row in WEAKENED])
def test_judges_notice_what_a_weaker_guard_lets_through(
    fuzz: Fuzz, allow: dict[str, Any], sql: str, what: str
) -> None:
    seen: list[str] = []
    given: set[str] = set()
    with fuzz.weakened(allow):
        # A signal to another process arrives when the system gets to it.
        until = time.monotonic() + NOTICED_WITHIN_S
        while time.monotonic() < until:
            text = fuzz.texts.filled(sql)  # another one where another sleeps by now
            given.add(text)
            for finding in fuzz.run([Text(text, "", "given")]).findings:
                assert finding.text.sql in given
                seen += finding.what
            if any(f"{what}:" in difference for difference in seen):
                return
    pytest.fail(f"not noticed: {what}; but: {seen}")


def test_a_text_names_the_sleeper_of_now_when_the_one_before_was_woken(fuzz: Fuzz) -> None:
    (before,) = {fuzz.texts.filled("{sleeper}"), str(fuzz.watcher.sleeper_pid)}
    with fuzz.weakened({"functions": {"pg_terminate_backend"}}):
        fuzz.run([Text(f"SELECT pg_terminate_backend({before})", "", "given")])
        until = time.monotonic() + NOTICED_WITHIN_S
        while str(fuzz.watcher.sleeper_pid) == before and time.monotonic() < until:
            fuzz.watcher.settled()
    assert fuzz.texts.filled("{sleeper}") == str(fuzz.watcher.sleeper_pid) != before


@pytest.mark.parametrize(
    "allow",
    [
        {"functions": {"dblink_exec"}},
        {"unsafe_attributes": None},
    ],
    ids=str,
)
def test_short_run_finds_the_hole_in_a_weaker_guard(fuzz: Fuzz, allow: dict[str, Any]) -> None:
    family = "effect" if "functions" in allow else "attribute"
    with fuzz.weakened(allow):
        texts = islice(fuzz.texts.drawn(SEED, family=family), 1_500)
        assert fuzz.run(texts, stop_at_first=True).findings


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1; SELECT 2",
        "SELECT 1; COMMIT",
        "SET work_mem = '1MB'",
        "PREPARE p AS SELECT 1",
        "DECLARE c CURSOR FOR SELECT 1",
        "LISTEN x",
        "LOCK TABLE film",
        "CREATE TEMP TABLE t (a int)",
        "SELECT title FROM film FOR UPDATE",
    ],
)
def test_judge_without_a_guard_notices_what_is_no_query(fuzz: Fuzz, sql: str) -> None:
    assert fuzz.bare.run(sql).differences
    fuzz.bare.restart()
    assert not fuzz.bare.run("SELECT 1").differences


def test_same_seed_gives_the_same_texts(fuzz: Fuzz) -> None:
    one, again = (list(islice(fuzz.texts.drawn(3), 50)) for _ in range(2))
    assert one == again
    assert len({text.sql for text in one}) > 40
